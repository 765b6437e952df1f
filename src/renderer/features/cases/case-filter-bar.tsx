import { Search } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { useStore } from 'zustand'
import { plural } from '../../components/format'
import { Segmented } from '../../components/segmented'
import { Select } from '../../components/select'
import { useServices } from '../../stores/use-services'

const MODES = [
  { value: 'text', label: 'Words' },
  { value: 'semantic', label: 'Similar' },
] as const

const OUTCOMES = [
  { value: 'any', label: 'Solved and failed' },
  { value: 'solved', label: 'Solved only' },
  { value: 'failed', label: 'Failed only' },
] as const

/** Search words and filters above the list. `/` focuses the search. */
export function CaseFilterBar() {
  const { cases } = useServices()
  const filters = useStore(cases, (state) => state.filters)
  const total = useStore(cases, (state) => state.total)
  const ms = useStore(cases, (state) => state.ms)
  const ready = useStore(cases, (state) => state.status === 'ready')
  const { filter } = cases.getState()
  const search = useRef<HTMLInputElement>(null)
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== '/' || event.target instanceof HTMLInputElement) return
      event.preventDefault()
      search.current?.focus()
    }
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [])
  return (
    <div className="flex flex-col gap-2 border-b p-3">
      <div className="flex gap-2">
        <div className="relative min-w-0 flex-1">
          <Search size={14} aria-hidden className="absolute top-2.25 left-2.5 text-muted" />
          <input
            ref={search}
            type="search"
            aria-label="Search cases"
            placeholder="Search cases"
            value={filters.text}
            onChange={(event) => filter({ text: event.target.value })}
            className="h-8 w-full rounded-md border bg-surface pr-2 pl-8 placeholder:text-faint"
          />
        </div>
        <Segmented
          label="Search by"
          value={filters.mode}
          options={MODES}
          onChange={(mode) => filter({ mode })}
        />
      </div>
      <div className="flex items-center gap-3">
        <Select
          label="Outcome"
          className="w-44"
          value={filters.reward === null ? 'any' : filters.reward === 1 ? 'solved' : 'failed'}
          options={OUTCOMES}
          onChange={(value) => filter({ reward: value === 'any' ? null : value === 'solved' ? 1 : 0 })}
        />
        <label className="flex items-center gap-1.5 text-sm whitespace-nowrap">
          <input
            type="checkbox"
            checked={filters.includeDeleted}
            onChange={(event) => filter({ includeDeleted: event.target.checked })}
            className="size-3.5 accent-accent"
          />
          Deleted too
        </label>
      </div>
      <p role="status" className="text-xs text-muted">
        {ready ? `${plural(total, 'case')}, ${ms < 10 ? ms.toFixed(1) : Math.round(ms)} ms` : 'Searching…'}
      </p>
    </div>
  )
}
