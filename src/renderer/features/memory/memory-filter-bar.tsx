import { classNames } from '../../components/class-names'
import { formatCount } from '../../components/format'
import { Term } from '../../components/term'
import { EmbedderNote, SearchBy } from '../../ground/embedder'
import type { MenuChoice } from '../../ground/menu'
import { NumberBox } from '../../ground/number-field'
import { FoundCount } from '../../ground/record-browser'
import { SearchField } from '../../ground/search-field'
import { Select } from '../../ground/select'
import { titleOfEnvironment } from '../../ground/task-choice/environment-name'
import type { ItemFilters } from '../../stores/items'
import { useServices, useStored } from '../../stores/use-services'
import { BulkBar } from './bulk-bar'
import { Timeline, TopicFilter } from './topics'

const SORTS = [
  { value: 'newest', label: 'Newest first' },
  { value: 'oldest', label: 'Oldest first' },
  { value: 'recalled', label: 'Most recalled' },
  {
    value: 'helped',
    label: 'Helped most',
    detail: 'By the share of judged attempts that solved their task.',
  },
] as const satisfies readonly { value: ItemFilters['sort']; label: string; detail?: string }[]

/** What is listed, in one choice: in use or not, and how it is marked. */
const SHOWN = [
  { value: 'live', label: 'In use', state: 'live', mark: null },
  { value: 'pinned', label: 'Pinned', state: 'live', mark: 'pinned' },
  { value: 'muted', label: 'Muted', state: 'live', mark: 'muted' },
  {
    value: 'gone',
    label: 'Not in use',
    state: 'gone',
    mark: null,
    detail: 'Deleted, replaced, in quarantine, or left.',
  },
  {
    value: 'waiting',
    label: 'In quarantine',
    state: 'waiting',
    mark: null,
    detail:
      'Nobody you know vouches for it, or it was read from your chats. It is recalled once you take it out.',
  },
] as const

const ANY = ''

/** Chooses one value, or any of them, which is null. */
function AnySelect(props: {
  label: string
  /** Default: any of what the label says. */
  any?: string
  value: string | null
  options: readonly MenuChoice<string>[]
  onChange(value: string | null): void
}) {
  const { label, any = `Any ${label.toLowerCase()}`, value, options, onChange } = props
  return (
    <Select
      label={label}
      value={value ?? ANY}
      options={[{ value: ANY, label: any }, ...options]}
      onChange={(choice) => onChange(choice === ANY ? null : choice)}
    />
  )
}

/** Kinds, search words and filters above the list. `/` focuses the search. */
export function MemoryFilterBar() {
  const titles = useStored('environments', ({ data }) => data)
  const list = useStored('items')
  const { filters, filter, environments, tags, facets } = list
  const searching = filters.text.trim() !== ''
  const view = SHOWN.find(({ state, mark }) => state === filters.state && mark === filters.mark) ?? SHOWN[0]
  return (
    <div className="flex flex-col gap-2 border-b px-3 pb-3">
      <Kinds />
      <SearchField label="Search the memory" value={filters.text} onChange={(text) => filter({ text })} />
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
        </div>
      ) : null}
      {searching && filters.mode !== 'text' ? <EmbedderNote /> : null}
      <div className="grid grid-cols-[repeat(auto-fit,minmax(8rem,1fr))] gap-2">
        <Select
          label="Show"
          value={view.value}
          options={SHOWN}
          onChange={(value) => {
            const choice = SHOWN.find((one) => one.value === value)
            if (choice) filter({ state: choice.state, mark: choice.mark })
          }}
        />
        <Select
          label="Order"
          value={filters.sort}
          options={SORTS}
          disabled={searching}
          onChange={(sort) => filter({ sort })}
        />
        {environments.length > 1 ? (
          <AnySelect
            label="Environment"
            any="Anywhere"
            value={filters.environment}
            options={environments.map((value) => ({ value, label: titleOfEnvironment(value, titles) }))}
            onChange={(environment) => filter({ environment })}
          />
        ) : null}
        {facets.map(({ key, label, values }) =>
          values.length > 1 || (filters.where[key] ?? []).length > 0 ? (
            <AnySelect
              key={key}
              label={label}
              value={filters.where[key]?.[0] ?? null}
              options={values.map(({ value, items }) => ({ value, label: value, aside: formatCount(items) }))}
              onChange={(value) =>
                filter({ where: { ...filters.where, [key]: value === null ? [] : [value] } })
              }
            />
          ) : null,
        )}
        {tags.length > 0 || filters.tag !== null ? (
          <AnySelect
            label="Tag"
            value={filters.tag}
            options={tags.map(({ tag, items }) => ({
              value: tag,
              label: `#${tag}`,
              aside: formatCount(items),
            }))}
            onChange={(tag) => filter({ tag })}
          />
        ) : null}
      </div>
      <div className="-ml-1 flex flex-wrap items-center gap-x-1 gap-y-2">
        <TopicFilter />
        <Timeline />
        <BulkBar />
      </div>
      <FoundCount list={list} one="item" ranked={searching} />
    </div>
  )
}

/** Every kind with how many there are; one of them, or all. */
function Kinds() {
  const { items } = useServices()
  const kinds = useStored('memoryKinds', (state) => state.data) ?? []
  const counts = useStored('items', (state) => state.counts)
  const { kind: choice, state } = useStored('items', ({ filters }) => filters)
  const countOf = (id: string) =>
    counts.find(({ kind }) => kind === id)?.[state === 'gone' ? 'gone' : 'live'] ?? 0
  const all = kinds.reduce((sum, { id }) => sum + countOf(id), 0)
  return (
    <div role="group" aria-label="Kinds" className="flex flex-wrap gap-1">
      {[{ id: null, titleMany: 'All', help: 'Everything the memory remembers.' }, ...kinds].map(
        ({ id, titleMany, help }) => {
          const count = id === null ? all : countOf(id)
          // A method fills one or two of the kinds; the others would only stand in the way.
          if (count === 0 && id !== null && id !== choice) return null
          return (
            <button
              key={id ?? 'all'}
              type="button"
              title={help}
              aria-pressed={choice === id}
              onClick={() => items.getState().filter({ kind: id, where: {} })}
              className={classNames(
                'flex h-7 items-center gap-1.5 rounded-md border px-2 text-sm whitespace-nowrap transition-colors duration-100',
                choice === id
                  ? 'border-accent bg-accent-soft font-medium text-accent'
                  : 'border-line bg-surface hover:bg-hover',
              )}
            >
              {titleMany}
              <span className={choice === id ? undefined : 'text-muted'}>{formatCount(count)}</span>
            </button>
          )
        },
      )}
    </div>
  )
}
