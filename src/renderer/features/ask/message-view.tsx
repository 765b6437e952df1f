import { Columns2, GitBranch, Pencil, Trash2, Check, X } from '../../components/icons'
import { useState } from 'react'
import { useStore } from 'zustand'
import {
  answerOf,
  keptAttempts,
  specOf,
  type AskAttempt,
  type AskBranch,
  type AskDetail,
  type AskMessage,
  type AskInfo,
  type VerdictValue,
} from '../../../shared/domain/ask'
import { isImported, isInYourWords } from '../../../shared/domain/ask-origin'
import { stepName } from '../../../shared/domain/plan'
import { Button } from '../../components/button'
import { Summary } from '../../components/fold'
import { IconButton } from '../../components/icon-button'
import { Segmented } from '../../components/segmented'
import { Verbatim } from '../../components/verbatim'
import { useModelNames } from '../../ground/model-name'
import { Select } from '../../ground/select'
import { useUndo } from '../../ground/use-undo'
import { refusalOf } from '../../stores/error-shape'
import { useServices } from '../../stores/use-services'
import { AttemptView } from './attempt-view'
import { BranchDialog, type BranchPlace } from './branch-dialog'
import { FileList } from './file-list'
import { LiveView } from './live-view'
import { Markdown } from './markdown'
import { reasonsOf } from '../../../shared/domain/verdict'

/** Tries up to which each has a button of its own. */
const MOST_IN_A_ROW = 4

/** One message of the person and the tries at it. */
export function MessageView(props: {
  detail: AskDetail
  turn: AskMessage
  index: number
  /** It is worked on now. */
  active: boolean
  newest: boolean
  /** The try that is shown; null for the newest, or what goes on. */
  shown: number | null
  onShow(attempt: number | null): void
}) {
  const { detail, turn, index, active, newest, shown } = props
  const { ask } = detail
  const attempts = keptAttempts(detail).filter((attempt) => attempt.turn === index)
  const [beside, setBeside] = useState<number | null>(null)
  const [place, setPlace] = useState<BranchPlace | null>(null)
  const attempt = attempts.find((one) => one.index === shown) ?? attempts.at(-1)
  // What stands beside is another one, also once the one beside is chosen itself.
  const others = attempts.filter((one) => one !== attempt)
  const other = beside === null ? undefined : (others.find((one) => one.index === beside) ?? others.at(-1))
  const showsLive = active && shown === null
  const names = (one: AskAttempt) => ({
    value: String(one.index),
    label: `Try ${attempts.indexOf(one) + 1}`,
  })
  const tries = {
    label: 'Tries',
    value: showsLive ? 'now' : String(attempt?.index ?? 0),
    options: [...attempts.map(names), ...(active ? [{ value: 'now', label: 'Now' }] : [])],
    onChange: (value: string) => props.onShow(value === 'now' ? null : Number(value)),
  }
  return (
    <section aria-label={`Message ${index + 1}`} className="flex flex-col gap-4">
      <DialogMessage detail={detail} turn={turn} index={index} attempt={attempt} onEdit={setPlace} />
      {attempts.length > 1 || (active && attempts.length > 0) ? (
        <div className="flex flex-wrap items-center gap-2">
          {attempts.length > MOST_IN_A_ROW ? (
            <Select {...tries} className="w-28" />
          ) : (
            <Segmented {...tries} />
          )}
          {attempts.length > 1 && !showsLive ? (
            <Button
              size="small"
              icon={Columns2}
              aria-pressed={other !== undefined}
              className={other ? 'bg-accent-soft text-accent' : ''}
              onClick={() => setBeside(other ? null : (others.at(-1)?.index ?? null))}
            >
              Side by side
            </Button>
          ) : null}
        </div>
      ) : null}
      {showsLive ? (
        <LiveView detail={detail} />
      ) : attempt && other ? (
        <div data-beside className="grid grid-cols-2 gap-4 max-[1000px]:gap-2">
          {(other.index < attempt.index ? [other, attempt] : [attempt, other]).map((one) => (
            <section
              key={one.index}
              aria-label={names(one).label}
              className="flex min-w-0 flex-col gap-4 rounded-lg border p-3 max-[1000px]:p-2"
            >
              <TryWith detail={detail} attempt={one} title={names(one).label} />
              <AttemptView ask={ask} attempt={one} keys={false} onBranch={setPlace} />
            </section>
          ))}
        </div>
      ) : attempt && (newest || shown !== null) ? (
        <>
          <TryWith detail={detail} attempt={attempt} title={null} />
          <AttemptView key={attempt.index} ask={ask} attempt={attempt} keys={newest} onBranch={setPlace} />
        </>
      ) : attempt ? (
        <Before detail={detail} attempt={attempt} onBranch={setPlace} />
      ) : null}
      {place ? <BranchDialog ask={ask} place={place} onClose={() => setPlace(null)} /> : null}
    </section>
  )
}

/** An earlier answer, with everything about it folded away. */
function Before(props: { detail: AskDetail; attempt: AskAttempt; onBranch: (place: BranchPlace) => void }) {
  const { detail, attempt, onBranch } = props
  const answer = answerOf(attempt)
  return (
    <>
      {answer === null ? (
        <p className="text-sm text-muted">It found no answer.</p>
      ) : detail.ask.spec.world ? (
        <Verbatim>{answer}</Verbatim>
      ) : (
        <Markdown text={answer} />
      )}
      <RuledLine ask={detail.ask} attempt={attempt} />
      <details className="group">
        <Summary>How it got there, and whether it was right</Summary>
        <div className="mt-3 flex flex-col gap-4">
          <AttemptView ask={detail.ask} attempt={attempt} keys={false} onBranch={onBranch} />
        </div>
      </details>
    </>
  )
}

/** What the person said, with its files. The first message of an ask is its title where it is short. */
function DialogMessage(props: {
  detail: AskDetail
  turn: AskMessage
  index: number
  attempt: AskAttempt | undefined
  onEdit: (place: BranchPlace) => void
}) {
  const { detail, turn, index, attempt, onEdit } = props
  const { ask } = detail
  const text = attempt ? specOf(ask, attempt).text : turn.text
  if (index === 0 && text === ask.title && turn.given.length + turn.missing.length === 0) return null
  return (
    <div className="flex flex-col gap-2 rounded-lg bg-sunken px-3 py-2">
      <div className="flex items-start gap-2">
        <p className="max-h-60 min-w-0 flex-1 overflow-y-auto whitespace-pre-wrap [overflow-wrap:anywhere]">
          {text}
        </p>
        {attempt ? (
          <IconButton
            icon={Pencil}
            label="Change the words and try again"
            onClick={() => onEdit({ attempt, step: null })}
          />
        ) : null}
        <DeleteMessage detail={detail} index={index} />
      </div>
      {turn.missing.length > 0 ? (
        <p className="text-xs text-muted [overflow-wrap:anywhere]">
          Not in the import: {turn.missing.join(', ')}
        </p>
      ) : null}
      {turn.given.length > 0 ? <FileList ask={ask} attempt={null} turn={index} files={turn.given} /> : null}
    </div>
  )
}

/** Takes a message and what was answered to it out of the ask, with undo; the only message is left to deleting the ask. */
function DeleteMessage({ detail: { ask, turns }, index }: { detail: AskDetail; index: number }) {
  const { client } = useServices()
  const { change } = useUndo()
  const isOnly = turns.every(({ removed }, i) => removed || i === index)
  if (isOnly || ask.status === 'waiting' || ask.status === 'working') return null
  const part = { askId: ask.id, part: { turn: index } }
  return (
    <IconButton
      icon={Trash2}
      label="Delete this message"
      onClick={() =>
        void change(
          refusalOf(client.asks.takeOut(part)),
          { title: 'Message deleted', detail: 'Its answers go with it. What was learned from them stays.' },
          () => refusalOf(client.asks.takeOut({ ...part, removed: false })),
        )
      }
    />
  )
}

/** What a try was asked with, where that differs from the ask, and where it began. */
function TryWith(props: { detail: AskDetail; attempt: AskAttempt; title: string | null }) {
  const { detail, attempt, title } = props
  const { ask } = detail
  const spec = specOf(ask, attempt)
  const methodList = useStore(useServices().methods, (state) => state.data)
  const nameOf = useModelNames()
  const { recall } = attempt.changes
  const messages = [
    title,
    isImported(ask, attempt) || (spec.model === ask.spec.model && title === null) ? null : nameOf(spec.model),
    spec.method === ask.spec.method
      ? null
      : (methodList?.find(({ id }) => id === spec.method)?.title ?? spec.method),
    spec.memoryId === ask.spec.memoryId ? null : 'another memory',
    recall && recalledWords(recall),
    attempt.from && !isInYourWords(attempt) ? beginWords(detail, attempt.from) : null,
  ].filter((part) => typeof part === 'string')
  if (messages.length === 0) return null
  return (
    <p className="flex items-center gap-1.5 text-xs text-muted">
      <GitBranch size={12} aria-hidden /> {messages.join(' · ')}
    </p>
  )
}

/** How what a try recalls differs from what another one did. */
const recalledWords = ({ without, attempt }: NonNullable<AskAttempt['changes']['recall']>): string =>
  without.length === 0
    ? 'recalling what another try recalled'
    : `without ${without.length} of what try ${attempt + 1} recalled`

/** Where a try begins in the one that it leaves; null where all is anew. */
function beginWords({ attempts }: AskDetail, { attempt, step, edit, goOn }: AskBranch): string | null {
  if (goOn) return `try ${attempt + 1} continued`
  if (step === 0 && edit === null) return null
  return `from ${stepName(attempts[attempt]?.trajectory ?? {}, step)} on${edit === null ? '' : ', which you wrote'}`
}

/** What the next message tells of an answer, and a key to say so or otherwise; nothing where it tells nothing or a person has spoken. */
function RuledLine({ ask, attempt }: { ask: AskInfo; attempt: AskAttempt }) {
  const { client, asks } = useServices()
  const { ruled, judgement } = attempt
  const words = ruled
    ? `Probably ${ruled.value === 'solved' ? 'right' : 'wrong'}: ${reasonsOf(ruled)}.`
    : judgement?.by === 'rule'
      ? `Taken for ${judgement.verdict}${judgement.probation === null ? '' : ' until you say so'}: ${judgement.note ?? ''}.`
      : null
  if (words === null) return null
  const teach = (verdict: VerdictValue) =>
    void asks.getState().command(() =>
      client.asks.teach({
        askId: ask.id,
        attempt: attempt.index,
        teaching: { verdict, answer: null, wrongAt: null, note: null },
      }),
    )
  return (
    <div
      role="group"
      aria-label="What the next message tells"
      className="flex flex-wrap items-center gap-1.5 text-sm"
    >
      <p className="mr-1 text-muted">{words}</p>
      <Button size="small" icon={Check} onClick={() => teach('right')}>
        It was right
      </Button>
      <Button size="small" icon={X} onClick={() => teach('wrong')}>
        It was wrong
      </Button>
    </div>
  )
}
