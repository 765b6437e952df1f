import { ActivitySquare } from '../../components/icons'
import { useState } from 'react'
import type { ItemRef } from '../../../shared/domain/item'
import type { ItemLife, ItemStanding, Lifetime } from '../../../shared/domain/lifetime'
import { movingRate, RECENT } from '../../../shared/figures/rates'
import { Dialog } from '../../components/dialog'
import { formatCount, plural } from '../../components/format'
import { IconButton } from '../../components/icon-button'
import { RowLink } from '../../components/row-link'
import { PlainTable } from '../../ground/plain-table'
import { LinePlot } from '../../ground/plot/plots'
import { useQuery } from '../../ground/use-query'
import { useServices, useStored } from '../../stores/use-services'

const STANDINGS: Readonly<Record<ItemStanding, string>> = {
  carrying: 'in use',
  failing: 'failing lately',
  fading: 'fading',
  unused: 'never shown',
  muted: 'put aside',
  gone: 'gone',
}

/** The life of the open memory: which items carried its tasks, when they were learned, faded, or were contradicted. */
export function LifetimeOfItems({ memoryId }: { memoryId: string }) {
  const { items } = useServices()
  const [open, setOpen] = useState(false)
  return (
    <>
      <IconButton icon={ActivitySquare} label="Its lifetime" onClick={() => setOpen(true)} />
      {open ? (
        <Dialog
          onClose={() => setOpen(false)}
          title="The life of this memory"
          description="Task by task: what it held, what that cost, and which items carried it."
          className="[--margin:5vh]! w-[min(1040px,calc(100vw-32px))]!"
        >
          <Life
            memoryId={memoryId}
            onOpen={(ref) => {
              setOpen(false)
              void items.getState().show(ref)
            }}
          />
        </Dialog>
      ) : null}
    </>
  )
}

function Life({ memoryId, onOpen }: { memoryId: string; onOpen(ref: ItemRef): void }) {
  const { client } = useServices()
  const { data, unread } = useQuery(memoryId, () => client.items.lifetime({ memoryId }))
  if (!data) return unread('its life')
  if (data.tasks === 0)
    return <p className="p-8 text-center text-muted">No task was tried with this memory yet.</p>
  return (
    <div className="flex min-h-0 flex-1 flex-col gap-4 overflow-y-auto p-4">
      <div className="grid grid-cols-3 gap-3 max-[700px]:grid-cols-1">
        <Course title="Solved, over the last 20 tasks" life={data} values={solvedOf(data)} top={1} />
        <Course title="Items in use" life={data} values={data.size} />
        <Course
          title="Tokens shown per task, over the last 20"
          life={data}
          values={movingRate(data.tokens, RECENT)}
        />
      </div>
      <p className="text-sm text-muted">
        {plural(data.tasks, 'task')}.{' '}
        {(Object.keys(STANDINGS) as ItemStanding[])
          .filter((standing) => (data.standings[standing] ?? 0) > 0)
          .map((standing) => `${formatCount(data.standings[standing] ?? 0)} ${STANDINGS[standing]}`)
          .join(', ')}
        .
      </p>
      <ItemLives life={data} onOpen={onOpen} />
    </div>
  )
}

/** Where nobody could tell how a task went, the rate stays as it was. */
function solvedOf({ rewards }: Lifetime): (number | null)[] {
  const notices = rewards.flatMap((reward) => (reward === null ? [] : [reward]))
  const rates = movingRate(notices, RECENT)
  let at = -1
  return rewards.map((reward) => rates[reward === null ? at : ++at] ?? null)
}

function Course(props: { title: string; life: Lifetime; values: readonly (number | null)[]; top?: number }) {
  const { title, life, values, top } = props
  return (
    <figure className="flex min-w-0 flex-col gap-1">
      <figcaption className="text-xs text-muted">{title}</figcaption>
      <div className="relative h-36 overflow-hidden rounded-lg border bg-surface">
        <LinePlot
          x={Array.from({ length: life.tasks }, (_, i) => i + 1)}
          end={life.tasks}
          lines={[{ label: title, colour: '--series-2', values }]}
          {...(top !== undefined && { top })}
        />
      </div>
    </figure>
  )
}

function ItemLives({ life, onOpen }: { life: Lifetime; onOpen(ref: ItemRef): void }) {
  const kinds = useStored('memoryKinds', ({ data }) => data)
  const titleOf = (kind: string): string => kinds?.find(({ id }) => id === kind)?.title ?? kind
  return (
    <>
      <PlainTable
        caption="Items, those that carried most tasks first"
        fixed
        rows={life.items}
        keyOf={({ ref }) => `${ref.kind} ${ref.id}`}
        columns={[
          {
            head: 'Item',
            cell: ({ ref, title }) => (
              <>
                <RowLink onClick={() => onOpen(ref)} className="block w-full">
                  {title}
                </RowLink>
                <span className="text-2xs text-muted">{titleOf(ref.kind)}</span>
              </>
            ),
          },
          {
            head: 'From its first task to its last',
            width: 'w-2/5',
            words: true,
            cell: (item) => <LifeLine item={item} tasks={life.tasks} />,
          },
          {
            head: 'Carried',
            width: 'w-20',
            words: true,
            cell: ({ carried, uses }) => `${carried} of ${uses.length}`,
          },
          {
            head: 'Now',
            width: 'w-28',
            words: true,
            cell: ({ standing, contradicted }) =>
              `${STANDINGS[standing]}${contradicted === null ? '' : ', contradicted'}`,
          },
        ]}
      />
      {life.more > 0 ? (
        <p className="text-xs text-muted">and {plural(life.more, 'item')} that carried no more than these</p>
      ) : null}
    </>
  )
}

/** Said instead of the drawing. */
function lifeWords({ learned, left, uses, contradicted }: ItemLife): string {
  const solved = uses.filter(({ reward }) => reward === 1).length
  return [
    `learned after ${plural(learned, 'task')}`,
    uses.length === 0
      ? 'never shown'
      : `shown from task ${(uses[0]?.at ?? 0) + 1} to ${(uses.at(-1)?.at ?? 0) + 1}, ${solved} of ${uses.length} solved`,
    ...(contradicted === null ? [] : [`contradicted after ${plural(contradicted, 'task')}`]),
    ...(left === null ? [] : [`gone after ${plural(left, 'task')}`]),
  ].join(', ')
}

const WIDTH = 400

/** An item's life on the line of all tasks: a tick where it was learned, a filled dot per task solved with it, a hollow one per task that failed. */
function LifeLine({ item, tasks }: { item: ItemLife; tasks: number }) {
  const x = (task: number): number => 4 + ((WIDTH - 8) * task) / Math.max(1, tasks)
  const end = item.left ?? tasks
  return (
    <svg
      role="img"
      aria-label={lifeWords(item)}
      viewBox={`0 0 ${WIDTH} 16`}
      preserveAspectRatio="none"
      className="block h-4 w-full"
    >
      <line x1={x(item.learned)} x2={x(end)} y1="8" y2="8" className="stroke-line" strokeWidth="2" />
      <line x1={x(item.learned)} x2={x(item.learned)} y1="2" y2="14" className="stroke-ink" strokeWidth="2" />
      {item.contradicted === null ? null : (
        <path
          d={`M${x(item.contradicted) - 3} 5 l6 6 m0 -6 l-6 6`}
          fill="none"
          className="stroke-danger"
          strokeWidth="1.5"
        />
      )}
      {item.uses.map(({ at, reward }) =>
        reward === 1 ? (
          <rect key={at} x={x(at) - 1} width="2" y="1" height="9" className="fill-solved" />
        ) : (
          <rect key={at} x={x(at) - 1} width="2" y="11" height="4" className="fill-failed" />
        ),
      )}
    </svg>
  )
}
