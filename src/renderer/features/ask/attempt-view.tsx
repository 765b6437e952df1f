import { GitFork, Pencil, Play, RotateCw, Sparkles, Trash2 } from '../../components/icons'
import { useState } from 'react'
import {
  answerOf,
  isCut,
  type AskAttempt,
  type AskBranch,
  type AskInfo,
  type AskVerdict,
} from '../../../shared/domain/ask'
import { isImported } from '../../../shared/domain/ask-origin'
import type { ItemRef } from '../../../shared/domain/item'
import { Button } from '../../components/button'
import { classNames } from '../../components/class-names'
import { ErrorNotice } from '../../components/error-notice'
import { Summary, SmallFold } from '../../components/fold'
import { Form } from '../../components/form'
import { plural } from '../../components/format'
import { IconButton } from '../../components/icon-button'
import { TextArea } from '../../ground/text-field'
import { CopyButton } from '../../ground/copy-button'
import { useQuery } from '../../ground/use-query'
import { useUndo } from '../../ground/use-undo'
import { WhyButton } from '../../ground/why-view'
import { refusalOf } from '../../stores/error-shape'
import { useServices, useStored } from '../../stores/use-services'
import type { BranchPlace } from './branch-dialog'
import { FactOffers } from './fact-offers'
import { FileList } from './file-list'
import { Fitted, WithRecalled } from './recalled'
import { Long } from './collapsible'
import { Markdown } from './markdown'
import { costWords } from './pace'
import { Plans, Steps, Thought } from './steps'
import { VerdictForm } from './verdict-form'
import { usePictures } from './picture'

/** How a try ended that found no end of its own. */
export const FINISH_WORDS = {
  completed: null,
  'round-limit': 'It found no answer within its rounds.',
  'invalid-action': 'It wrote something that is no action.',
  'context-overflow': 'What it had to read was longer than its model can read.',
  'output-limit': 'Its answer was cut at its length limit.',
  budget: 'Its tokens or its time were used up.',
  stopped: 'It was stopped before its end.',
} as const

/** One try that is over: how it went, the answer, what it made, what a person says of it, and what was learned. */
export function AttemptView(props: {
  ask: AskInfo
  attempt: AskAttempt
  /** Whether R, P and W judge it, and M and N say whether what was told is remembered. */
  keys: boolean
  onBranch(place: BranchPlace): void
}) {
  const { ask, attempt, keys, onBranch } = props
  const { trajectory, made, judgement } = attempt
  const { rounds, cycles, recalled, finish, reason } = trajectory
  const [editing, setEditing] = useState(false)
  const picture = usePictures(ask, attempt)
  const [wrongAt, setWrongAt] = useState<number | null>(judgement?.wrongAt ?? null)
  const [isJudged, setIsJudged] = useState(false)
  const last = rounds.at(-1)
  const answer = answerOf(attempt)
  const branching = { branch: (step: number) => onBranch({ attempt, step }) }
  const problem = reason ?? FINISH_WORDS[finish]
  const doubted = judgement !== null && judgement.verdict !== 'right'
  const steps = rounds.filter(({ action }) => action.kind !== 'answer')
  return (
    <>
      {attempt.fitted ? <Fitted fitted={attempt.fitted} /> : null}
      {attempt.unread === '' ? null : <p className="text-sm text-notice">{attempt.unread}.</p>}
      <WithRecalled
        items={recalled}
        ask={ask}
        attempt={attempt}
        memoryId={trajectory.memoryId}
        version={judgement?.learned ? judgement.id : ''}
      >
        {cycles ? (
          <Plans
            cycles={cycles}
            {...branching}
            {...(doubted && { picking: { at: wrongAt, onPick: setWrongAt } })}
          />
        ) : doubted && steps.length > 0 ? (
          <Steps rounds={rounds} picking={{ at: wrongAt, onPick: setWrongAt }} {...branching} />
        ) : steps.length > 0 ? (
          <details className="group" open={ask.spec.world !== null}>
            <Summary>{plural(steps.length, 'step')}</Summary>
            <div className="mt-2">
              <Steps rounds={rounds} {...branching} />
            </div>
          </details>
        ) : null}
        <section data-answer aria-label="The answer" className="flex flex-col gap-3">
          <div className="-my-1.5 flex items-center justify-between gap-2">
            <h3 className="text-xs font-medium text-muted">The answer</h3>
            <span className="flex items-center print:hidden">
              {answer === null ? null : <CopyButton what="answer" text={() => answer} />}
              <AnswerActions
                ask={ask}
                attempt={attempt}
                {...(answer !== null && ask.spec.world === null && { onEdit: () => setEditing(true) })}
              />
            </span>
          </div>
          {last?.thought !== undefined && steps.length === 0 ? <Thought text={last.thought} /> : null}
          {editing && answer !== null ? (
            <EditAnswer ask={ask} attempt={attempt} answer={answer} onClose={() => setEditing(false)} />
          ) : answer === null ? null : ask.spec.world ? (
            <Long label="The answer" text={answer} />
          ) : (
            <Markdown text={answer} picture={picture} />
          )}
          {problem === null ? null : <p className="text-sm text-notice">{problem}</p>}
          {isCut(attempt) || finish === 'stopped' ? <AfterCut ask={ask} attempt={attempt} /> : null}
          {made.length > 0 ? <FileList ask={ask} attempt={attempt.index} files={made} /> : null}
          <p className="text-xs text-muted">
            {isImported(ask, attempt) ? trajectory.model || ask.origin?.program : costWords(attempt)}
          </p>
        </section>
      </WithRecalled>
      <FactOffers ask={ask} attempt={attempt} keys={keys} />
      {doubted || !['completed', 'stopped'].includes(finish) ? (
        <WhyButton
          place={{ kind: 'ask', askId: ask.id, attempt: attempt.index }}
          version={judgement?.id ?? ''}
          onAgain={() => onBranch({ attempt, step: null })}
        />
      ) : null}
      {attempt.facts.length > 0 && judgement === null ? null : (
        <VerdictForm
          key={judgement?.id ?? 'unjudged'}
          ask={ask}
          attempt={attempt}
          wrongAt={wrongAt}
          keys={keys}
          isJudged={isJudged}
          onJudge={() => setIsJudged(true)}
          onAgain={() => onBranch({ attempt, step: null })}
        />
      )}
      <RememberedFacts items={rememberedBy(attempt)} memoryId={trajectory.memoryId} />
      {judgement ? <Learned ask={ask} judgement={judgement} /> : null}
    </>
  )
}

/** What is done with an answer as a whole: another text in its place, a new ask from it, or none of it. */
function AnswerActions(props: { ask: AskInfo; attempt: AskAttempt; onEdit?(): void }) {
  const { ask, attempt, onEdit } = props
  const { client, asks } = useServices()
  const { change } = useUndo()
  if (ask.status === 'waiting' || ask.status === 'working') return null
  const part = { askId: ask.id, part: { attempt: attempt.index } }
  return (
    <>
      {onEdit ? <IconButton icon={Pencil} label="Edit the answer" onClick={onEdit} /> : null}
      <IconButton
        icon={GitFork}
        label="Branch into its own ask"
        onClick={() => void asks.getState().fork(ask.id, attempt.index)}
      />
      <IconButton
        icon={Trash2}
        label="Delete this answer"
        onClick={() =>
          void change(
            refusalOf(client.asks.takeOut(part)),
            {
              title: 'Answer deleted',
              detail: 'The model does not read it any more. What was learned from it stays.',
            },
            () => refusalOf(client.asks.takeOut({ ...part, removed: false })),
          )
        }
      />
    </>
  )
}

/** An answer in a person's words: kept as one more try, and read by the model from then on. */
function EditAnswer(props: { ask: AskInfo; attempt: AskAttempt; answer: string; onClose(): void }) {
  const { ask, attempt, answer, onClose } = props
  const { client, asks } = useServices()
  const [text, setText] = useState(answer)
  const save = async () => {
    const input = { askId: ask.id, attempt: attempt.index, text: text.trim() }
    if (await asks.getState().command(() => client.asks.editAnswer(input))) onClose()
  }
  return (
    <Form className="flex flex-col gap-2" onSubmit={() => void save()}>
      <TextArea
        label="The answer in your words"
        hint="It becomes one more try. The next message goes on from it."
        rows={Math.min(16, Math.max(4, text.split('\n').length + 1))}
        autoFocus
        value={text}
        onChange={setText}
      />
      <div className="flex gap-2">
        <Button type="submit" look="primary" disabled={text.trim() === '' || text.trim() === answer}>
          Keep these words
        </Button>
        <Button onClick={onClose}>Cancel</Button>
      </div>
    </Form>
  )
}

/** An answer that was cut is gone on with, or asked for again. */
function AfterCut({ ask, attempt }: { ask: AskInfo; attempt: AskAttempt }) {
  const { client, asks } = useServices()
  const { command } = asks.getState()
  const from = { attempt: attempt.index, edit: null }
  const step = attempt.trajectory.rounds.length - 1
  const branch = (place: Pick<AskBranch, 'step' | 'goOn'>) =>
    void command(() => client.asks.branch({ askId: ask.id, from: { ...from, ...place } }))
  if (ask.status === 'waiting' || ask.status === 'working') return null
  return (
    <div className="flex flex-wrap gap-2">
      {isCut(attempt) ? (
        <Button look="primary" icon={Play} onClick={() => branch({ step, goOn: true })}>
          Continue
        </Button>
      ) : null}
      <Button icon={RotateCw} onClick={() => branch({ step: 0 })}>
        Ask again
      </Button>
    </div>
  )
}

/** What the memory took from a judgement; each item can be struck out. */
function Learned({ ask, judgement }: { ask: AskInfo; judgement: AskVerdict }) {
  const { learned, problem } = judgement
  if (problem) return <ErrorNotice problem={problem} />
  return (
    <section aria-label="What was learned" className="flex flex-col gap-2">
      <h3 aria-live="polite" className="flex items-center gap-1.5 font-medium">
        <Sparkles size={15} aria-hidden className="text-accent" />
        {learned === null
          ? 'Learning from it…'
          : learned.length === 0
            ? ask.spec.remember
              ? 'Nothing was learned from it'
              : 'Judged, and not remembered'
            : `Learned from it: ${plural(learned.length, 'item')}`}
      </h3>
      {learned && learned.length > 0 ? <Items items={learned} memoryId={ask.spec.memoryId} /> : null}
    </section>
  )
}

/** Facts that came of the message: asked for, or told in passing and kept. */
const rememberedBy = ({ facts, offers }: AskAttempt): ItemRef[] => [
  ...facts,
  ...offers.flatMap(({ fact }) => (fact === null ? [] : [fact])),
]

/** Facts that the message asked to be remembered, or told; each item can be struck out. */
function RememberedFacts({ items, memoryId }: { items: readonly ItemRef[]; memoryId: string }) {
  if (items.length === 0) return null
  return (
    <section aria-label="Remembered" className="flex flex-col gap-2">
      <h3 className="flex items-center gap-1.5 font-medium">
        <Sparkles size={15} aria-hidden className="text-accent" />
        Loam remembers {plural(items.length, 'fact')}
      </h3>
      <Items items={items} memoryId={memoryId} />
    </section>
  )
}

function Items({ items, memoryId }: { items: readonly ItemRef[]; memoryId: string }) {
  return (
    <ul className="divide-y rounded-md border">
      {items.map((item) => (
        <Item key={`${item.kind} ${item.id}`} of={item} memoryId={memoryId} />
      ))}
    </ul>
  )
}

function Item({ of, memoryId }: { of: ItemRef; memoryId: string }) {
  const { client } = useServices()
  const { change } = useUndo()
  const [version, setVersion] = useState(0)
  const kind = useStored('memoryKinds', ({ data }) => data?.find(({ id }) => id === of.kind)?.title)
  const { data } = useQuery(
    `${memoryId} ${of.kind} ${of.id}`,
    () => client.items.show({ memoryId, kind: of.kind, id: of.id }),
    version,
  )
  const attempt = (work: Promise<unknown>) => refusalOf(work.then(() => setVersion((before) => before + 1)))
  const ref = { memoryId, kind: of.kind, id: of.id }
  const restore = () => attempt(client.items.restore(ref))
  const strike = () =>
    change(
      attempt(client.items.delete(ref)),
      { title: 'Struck out', detail: 'It is not recalled any more.' },
      restore,
    )
  if (!data) return null
  const isGone = data.gone !== null
  return (
    <li className="flex flex-col gap-1.5 px-2.5 py-2">
      <div className="flex items-start gap-2">
        <div className="min-w-0 flex-1">
          <p className={classNames('truncate text-sm', isGone && 'text-muted line-through')}>{data.title}</p>
          <p className="text-xs text-muted">
            {kind ?? of.kind}
            {data.reward === null || !data.labels?.['outcome']
              ? ''
              : data.reward > 0
                ? ' · as solved'
                : ' · as failed'}
            {isGone ? ' · struck out' : ''}
          </p>
        </div>
        <Button size="small" onClick={() => void (isGone ? restore() : strike())}>
          {isGone ? 'Bring back' : 'Strike out'}
        </Button>
      </div>
      {isGone ? null : (
        <SmallFold title="As the agent will read it">
          <div className="mt-1.5">
            <Long label="As the agent will read it" text={data.text} />
          </div>
        </SmallFold>
      )}
    </li>
  )
}
