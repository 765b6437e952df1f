import { Search } from '../../components/icons'
import { useState, type KeyboardEvent, type ReactNode } from 'react'
import { useStore } from 'zustand'
import type { CurveChoices } from '../../../shared/domain/curve'
import { Button } from '../../components/button'
import { formatShare, formatWhen, plural } from '../../components/format'
import { Segmented } from '../../components/segmented'
import { useServices } from '../../stores/use-services'
import { matching, titleIn } from './choices'

/** Rows shown before a person has to narrow the list down. */
const MOST_ROWS = 100

const STATUS_WORDS = {
  queued: 'waiting',
  running: 'running',
  paused: 'paused',
  done: '',
  failed: 'failed',
  cancelled: 'cancelled',
} as const

/** Which experiments and runs are drawn: a searchable list of check boxes; arrows move, Memory chooses. */
export function Chooser({ choices }: { choices: CurveChoices }) {
  const { curves, curveSelection, methods, streams } = useServices()
  const [text, setText] = useState('')
  const [kind, setKind] = useState<'all' | 'chosen'>('all')
  const selectionState = useStore(curveSelection)
  const methodList = useStore(methods, (state) => state.data)
  const streamList = useStore(streams, (state) => state.data)
  const match = matching(choices, text, methodList, streamList)
  const only = <T extends { id: string }>(items: readonly T[], ids: readonly string[]) =>
    kind === 'all' ? items : items.filter(({ id }) => ids.includes(id))
  const experiments = only(match.experiments, selectionState.experimentIds)
  const runs = only(match.runs, selectionState.runIds)
  const count = selectionState.experimentIds.length + selectionState.runIds.length
  const { select } = curveSelection.getState()
  const chooseFound = () =>
    select({
      experimentIds: [...new Set([...selectionState.experimentIds, ...experiments.map(({ id }) => id)])],
      runIds: [...new Set([...selectionState.runIds, ...runs.map(({ id }) => id)])],
    })
  return (
    <section aria-label="What to draw" className="flex h-full flex-col gap-3 p-4">
      <div className="relative shrink-0">
        <Search size={14} aria-hidden className="absolute top-2.25 left-2.5 text-muted" />
        <input
          type="search"
          aria-label="Search experiments and runs"
          placeholder="Search"
          value={text}
          onChange={(event) => setText(event.target.value)}
          className="h-8 w-full rounded-md border bg-surface pr-2 pl-8 placeholder:text-faint"
        />
      </div>
      <div className="flex shrink-0 items-center justify-between">
        <Segmented<'all' | 'chosen'>
          label="Show"
          value={kind}
          options={[
            { value: 'all', label: 'All' },
            { value: 'chosen', label: `Chosen ${count}` },
          ]}
          onChange={setKind}
        />
      </div>
      <div data-list className="-mx-2 min-h-0 flex-1 overflow-y-auto" onKeyDown={moveFocus}>
        <Group title="Experiments" count={experiments.length} total={choices.experiments.length}>
          {experiments.slice(0, MOST_ROWS).map((item) => (
            <Row
              key={item.id}
              title={item.name}
              detail={[
                titleIn(streamList, item.stream),
                plural(item.methods.length, 'method'),
                plural(item.seeds, 'seed'),
                STATUS_WORDS[item.status],
              ]}
              when={item.createdAt}
              checked={selectionState.experimentIds.includes(item.id)}
              onChange={() => curves.getState().toggle('experimentIds', item.id)}
            />
          ))}
        </Group>
        <Group title="Single runs" count={runs.length} total={choices.runs.length}>
          {runs.slice(0, MOST_ROWS).map((item) => (
            <Row
              key={item.id}
              title={titleIn(methodList, item.method)}
              detail={[
                titleIn(streamList, item.stream),
                `seed ${item.seed}`,
                item.exp === null ? '' : `K ${item.exp}`,
                item.done > 0
                  ? `${formatShare(item.solved / item.done)} of ${item.done}`
                  : 'nothing finished',
                STATUS_WORDS[item.status],
              ]}
              when={item.createdAt}
              checked={selectionState.runIds.includes(item.id)}
              onChange={() => curves.getState().toggle('runIds', item.id)}
            />
          ))}
        </Group>
        {Math.max(experiments.length, runs.length) > MOST_ROWS ? (
          <p className="px-2 text-xs text-muted">
            The newest {MOST_ROWS} of each are listed. Search to find others.
          </p>
        ) : null}
      </div>
      <div className="flex shrink-0 gap-2">
        <Button size="small" disabled={experiments.length + runs.length === 0} onClick={chooseFound}>
          {text.trim() === '' ? 'Choose all' : 'Choose found'}
        </Button>
        <Button
          size="small"
          look="quiet"
          disabled={count === 0}
          onClick={() => select({ experimentIds: [], runIds: [] })}
        >
          Clear
        </Button>
      </div>
    </section>
  )
}

function Group(props: { title: string; count: number; total: number; children: ReactNode }) {
  return (
    <fieldset className="mb-3 min-w-0">
      <legend className="px-2 pb-1 text-xs font-medium text-muted">
        {props.title} <span className="font-normal">({props.count})</span>
      </legend>
      {props.count > 0 ? (
        props.children
      ) : (
        <p className="px-2 text-sm text-muted">{props.total === 0 ? 'None yet.' : 'None found.'}</p>
      )}
    </fieldset>
  )
}

function Row(props: {
  title: string
  detail: readonly string[]
  when: string
  checked: boolean
  onChange(): void
}) {
  return (
    <label className="flex cursor-pointer gap-2.5 rounded-md px-2 py-1.5 hover:bg-hover">
      <input
        type="checkbox"
        checked={props.checked}
        onChange={props.onChange}
        className="mt-0.75 size-3.5 shrink-0 accent-(--accent)"
      />
      <span className="min-w-0 flex-1">
        <span className="block truncate">{props.title}</span>
        <span className="block truncate text-xs text-muted">{props.detail.filter(Boolean).join(' · ')}</span>
        <span className="block truncate text-xs text-faint">{formatWhen(props.when)}</span>
      </span>
    </label>
  )
}

/** Up and down go through the check boxes. */
function moveFocus(event: KeyboardEvent<HTMLElement>) {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
  if (!step) return
  event.preventDefault()
  const boxes = [...event.currentTarget.querySelectorAll<HTMLInputElement>('input[type=checkbox]')]
  const at = boxes.findIndex((box) => box === document.activeElement)
  boxes[Math.max(0, Math.min(boxes.length - 1, at + step))]?.focus()
}
