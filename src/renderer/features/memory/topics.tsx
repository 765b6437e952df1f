import { Shapes, X, History } from '../../components/icons'
import { useEffect, useRef, useState } from 'react'
import type { ItemTopic } from '../../../shared/domain/item'
import { Button } from '../../components/button'
import { Dialog, DialogButton } from '../../components/dialog'
import { plural, formatWhen } from '../../components/format'
import { useQuery } from '../../ground/use-query'
import { useServices, useStored } from '../../stores/use-services'

/** Lists what is remembered about one topic. */
export function TopicFilter() {
  const { items } = useServices()
  const topic = useStored('items', ({ filters }) => filters.topic)
  const some = useStored('items', ({ counts }) => counts.some(({ live }) => live > 1))
  const { filter } = items.getState()
  if (!some && topic === null) return null
  return (
    <div className="flex flex-wrap items-center gap-2">
      <DialogButton
        size="small"
        look="quiet"
        icon={Shapes}
        dialog={(close) => <TopicsDialog onClose={close} />}
      >
        By topic…
      </DialogButton>
      {topic === null ? null : (
        <Button size="small" icon={X} onClick={() => filter({ topic: null, items: null })}>
          About {topic}
        </Button>
      )}
    </div>
  )
}

function TopicsDialog({ onClose }: { onClose(): void }) {
  const { client, items } = useServices()
  const memoryId = useStored('items', (state) => state.memoryId)
  const { data, unread } = useQuery(
    memoryId ?? '',
    memoryId === null ? null : () => client.items.topics({ memoryId }),
  )
  const choose = ({ title, items: refs }: ItemTopic) => {
    items.getState().filter({ topic: title, items: refs.slice(0, 2000), text: '', kind: null })
    onClose()
  }
  return (
    <Dialog
      onClose={onClose}
      title="What it is about"
      description="Items in use that are alike, with how often the attempts that were shown them were solved."
    >
      {data ? <Topics topics={data} onChoose={choose} /> : unread('the topics')}
    </Dialog>
  )
}

function Topics(props: { topics: readonly ItemTopic[]; onChoose(topic: ItemTopic): void }) {
  return (
    <ul aria-label="Topics" className="min-h-0 divide-y overflow-y-auto">
      {props.topics.map((topic, i) => (
        <li key={i}>
          <button
            type="button"
            onClick={() => props.onChoose(topic)}
            className="flex w-full flex-col gap-0.5 px-4 py-2 text-left hover:bg-hover"
          >
            <span className="flex items-baseline gap-2">
              <span className="min-w-0 flex-1 truncate">{topic.title}</span>
              <span className="text-sm text-muted">{plural(topic.items.length, 'item')}</span>
            </span>
            <span className="text-xs text-muted">
              {topic.judged === 0
                ? 'not recalled yet, or not judged with it'
                : `helped ${topic.helped} of ${topic.judged} times`}
              {topic.contradictions.length === 0
                ? ''
                : ` · ${plural(topic.contradictions.length, 'contradiction')}: “${topic.contradictions[0]?.title ?? ''}” is there as solved and as failed`}
            </span>
          </button>
        </li>
      ))}
    </ul>
  )
}

const STEPS = 200

/** The memory as it was: a slider from its first item to now. */
export function Timeline() {
  const { items } = useServices()
  const span = useStored('items', (state) => state.span)
  const at = useStored('items', ({ filters }) => filters.at)
  const [open, setOpen] = useState(false)
  const { filter } = items.getState()
  const place = useRef<HTMLDivElement>(null)
  // What is pressed is replaced by what it brings: the keyboard goes on there.
  const [pressed, setPressed] = useState(0)
  useEffect(() => {
    if (pressed > 0) place.current?.querySelector<HTMLElement>('input, button')?.focus()
  }, [pressed])
  if (!span || span.from === span.to) return null
  const [from, to] = [Date.parse(span.from), Date.parse(span.to)]
  if (!open && at === null)
    return (
      <div ref={place}>
        <Button
          size="small"
          look="quiet"
          icon={History}
          onClick={() => {
            setOpen(true)
            setPressed(pressed + 1)
          }}
        >
          As it was…
        </Button>
      </div>
    )
  const value = at === null ? STEPS : Math.round(((Date.parse(at) - from) / (to - from)) * STEPS)
  return (
    <div
      ref={place}
      className="flex w-full flex-wrap items-center gap-2 rounded-md bg-sunken px-2 py-1.5 text-sm"
    >
      <input
        type="range"
        aria-label="The memory as it was"
        aria-valuetext={at === null ? 'now' : formatWhen(at)}
        min={0}
        max={STEPS}
        value={value}
        onChange={(event) => {
          const next = Number(event.target.value)
          const time = new Date(from + ((to - from) * next) / STEPS).toISOString()
          filter({ at: next >= STEPS ? null : time })
        }}
        className="min-w-32 flex-1 accent-accent"
      />
      <span className="text-muted tabular-nums">{at === null ? 'Now' : formatWhen(at)}</span>
      <Button
        size="small"
        onClick={() => {
          setOpen(false)
          setPressed(pressed + 1)
          filter({ at: null })
        }}
      >
        Back to now
      </Button>
    </div>
  )
}
