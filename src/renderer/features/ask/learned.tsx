import { Sparkles } from 'lucide-react'
import { useState } from 'react'
import type { AskInfo, AskVerdict } from '../../../shared/domain/ask'
import type { ItemRef } from '../../../shared/domain/item'
import { SmallFold } from '../../components/fold'
import { Button } from '../../components/button'
import { classNames } from '../../components/class-names'
import { ErrorNotice } from '../../components/error-notice'
import { plural } from '../../components/format'
import { useQuery } from '../../ground/use-query'
import { useUndo } from '../../ground/use-undo'
import { refusalOf } from '../../stores/error-shape'
import { useServices, useStored } from '../../stores/use-services'
import { Long } from './collapsible'

/** What the memory took from a judgement; each item can be struck out. */
export function Learned({ ask, judgement }: { ask: AskInfo; judgement: AskVerdict }) {
  const { learned, problem } = judgement
  if (problem) return <ErrorNotice problem={problem} />
  return (
    <section aria-label="What was learned" className="flex flex-col gap-2" aria-live="polite">
      <h3 className="flex items-center gap-1.5 font-medium">
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

/** Facts that the message asked to be remembered; each item can be struck out. */
export function RememberedFacts({ items, memoryId }: { items: readonly ItemRef[]; memoryId: string }) {
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
            {data.reward === null ? '' : data.reward > 0 ? ' · as solved' : ' · as failed'}
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
