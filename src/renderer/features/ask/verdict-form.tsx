import { Check, ClipboardCheck, GitBranch, Minus, Scale, X } from '../../components/icons'
import { useRef, useState } from 'react'
import type { AnswerCheck } from '../../../shared/domain/answer-check'
import { answerOf, type AskAttempt, type AskInfo, type VerdictValue } from '../../../shared/domain/ask'
import { stepName } from '../../../shared/domain/plan'
import { Button } from '../../components/button'
import { classNames } from '../../components/class-names'
import { Form } from '../../components/form'
import { Keys } from '../../components/keys'
import { FormDialog } from '../../ground/form-dialog'
import { useLetter } from '../../ground/keys'
import { OwnCheck } from '../../ground/own-check'
import { TextArea, TextField } from '../../ground/text-field'
import { refusalOf } from '../../stores/error-shape'
import { useServices } from '../../stores/use-services'
import { sendOnEnter } from './send-on-enter'

const VERDICTS = [
  {
    verdict: 'right',
    label: 'Right',
    key: 'R',
    icon: Check,
    look: 'border-solved bg-solved-soft text-solved',
  },
  {
    verdict: 'partly',
    label: 'Partly',
    key: 'P',
    icon: Minus,
    look: 'border-notice bg-notice-soft text-notice',
  },
  { verdict: 'wrong', label: 'Wrong', key: 'W', icon: X, look: 'border-failed bg-failed-soft text-failed' },
] as const

/** Whether there is more to blame than the answer itself. */
const hasSteps = ({ trajectory: { rounds, cycles } }: AskAttempt): boolean =>
  cycles !== undefined || rounds.some(({ action }) => action.kind !== 'answer')

/** Whether it was right, in one key; and where it was not, what it should have been and where it went wrong. */
export function VerdictForm(props: {
  ask: AskInfo
  attempt: AskAttempt
  wrongAt: number | null
  /** Whether R, P and W judge it. */
  keys: boolean
  /** Whether it was judged here just now: then what it should have been is the next thing to write. */
  isJudged: boolean
  onJudge: () => void
  /** Opens another try at it. */
  onAgain: () => void
}) {
  const { client, asks } = useServices()
  const { ask, attempt, wrongAt, keys, isJudged, onJudge, onAgain } = props
  const { judgement } = attempt
  const [answer, setAnswer] = useState(judgement?.answer ?? '')
  const [note, setNote] = useState(judgement?.note ?? '')
  const verdictButton = useRef<HTMLButtonElement>(null)
  const judge = (verdict: VerdictValue) => {
    const unsaid = verdict === 'right'
    onJudge()
    const teaching = {
      verdict,
      answer: unsaid || answer.trim() === '' ? null : answer,
      wrongAt: unsaid ? null : wrongAt,
      note: unsaid || note.trim() === '' ? null : note,
    }
    return asks
      .getState()
      .command(() => client.asks.teach({ askId: ask.id, attempt: attempt.index, teaching }))
  }
  // R, P and W, wherever the focus is but in a field.
  useLetter(keys ? 'rpw' : '', (letter) => {
    const match = VERDICTS.find(({ key }) => key.toLowerCase() === letter)
    if (match && match.verdict !== judgement?.verdict) void judge(match.verdict)
  })
  const current = judgement?.verdict ?? null
  const isChanged =
    answer !== (judgement?.answer ?? '') ||
    note !== (judgement?.note ?? '') ||
    wrongAt !== (judgement?.wrongAt ?? null)
  return (
    <section aria-label="Your judgement" className="flex flex-col gap-3 rounded-lg border p-3">
      <div className="flex flex-wrap items-center gap-2">
        <h3 className="mr-1 font-medium">Was it right?</h3>
        {VERDICTS.map(({ verdict, label, key, icon: Icon, look }) => (
          <button
            key={verdict}
            type="button"
            ref={current === verdict ? verdictButton : null}
            aria-pressed={current === verdict}
            aria-keyshortcuts={keys ? key : undefined}
            onClick={() => void judge(verdict)}
            className={classNames(
              'inline-flex h-8 items-center gap-1.5 rounded-md border px-3 transition-colors duration-100',
              current === verdict ? look : 'border-line bg-surface hover:bg-hover',
            )}
          >
            <Icon size={15} strokeWidth={2.25} aria-hidden /> {label}
            {keys ? <Keys combo={key} drawn /> : null}
          </button>
        ))}
      </div>
      <Programs ask={ask} attempt={attempt} onAgain={onAgain} />
      {current === null ? (
        <p className="text-sm text-muted">
          {ask.spec.remember
            ? 'Until you say so, nothing is learned from it.'
            : 'It is not to be remembered, so nothing is learned either way.'}
        </p>
      ) : null}
      {current === 'partly' || current === 'wrong' ? (
        <Form className="flex flex-col gap-3" onSubmit={() => void judge(current)}>
          <TextArea
            label={ask.spec.world ? 'What it should have done' : 'The answer should have been'}
            hint={
              ask.spec.world
                ? 'As its world takes it, such as one SQL statement. It is tried out there first.'
                : null
            }
            rows={3}
            code={ask.spec.world !== null}
            autoFocus={isJudged}
            value={answer}
            onChange={setAnswer}
            onKeyDown={(event) => {
              sendOnEnter(event)
              // Back to where keys judge.
              if (event.key === 'Escape') verdictButton.current?.focus()
            }}
          />
          <TextField
            label={
              wrongAt === null
                ? 'What was wrong'
                : `What was wrong in ${stepName(attempt.trajectory, wrongAt)}`
            }
            hint={wrongAt === null && hasSteps(attempt) ? 'If one step was to blame, pick it above.' : null}
            value={note}
            onChange={setNote}
          />
          <div>
            <Button type="submit" look="primary" disabled={!isChanged}>
              Teach this
            </Button>
          </div>
        </Form>
      ) : null}
    </section>
  )
}

/** What else can be done about an answer: another try, a check that is attached to the message, or a model that judges. */
function Programs({ ask, attempt, onAgain }: { ask: AskInfo; attempt: AskAttempt; onAgain: () => void }) {
  const { client, asks } = useServices()
  const { command } = asks.getState()
  const askId = ask.id
  const [checking, setChecking] = useState(false)
  const [judging, setJudging] = useState(false)
  const { judgement } = attempt
  const own = ask.check?.turn === attempt.turn ? ask.check : null
  const by =
    judgement?.by === 'check'
      ? 'Its check says so.'
      : judgement?.by === 'model'
        ? `${judgement.judge ?? 'A model'} says so${judgement.note === null ? '.' : `: ${judgement.note}`}`
        : judgement?.by === 'rule'
          ? `Loam takes it for ${judgement.verdict}, because ${judgement.note ?? ''}.`
          : null
  return (
    <div className="-ml-2.5 flex flex-wrap items-center gap-x-1 gap-y-1 text-sm text-muted">
      {by === null ? null : (
        <p className="w-full pl-2.5">
          {by} What was learned from that is marked as such; your word counts before it.
        </p>
      )}
      <Button size="small" look="quiet" icon={GitBranch} onClick={onAgain}>
        Try again with…
      </Button>
      <Button size="small" look="quiet" icon={ClipboardCheck} onClick={() => setChecking(true)}>
        {own ? 'Change the check' : 'Attach a check'}
      </Button>
      {own ? (
        <Button
          size="small"
          look="quiet"
          onClick={() => void command(() => client.asks.check({ askId, check: null }))}
        >
          Take it off
        </Button>
      ) : null}
      {judgement === null ? (
        <Button
          size="small"
          look="quiet"
          icon={Scale}
          disabled={judging}
          onClick={() => {
            setJudging(true)
            void command(() => client.asks.judge({ askId, attempt: attempt.index })).then(() =>
              setJudging(false),
            )
          }}
        >
          {judging ? 'The model judges…' : 'Let the model judge'}
        </Button>
      ) : null}
      {checking ? (
        <CheckDialog
          ask={ask}
          turn={attempt.turn}
          answer={judgement?.answer ?? (judgement?.verdict === 'right' ? (answerOf(attempt) ?? '') : '')}
          onClose={() => setChecking(false)}
        />
      ) : null}
    </div>
  )
}

/** What a check compares with, by what it is called in the form. */
const ANSWER_WORDS: Readonly<Record<AnswerCheck['kind'], string>> = {
  exact: 'The right answer',
  'one-of': 'The right answers, separated',
  number: 'The right number',
  regex: 'The pattern',
  'json-path': 'The value that has to be there',
  cells: 'The cells as they should be, a line each, separated by commas',
  test: 'Code that must not fail',
  judge: 'A right answer, if there is one',
}

/** Attaches a check to a message of an ask: the same ones that streams have. */
function CheckDialog({
  ask,
  turn,
  answer: recordText,
  onClose,
}: {
  ask: AskInfo
  turn: number
  /** What is known to be right; empty for nothing. */
  answer: string
  onClose: () => void
}) {
  const { client } = useServices()
  const own = ask.check?.turn === turn ? ask.check : null
  const [how, setHow] = useState<AnswerCheck>(own?.how ?? { kind: 'exact', caseMatters: false })
  const [answer, setAnswer] = useState(own?.answer ?? recordText)
  return (
    <FormDialog
      title="A check for the answer"
      description="Every try at this message is judged by it, and the memory learns from that."
      submit={{ label: 'Attach it', icon: ClipboardCheck }}
      ready={answer.trim() !== '' || (how.kind === 'judge' && how.rubric.trim() !== '')}
      onSubmit={() =>
        refusalOf(client.asks.check({ askId: ask.id, check: { turn, how, answer: answer.trim() } }))
      }
      onClose={onClose}
    >
      <OwnCheck check={how} onChange={setHow} />
      <TextArea
        label={ANSWER_WORDS[how.kind]}
        rows={3}
        code={how.kind === 'regex' || how.kind === 'test'}
        value={answer}
        onChange={setAnswer}
      />
    </FormDialog>
  )
}
