import { useState } from 'react'
import { useStore } from 'zustand'
import type { Study } from '../../../../shared/domain/experiment'
import { plural } from '../../../components/format'
import { FormDialog } from '../../../ground/form-dialog'
import { NumberFields, whole } from '../../../ground/number-fields'
import { TextField } from '../../../ground/text-field'
import { useServices } from '../../../stores/use-services'
import { readSeeds } from '../read-form'
import { useMethodNames } from '../use-method-names'
import { BOUNDS } from '../../../../shared/domain/bounds'

const ORDERS = [whole('orders', 'Orders of the tasks', null, BOUNDS.orders)]

const toggled = (list: readonly string[], one: string): string[] =>
  list.includes(one) ? list.filter((other) => other !== one) : [...list, one]

/** Which lives to play: methods, streams, worlds and orders of a suite. */
export function SuiteDialog({ definition, onClose }: { definition: Study; onClose(): void }) {
  const { experiments } = useServices()
  const names = useMethodNames(definition)
  const { suite } = definition
  const [worlds, setWorlds] = useState((suite?.worlds ?? []).join(', '))
  const [streams, setStreams] = useState<readonly string[]>(
    (suite?.streams ?? []).filter((kind) => !suite?.only[kind]),
  )
  const all = definition.methods.map((entry) => (typeof entry === 'string' ? entry : entry.name))
  const [methods, setMethods] = useState<readonly string[]>(all)
  const [numbers, setNumbers] = useState({ orders: suite?.orders ?? 1 })
  const busy = useStore(experiments, (state) => state.busy)
  if (!suite) return null
  const read = readSeeds(worlds)
  const gap =
    typeof read === 'string'
      ? read.replaceAll('seed', 'world')
      : streams.length === 0
        ? 'Choose at least one stream.'
        : methods.length === 0
          ? 'Choose at least one method.'
          : null
  const choices = definition.methods.filter((entry) =>
    methods.includes(typeof entry === 'string' ? entry : entry.name),
  )
  const start = async () => {
    if (typeof read === 'string') return null
    await experiments.getState().start({
      ...definition,
      methods: choices,
      suite: { streams: [...streams], worlds: read, orders: numbers.orders, only: {} },
    })
    return experiments.getState().commandProblem
  }
  const lives = typeof read === 'string' ? 0 : read.length * numbers.orders * streams.length * methods.length
  return (
    <FormDialog
      title={definition.name ?? 'The lifelong suite'}
      description="Methods through whole lifetimes: worlds that stay, mix, drift, return, mislead or keep silent. It can be stopped and resumed at any moment."
      className="w-[min(44rem,calc(100vw-32px))]!"
      submit={{ label: 'Start', busy: 'Starting…' }}
      ready={gap === null && busy === null}
      note={gap ?? plural(lives, 'life', 'lives')}
      onSubmit={start}
      onClose={onClose}
    >
      <div className="grid grid-cols-2 gap-3 max-[560px]:grid-cols-1">
        <TextField
          label="Worlds"
          hint="Numbers with commas between them; 1 to 999 are for tuning."
          value={worlds}
          onChange={setWorlds}
        />
        <NumberFields
          fields={ORDERS}
          values={numbers}
          onChange={(change) => setNumbers({ ...numbers, ...change })}
        />
      </div>
      <Choices
        legend="Streams"
        all={suite.streams}
        on={streams}
        onToggle={(one) => setStreams(toggled(streams, one))}
      />
      <Choices
        legend="Methods"
        all={all}
        on={methods}
        titleOf={(name) => names(name).title}
        onToggle={(one) => setMethods(toggled(methods, one))}
      />
    </FormDialog>
  )
}

function Choices(props: {
  legend: string
  all: readonly string[]
  on: readonly string[]
  titleOf?: (name: string) => string
  onToggle(name: string): void
}) {
  const { legend, all, on, titleOf = (name) => name, onToggle } = props
  return (
    <fieldset>
      <legend className="mb-1 text-sm font-medium">{legend}</legend>
      <div className="grid grid-cols-3 gap-x-3 gap-y-1 max-[560px]:grid-cols-2">
        {all.map((name) => (
          <label key={name} className="flex cursor-pointer items-center gap-2 text-sm">
            <input
              type="checkbox"
              checked={on.includes(name)}
              onChange={() => onToggle(name)}
              className="size-4 shrink-0 accent-accent"
            />
            <span className="min-w-0 truncate">{titleOf(name)}</span>
          </label>
        ))}
      </div>
    </fieldset>
  )
}
