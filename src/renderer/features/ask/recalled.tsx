import { Check, Minus, X, Scissors } from 'lucide-react'
import type { ContextCut } from '../../../shared/domain/ask'
import type { RecalledItem } from '../../../shared/domain/trajectory'
import { Summary, SmallFold } from '../../components/fold'
import { plural } from '../../components/format'
import { StateIcon } from '../../components/row-icons'
import { RowLink } from '../../components/row-link'
import { CitationLine, PASSAGE } from '../../ground/citation'
import { useQuery } from '../../ground/use-query'
import { useServices, useStored } from '../../stores/use-services'
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

/** What was recalled, why, and whether it helped the times before. */
export function Recalled(props: {
  items: readonly RecalledItem[]
  memoryId: string
  /** Another one when it may have changed how the items did. */
  version?: string
  /** Whether the task is acted out in an environment. */
  inWorld: boolean
}) {
  const { items, memoryId, version = '', inWorld } = props
  if (items.length === 0)
    return <p className="text-sm text-muted">Nothing was recalled: it worked from the task alone.</p>
  const tokens = items.reduce((sum, item) => sum + item.tokens, 0)
  return (
    <details className="group" open>
      <Summary>
        Recalled {plural(items.length, 'item')}{' '}
        <span className="font-normal text-muted">{plural(tokens, 'token')}</span>
      </Summary>
      <ul aria-label="Recalled" className="mt-2 divide-y rounded-md border">
        {bestFirst(items, inWorld).map((item) => (
          <Item key={`${item.kind} ${item.id}`} item={item} memoryId={memoryId} version={version} />
        ))}
      </ul>
    </details>
  )
}

/** What fits best is read first, passages behind all else; in an environment it stands last, next to the task. */
const bestFirst = (items: readonly RecalledItem[], inWorld: boolean): RecalledItem[] => {
  const isPassage = ({ kind }: RecalledItem): boolean => kind === PASSAGE
  const others = items.filter((item) => !isPassage(item))
  return [...(inWorld ? others.toReversed() : others), ...items.filter(isPassage)]
}

function Item({ item, memoryId, version }: { item: RecalledItem; memoryId: string; version: string }) {
  const { client, openItem } = useServices()
  const kind = useStored('memoryKinds', ({ data }) => data?.find(({ id }) => id === item.kind)?.title)
  const record = useQuery(
    `${memoryId} ${item.kind} ${item.id}`,
    kind === undefined ? null : () => client.items.show({ memoryId, kind: item.kind, id: item.id }),
    version,
  ).data
  const { recalls } = record ?? {}
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
          Recalled because {item.pinned ? 'you pinned it' : (WHY[item.scoreKind] ?? item.scoreKind)}
          {item.score === null ? '' : ` (${item.score.toFixed(2)})`}
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
        </p>
        {item.kind === PASSAGE ? <CitationLine memoryId={memoryId} passageId={item.id} /> : null}
      </div>
    </li>
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
