import { useStore } from 'zustand'
import { optionsOf } from '../../components/options'
import { EncoderNote, SearchBy } from '../../ground/encoder'
import { FoundCount } from '../../ground/record-browser'
import { SearchField } from '../../ground/search-field'
import { Select } from '../../ground/select'
import { useServices } from '../../stores/use-services'

const OUTCOMES = optionsOf({ any: 'Any outcome', solved: 'Solved only', failed: 'Failed only' })

/** Search words and filters above the list. `/` focuses the search. */
export function CaseFilterBar() {
  const { cases } = useServices()
  const list = useStore(cases)
  const { filters, filter } = list
  return (
    <div className="flex flex-col gap-2 border-b px-3 pb-3">
      <SearchField label="Search cases" value={filters.text} onChange={(text) => filter({ text })} />
      <div className="flex gap-2">
        <SearchBy value={filters.mode} onChange={(mode) => filter({ mode })} />
        <Select
          label="Outcome"
          className="min-w-0 flex-1"
          value={filters.reward === null ? 'any' : filters.reward === 1 ? 'solved' : 'failed'}
          options={OUTCOMES}
          onChange={(value) => filter({ reward: value === 'any' ? null : value === 'solved' ? 1 : 0 })}
        />
      </div>
      {filters.mode === 'semantic' ? <EncoderNote /> : null}
      <div className="flex items-center gap-3 text-xs text-muted">
        <FoundCount list={list} one="case" />
        <label className="flex items-center gap-1.5 whitespace-nowrap">
          <input
            type="checkbox"
            checked={filters.includeDeleted}
            onChange={(event) => filter({ includeDeleted: event.target.checked })}
            className="size-3.5 accent-accent"
          />
          Deleted too
        </label>
      </div>
    </div>
  )
}
