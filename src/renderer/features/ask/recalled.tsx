import { Check, Minus, RotateCw, Scissors, X } from '../../components/icons'
import { useState, type ReactNode } from 'react'
import {
  isWithoutMemory,
  specOf,
  type AskAttempt,
  type AskInfo,
  type ContextCut,
} from '../../../shared/domain/ask'
import { isImported } from '../../../shared/domain/ask-origin'
import type { ItemDetails } from '../../../shared/domain/item'
import type { RecalledItem } from '../../../shared/domain/trajectory'
import { isForeign, originWords } from '../../../shared/domain/trust'
import { Button } from '../../components/button'
import { Summary, SmallFold } from '../../components/fold'
import { plural } from '../../components/format'
import { StateIcon } from '../../components/row-icons'
import { RowLink } from '../../components/row-link'
import { CitationLine, PASSAGE } from '../../ground/citation'
import { useQuery } from '../../ground/use-query'
import { useUndo } from '../../ground/use-undo'
import { refusalOf } from '../../stores/error-shape'
import { useServices, useStored } from '../../stores/use-services'
import { dateOf } from './ask-list'
import { Long } from './collapsible'

const WHY: Readonly<Record<string, string>> = {
  cosine: 'it is like this task',
  bm25: 'it shares words with this task',
  hybrid: 'it is like this task',
  likeness: 'it is about the same',
  recency: 'it is among the newest',
  q: 'it has helped with tasks like this',
  activation: 'it is active',
  link: 'it is linked to what was recalled',
  conversation: 'you said it before in this conversation',
}

/** Words that an item and what was asked share, at most three, as they stand in the question. */
export function sharedWords(question: string, title: string): string[] {
  const read = (text: string) => text.match(/[\p{L}\p{N}]{4,}/gu) ?? []
  const own = new Set(read(title).map((word) => word.toLowerCase()))
  const words = new Map(read(question).map((word) => [word.toLowerCase(), word]))
  return [...words]
    .filter(([word]) => own.has(word))
    .map(([, word]) => word)
    .slice(0, 3)
}

/** What the panel may change: what is said of an item, and the answer without any. */
interface Deeds {
  readonly ask: AskInfo
  readonly attempt: AskAttempt
}

/** Something with what was recalled for it beside it, or below where there is no room: never above, so that it pushes nothing down. */
export function WithRecalled(props: {
  items: readonly RecalledItem[]
  ask: AskInfo
  /** The try, once it is over. */
  attempt?: AskAttempt
  memoryId: string
  /** Another one when it may have changed how the items did. */
  version?: string
  children: ReactNode
}) {
  const { children, ...rest } = props
  // Another program recalled nothing from here.
  if (rest.attempt && isImported(rest.ask, rest.attempt))
    return <div className="flex min-w-0 flex-col gap-4">{children}</div>
  return (
    <div className="@container">
      <div className="flex flex-col gap-4 @min-[46rem]:grid @min-[46rem]:grid-cols-[minmax(0,1fr)_15rem] @min-[46rem]:gap-6">
        <div className="flex min-w-0 flex-col gap-4">{children}</div>
        <Recalled {...rest} />
      </div>
    </div>
  )
}

/** What was recalled, why, and whether it helped the times before. */
function Recalled(props: {
  items: readonly RecalledItem[]
  ask: AskInfo
  attempt?: AskAttempt
  memoryId: string
  version?: string
}) {
  const { items, ask, attempt, memoryId, version = '' } = props
  const { client, asks } = useServices()
  // Nothing was looked for where something was only to be kept.
  if (items.length === 0 && attempt !== undefined && attempt.facts.length > 0) return null
  if (items.length === 0)
    return (
      <aside aria-label="Memory">
        <p className="text-sm text-muted">
          {attempt !== undefined && isWithoutMemory(ask, attempt)
            ? 'Memory was not used.'
            : 'Nothing in memory fitted.'}
        </p>
      </aside>
    )
  const tokens = items.reduce((sum, item) => sum + item.tokens, 0)
  const rest = ask.status !== 'waiting' && ask.status !== 'working'
  const without = () =>
    asks.getState().command(() =>
      client.asks.branch({
        askId: ask.id,
        from: { attempt: attempt?.index ?? 0, step: 0, edit: null },
        changes: {
          recall: { attempt: attempt?.index ?? 0, without: items.map(({ kind, id }) => ({ kind, id })) },
        },
      }),
    )
  return (
    <aside aria-label="Memory">
      <details className="group" open>
        <Summary>
          Recalled {plural(items.length, 'item')}{' '}
          <span className="font-normal text-muted">{plural(tokens, 'token')}</span>
        </Summary>
        <ul aria-label="Recalled" className="mt-2 divide-y rounded-md border">
          {bestFirst(items, ask.spec.world !== null).map((item) => (
            <Item
              key={`${item.kind} ${item.id}`}
              item={item}
              memoryId={memoryId}
              version={version}
              question={attempt ? specOf(ask, attempt).text : ask.spec.text}
              deeds={attempt ? { ask, attempt } : null}
            />
          ))}
        </ul>
        {attempt && rest ? (
          <Button size="small" look="quiet" icon={RotateCw} className="mt-1" onClick={() => void without()}>
            Answer without memory
          </Button>
        ) : null}
      </details>
    </aside>
  )
}

/** What fits best is read first, passages behind all else; in an environment it stands last, next to the task. */
const bestFirst = (items: readonly RecalledItem[], inWorld: boolean): RecalledItem[] => {
  const isPassage = ({ kind }: RecalledItem): boolean => kind === PASSAGE
  const others = items.filter((item) => !isPassage(item))
  return [...(inWorld ? others.toReversed() : others), ...items.filter(isPassage)]
}

function Item(props: {
  item: RecalledItem
  memoryId: string
  version: string
  question: string
  deeds: Deeds | null
}) {
  const { item, memoryId, version, question, deeds } = props
  const { client, openItem } = useServices()
  const [changes, setChanges] = useState(0)
  const kind = useStored('memoryKinds', ({ data }) => data?.find(({ id }) => id === item.kind)?.title)
  const record = useQuery(
    `${memoryId} ${item.kind} ${item.id}`,
    kind === undefined ? null : () => client.items.show({ memoryId, kind: item.kind, id: item.id }),
    `${version} ${changes}`,
  ).data
  const { recalls } = record ?? {}
  const shared = item.pinned ? [] : sharedWords(question, item.title)
  return (
    <li className="flex gap-2 px-2.5 py-1.5">
      <StateIcon {...OUTCOMES[item.reward === null ? 'none' : item.reward > 0 ? 'solved' : 'failed']} />
      <div className="min-w-0 flex-1">
        {record ? (
          <RowLink onClick={() => openItem(memoryId, item)} className="block w-full text-sm">
            {item.title}
          </RowLink>
        ) : (
          <p className="truncate text-sm">{item.title}</p>
        )}
        <p className="text-xs text-muted">
          {kind ?? 'Attempt'}
          {record ? ` of ${dateOf(new Date(record.createdAt))}` : ''}
          {item.trust && isForeign(item.trust) ? `, from ${originWords(item.trust)}` : ''}. Recalled because{' '}
          {item.pinned ? 'you pinned it' : (WHY[item.scoreKind] ?? item.scoreKind)}
          {shared.length === 0 ? '' : `: both say ${shared.map((word) => `“${word}”`).join(', ')}`}
          {recalls === undefined
            ? ''
            : recalls.judged === 0
              ? '; not judged with it yet'
              : `; helped ${recalls.helped} of ${recalls.judged} times`}
          {record?.gone
            ? record.gone.why === 'deleted'
              ? '; struck out since'
              : '; not in use any more'
            : ''}
          .
        </p>
        {item.kind === PASSAGE ? <CitationLine memoryId={memoryId} passageId={item.id} /> : null}
        {deeds ? (
          <ItemDeeds
            {...deeds}
            item={item}
            memoryId={memoryId}
            record={record ?? null}
            onChange={() => setChanges((before) => before + 1)}
          />
        ) : null}
      </div>
    </li>
  )
}

/** What was said of an item, and what takes it back. */
function TakeBack({ state, onUndo, children }: { state: string; onUndo(): void; children: ReactNode }) {
  return (
    <>
      <span className="w-full pl-2 text-xs text-notice">{state}</span>
      <Button size="small" look="quiet" onClick={onUndo}>
        {children}
      </Button>
    </>
  )
}

/** Says of an item, in one click, that it misled or that it did not belong here; both can be taken back. */
function ItemDeeds(
  props: Deeds & {
    item: RecalledItem
    memoryId: string
    record: ItemDetails | null
    onChange(): void
  },
) {
  const { ask, attempt, item, memoryId, record, onChange } = props
  const { client } = useServices()
  const { change, report } = useUndo()
  const { kind, id } = item
  const isMuted = record?.mark === 'muted'
  const isMisplaced = attempt.misplaced.some((one) => one.kind === kind && one.id === id)
  const mark = (value: 'muted' | null) =>
    refusalOf(client.items.mark({ memoryId, kind, id, mark: value }).then(onChange))
  const misplace = (misplaced: boolean) =>
    refusalOf(client.asks.misplace({ askId: ask.id, attempt: attempt.index, item: { kind, id }, misplaced }))
  return (
    <div className="mt-0.5 -ml-2 flex flex-wrap items-center">
      {isMuted ? (
        <TakeBack state="Not recalled any more." onUndo={() => void mark(null).then(report)}>
          Recall it again
        </TakeBack>
      ) : record && record.gone === null ? (
        <Button
          size="small"
          look="quiet"
          onClick={() =>
            void change(mark('muted'), { title: 'It misled', detail: 'It is not recalled any more.' }, () =>
              mark(null),
            )
          }
        >
          This misled
        </Button>
      ) : null}
      {ask.spec.world !== null ? null : isMisplaced ? (
        <TakeBack state="Not shown for asks like this." onUndo={() => void misplace(false).then(report)}>
          Show it again
        </TakeBack>
      ) : (
        <Button
          size="small"
          look="quiet"
          onClick={() =>
            void change(
              misplace(true),
              { title: 'Wrong place', detail: 'Asks about the same are not shown it. Others are.' },
              () => misplace(false),
            )
          }
        >
          Wrong place
        </Button>
      )}
    </div>
  )
}

/** How the remembered attempt went: shape and word beside the colour. */
const OUTCOMES = {
  none: { icon: Minus, look: 'text-muted', word: 'No outcome' },
  solved: { icon: Check, look: 'text-solved', word: 'Solved then' },
  failed: { icon: X, look: 'text-failed', word: 'Failed then' },
} as const

/** Says what had to go so that the conversation fits into what the model can read. */
export function Fitted({ fitted: { answers, turns, summary } }: { fitted: ContextCut }) {
  const removals = [
    ...(answers > 0
      ? [`${plural(answers, 'answer')} of tools ${answers === 1 ? 'was' : 'were'} left out`]
      : []),
    ...(turns > 0
      ? [
          `the first ${turns === 1 ? 'message' : `${turns} messages`} ${turns === 1 ? 'was' : 'were'} ${summary === '' ? 'left out' : 'summarised'}`,
        ]
      : []),
  ]
  return (
    <div className="flex flex-col gap-1.5 rounded-md border border-notice/50 bg-notice-soft px-2.5 py-2 text-sm">
      <p className="flex items-center gap-1.5">
        <Scissors size={13} aria-hidden className="shrink-0 text-notice" />
        <span>So that it fits into what the model can read, {removals.join(' and ')}.</span>
      </p>
      {summary === '' ? null : (
        <SmallFold title="The summary it goes on with">
          <div className="mt-1.5">
            <Long label="The summary it goes on with" text={summary} />
          </div>
        </SmallFold>
      )}
    </div>
  )
}
