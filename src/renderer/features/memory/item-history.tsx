import type { ItemDetails, ItemVersion } from '../../../shared/domain/item'
import { Badge } from '../../components/badge'
import { Button } from '../../components/button'
import { classNames } from '../../components/class-names'
import { formatWhen } from '../../components/format'
import { RankingView } from '../../ground/story/ranking-view'
import { useQuery } from '../../ground/use-query'
import { useServices, useStored } from '../../stores/use-services'
import { useItemChanges } from './use-item-changes'

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
