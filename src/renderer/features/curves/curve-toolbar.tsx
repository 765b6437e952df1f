import { useId } from 'react'
import { useStore } from 'zustand'
import { AUTO_BASELINE, type CurveAxis, type CurveMeasure } from '../../../shared/domain/curve'
import { stepsInAverage } from '../../../shared/figures/smoothing'
import { optionsOf } from '../../components/options'
import { Segmented } from '../../components/segmented'
import { Select } from '../../ground/select'
import { Switch } from '../../components/switch'
import { useServices } from '../../stores/use-services'
import type { Series } from './series'
import { AXES, isSmoothed, MEASURES } from './words'

const NO_BASELINE = 'none'

const LINES = optionsOf({ mean: 'Mean over seeds', pooled: 'Over streams too', runs: 'Each run' })

const PANELS = optionsOf({
  one: 'One chart',
  method: 'One per method',
  stream: 'One per stream',
  model: 'One per model',
})

const keysOf = <K extends string>(record: Readonly<Record<K, unknown>>) => Object.keys(record) as K[]

/** How the chosen curves are drawn. Everything here is kept until it is changed again. */
export function CurveToolbar({ series, joinable }: { series: readonly Series[]; joinable: boolean }) {
  const { curves } = useServices()
  const controls = useStore(curves, (state) => state.controls)
  const { change } = curves.getState()
  const baselineOptions = [
    {
      value: AUTO_BASELINE,
      label: 'Their own',
      detail: 'What each experiment names; for single runs, no memory',
    },
    { value: NO_BASELINE, label: 'None' },
    ...series.map(({ key, label, detail }) => ({ value: key, label, detail })),
  ]
  return (
    <div role="toolbar" aria-label="How to draw" className="flex flex-wrap items-center gap-x-4 gap-y-2">
      <Select<CurveMeasure>
        label="Measure"
        value={controls.measure}
        options={keysOf(MEASURES).map((value) => ({
          value,
          label: MEASURES[value].title,
          detail: MEASURES[value].detail,
        }))}
        onChange={(measure) => change({ measure })}
        className="w-44"
      />
      <Segmented<CurveAxis>
        label="Along the axis"
        value={controls.axis}
        options={keysOf(AXES).map((value) => ({ value, label: `By ${AXES[value].title.toLowerCase()}` }))}
        onChange={(axis) => change({ axis })}
      />
      <Segmented
        label="Lines"
        value={controls.lines}
        options={LINES}
        onChange={(lines) => change({ lines })}
      />
      <Select
        label="Charts"
        value={controls.panels}
        options={PANELS}
        onChange={(panels) => change({ panels })}
        className="w-40"
      />
      <Smoothing
        value={controls.smoothing}
        disabled={!isSmoothed(controls.measure)}
        onChange={(smoothing) => change({ smoothing })}
      />
      <span className="flex items-center gap-2">
        <span className="text-sm">Baseline</span>
        <Select
          label="Baseline"
          value={controls.baseline ?? NO_BASELINE}
          options={baselineOptions}
          placeholder="Not chosen here"
          onChange={(baseline) => change({ baseline: baseline === NO_BASELINE ? null : baseline })}
          className="w-40"
        />
      </span>
      <Toggle
        label="Differences"
        checked={controls.difference}
        onChange={(difference) => change({ difference })}
      />
      <Toggle label="Points" checked={controls.points} onChange={(points) => change({ points })} />
      {joinable || controls.join ? (
        <Toggle label="Join runs of a memory" checked={controls.join} onChange={(join) => change({ join })} />
      ) : null}
    </div>
  )
}

function Toggle(props: { label: string; checked: boolean; onChange(isChecked: boolean): void }) {
  const id = useId()
  return (
    <span className="flex items-center gap-2">
      <Switch id={id} label={props.label} checked={props.checked} onChange={props.onChange} />
      <label htmlFor={id} className="text-sm">
        {props.label}
      </label>
    </span>
  )
}

/** Steps of the slider: finer where it matters, near 1. */
const WEIGHTS = [0, 0.3, 0.5, 0.7, 0.8, 0.85, 0.9, 0.93, 0.95, 0.97, 0.98, 0.99] as const

function Smoothing(props: { value: number; disabled: boolean; onChange(value: number): void }) {
  const id = useId()
  const at = WEIGHTS.findLastIndex((weight) => weight <= props.value + 1e-9)
  return (
    <span className="flex items-center gap-2">
      <label htmlFor={id} className="text-sm">
        Smoothing
      </label>
      <input
        id={id}
        type="range"
        min={0}
        max={WEIGHTS.length - 1}
        step={1}
        value={at}
        disabled={props.disabled}
        aria-valuetext={spanWords(props.value)}
        onChange={(event) => props.onChange(WEIGHTS[Number(event.target.value)] ?? 0)}
        className="w-28 accent-(--accent) disabled:opacity-40"
      />
      <span className="w-24 text-xs whitespace-nowrap text-muted">
        {props.disabled ? 'not used' : spanWords(props.value)}
      </span>
    </span>
  )
}

/** How far back the average looks: 1 / (1 - weight) tasks. */
function spanWords(weight: number): string {
  const tasks = stepsInAverage(weight)
  return tasks <= 1 ? 'none' : `about ${tasks} tasks`
}
