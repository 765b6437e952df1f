import { useState } from 'react'
import type { ItemDetails, ItemVersion } from '../../../shared/domain/item'
import { Badge } from '../../components/badge'
import { Button } from '../../components/button'
import { classNames } from '../../components/class-names'
import { Dialog } from '../../components/dialog'
import { formatWhen } from '../../components/format'
import { Outcome } from '../../components/row-icons'
import { RankingView } from '../../ground/story/ranking-view'
import { finishedStory, Story } from '../../ground/story/story'
import { useQuery } from '../../ground/use-query'
import { useServices, useStored } from '../../stores/use-services'
import { useItemChanges } from './use-item-changes'

/** An attempt of the open memory as a story. */
export function AttemptDialog({ trajectoryId, onClose }: { trajectoryId: string; onClose(): void }) {
  const { client } = useServices()
  const memoryId = useStored('items', (state) => state.memoryId)
  const { data, unread } = useQuery(
    `${memoryId}/${trajectoryId}`,
    memoryId === null ? null : () => client.items.attempt({ memoryId, trajectoryId }),
  )
  return (
    <Dialog
      onClose={onClose}
      title="The attempt"
      description="What the agent was shown, did, and got."
      className="w-[min(760px,calc(100vw-32px))]"
    >
      <div className="min-h-0 flex-1 overflow-y-auto p-4">
        {data ? <Story {...finishedStory(data)} /> : unread('the attempt')}
      </div>
    </Dialog>
  )
}

/** The attempts the open item was shown to, each with how it ended. */
export function RecallList({ item: { kind, id, recalls: counts } }: { item: ItemDetails }) {
  const { client } = useServices()
  const memoryId = useStored('items', (state) => state.memoryId)
  const [open, setOpen] = useState<string | null>(null)
  const { data: recalls, unread } = useQuery(
    `${memoryId} ${kind} ${id}`,
    memoryId === null ? null : () => client.items.recalls({ memoryId, kind, id }),
    counts.recalled,
  )
  if (!recalls) return unread('the attempts')
  if (recalls.length === 0)
    return (
      <p className="text-sm text-muted">No attempt was shown it yet. Asks count here once they are judged.</p>
    )
  return (
    <>
      <p className="text-sm text-muted">
        That a task was solved with it does not mean that it was solved because of it: compare with how often
        the memory solves tasks at all.
      </p>
      <ul className="divide-y rounded-lg border">
        {recalls.map(({ trajectoryId, instruction, reward, judged, score, at }) => (
          <li key={trajectoryId}>
            <button
              type="button"
              onClick={() => setOpen(trajectoryId)}
              className="flex w-full items-center gap-3 px-3 py-2 text-left hover:bg-hover"
            >
              {judged ? <Outcome reward={reward === 1 ? 1 : 0} /> : <Badge>Not judged</Badge>}
              <span className="min-w-0 flex-1 truncate text-sm">{instruction}</span>
              {score === null ? null : (
                <span className="shrink-0 text-xs text-muted">score {score.toFixed(2)}</span>
              )}
              <span className="shrink-0 text-xs text-muted max-[1000px]:hidden">{formatWhen(at)}</span>
            </button>
          </li>
        ))}
      </ul>
      {open === null ? null : <AttemptDialog trajectoryId={open} onClose={() => setOpen(null)} />}
    </>
  )
}

/** How an item read before, and what it replaced or was replaced by, newest first. */
export function ItemHistory({ item }: { item: ItemDetails }) {
  const { client } = useServices()
  const memoryId = useStored('items', (state) => state.memoryId)
  const { kind, id, editedAt } = item
  const { data: versions, unread } = useQuery(
    `${memoryId} ${kind} ${id}`,
    memoryId === null ? null : () => client.items.history({ memoryId, kind, id }),
    `${editedAt} ${JSON.stringify(item.values)}`,
  )
  if (!versions) return unread('the earlier versions')
  if (versions.length <= 1)
    return (
      <p className="text-muted">It reads as it was written. It replaced nothing, and nothing replaced it.</p>
    )
  return (
    <ol className="flex flex-col gap-2">
      {versions.map((version, index) => <Version key={index} item={item} version={version} />).reverse()}
    </ol>
  )
}

function Version({ item, version }: { item: ItemDetails; version: ItemVersion }) {
  const { items } = useServices()
  const { edit } = useItemChanges()
  const { ref, at, title, values, current, note, ranking } = version
  const isSame = ref.id === item.id
  return (
    <li
      className={classNames(
        'flex flex-col gap-2 rounded-lg border p-3',
        isSame && current ? 'border-accent bg-accent-soft' : 'bg-canvas',
      )}
    >
      <div className="flex flex-wrap items-center gap-2">
        <Badge tone={current ? 'accent' : 'neutral'}>{note === '' ? 'As it is' : note}</Badge>
        <span className="flex-1 text-xs text-muted">{formatWhen(at)}</span>
        {isSame && !current && item.gone === null ? (
          <Button size="small" onClick={() => void edit(item, values)}>
            Use this again
          </Button>
        ) : null}
      </div>
      {isSame ? (
        <p className="text-sm whitespace-pre-line">
          {Object.values(values)
            .map((value) => (Array.isArray(value) ? value.join('\n') : String(value)))
            .filter((text) => text !== '')
            .join('\n\n')}
        </p>
      ) : (
        <button
          type="button"
          onClick={() => void items.getState().show(ref)}
          className="line-clamp-2 rounded-sm text-left text-sm hover:text-accent hover:underline"
        >
          {title}
        </button>
      )}
      {ranking ? (
        <div className="border-t pt-2">
          <RankingView ranking={ranking} />
        </div>
      ) : null}
    </li>
  )
}
