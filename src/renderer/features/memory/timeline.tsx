import { History } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { useStore } from 'zustand'
import { Button } from '../../components/button'
import { formatWhen } from '../../components/format'
import { useServices } from '../../stores/use-services'

const STEPS = 200

/** The memory as it was: a slider from its first item to now. */
export function Timeline() {
  const { items } = useServices()
  const span = useStore(items, (state) => state.span)
  const at = useStore(items, ({ filters }) => filters.at)
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
