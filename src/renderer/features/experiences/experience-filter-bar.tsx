import { useStore } from 'zustand'
import { optionsOf } from '../../components/options'
import { plural } from '../../components/format'
import { EncoderNote, SearchBy } from '../../ground/encoder'
import { FoundCount } from '../../ground/record-browser'
import { NumberBox } from '../../ground/number-field'
import { SearchField } from '../../ground/search-field'
import { Select } from '../../ground/select'
import { Term } from '../../components/term'
import { useServices } from '../../stores/use-services'
import { BOUNDS } from '../../../shared/domain/bounds'

const SHOWN = optionsOf({ live: 'In use', superseded: 'Replaced', trash: 'Trash' })

const ALL = ''

/** Search text, its mode and settings, and filters above the list. `/` focuses the search. */
export function ExperienceFilterBar() {
  const { experiences } = useServices()
  const list = useStore(experiences)
  const { filters, filter, stats } = list
  const searching = filters.text.trim() !== ''
  const optionsOf = (counts: Readonly<Record<string, number>> | undefined, all: string) => [
    { value: ALL, label: all },
    ...Object.entries(counts ?? {})
      .sort(([, a], [, b]) => b - a)
      .map(([value, count]) => ({ value, label: value, detail: plural(count, 'experience') })),
  ]
  return (
    <div className="flex flex-col gap-2 border-b px-3 pb-3">
      <SearchField
        label="Search experiences"
        placeholder={filters.show === 'live' ? 'What is the task?' : 'Only those in use can be searched'}
        value={filters.text}
        disabled={filters.show !== 'live'}
        onChange={(text) => filter({ text })}
      />
      {searching ? (
        <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
          <SearchBy
            value={filters.mode}
            more={[{ value: 'hybrid', label: 'Both' }]}
            onChange={(mode) => filter({ mode })}
          />
          {filters.mode === 'hybrid' ? (
            <label className="flex items-center gap-1.5 text-sm">
              <Term name="alpha" />
              <NumberBox
                label="Alpha, the weight of words"
                className="w-16"
                fraction
                value={filters.alpha}
                bounds={[0, 1]}
                onChange={(alpha) => filter({ alpha })}
              />
            </label>
          ) : null}
          <label className="flex items-center gap-1.5 text-sm">
            Best
            <NumberBox
              label="Number of results"
              className="w-16"
              value={filters.k}
              bounds={BOUNDS.results}
              onChange={(k) => filter({ k })}
            />
          </label>
        </div>
      ) : null}
      {searching && filters.mode !== 'text' ? <EncoderNote /> : null}
      <div className="grid grid-cols-[repeat(auto-fit,minmax(8rem,1fr))] gap-2">
        <Select
          label="Show"
          value={filters.show}
          options={SHOWN}
          onChange={(show) => filter(show === 'live' ? { show } : { show, text: '' })}
        />
        <Select
          label="Framework"
          value={filters.framework ?? ALL}
          options={optionsOf(stats?.byFramework, 'Any framework')}
          onChange={(value) => filter({ framework: value === ALL ? null : value })}
        />
        <Select
          label="Domain"
          value={filters.domain ?? ALL}
          options={optionsOf(stats?.byDomain, 'Any domain')}
          onChange={(value) => filter({ domain: value === ALL ? null : value })}
        />
      </div>
      <FoundCount list={list} one="experience" ranked={searching} />
    </div>
  )
}
