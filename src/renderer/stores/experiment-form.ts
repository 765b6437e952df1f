import { combine } from 'zustand/middleware'
import { createStore } from 'zustand/vanilla'
import { BASELINE, type Study, type StartingExperiences } from '../../shared/domain/experiment'
import type { SettingChanges } from '../../shared/domain/setting'

/** A method under a name of its own with changed settings, while it is being written. */
export interface VariantDraft {
  /** Stays the same while name and method change. */
  readonly id: number
  readonly name: string
  readonly method: string
  readonly settings: SettingChanges
  /** As a definition has it: fills in what is left out. Absent, as what follows: none of its own. */
  readonly preset?: string
  /** The preset that is looked at. Absent: none but one that was taken over. */
  readonly presetChoice?: string
  readonly k?: number
  readonly temperature?: number
  readonly maxTokens?: number
  readonly contextSize?: number
  /** Which experiences it starts with. Absent: none. */
  readonly experiences?: StartingExperiences
}

/** What differs between repetitions: where chance begins, the world that tasks are of, or their order. */
export type Repeated = 'seeds' | 'worlds' | 'orders'

/** An experiment as a person composes it. */
export interface ExperimentForm {
  /** Empty: named after its methods and stream. */
  readonly name: string
  /** Null takes the demo stream, or the first one. */
  readonly stream: string | null
  /** Ids of the ticked methods. */
  readonly methods: readonly string[]
  readonly variants: readonly VariantDraft[]
  /** What differs between repetitions; null: worlds where the stream is made of one, else seeds. */
  readonly vary: Repeated | null
  /** As typed: whole numbers and ranges with commas between them. */
  readonly seeds: string
  /** The same, of worlds. */
  readonly worlds: string
  /** Orders of the tasks of a world. */
  readonly orders: number
  /** Empty: each method's own default. */
  readonly exp: readonly number[]
  /** Null takes the demo model, or the first one. */
  readonly model: string | null
  /** Id of the memory whose experiences variants start with; null until one is chosen. */
  readonly experiences: string | null
  /** Null takes all tasks of the stream. */
  readonly tasks: number | null
  /** Name of a method or variant; null compares with none. */
  readonly baseline: string | null
  readonly temperature: number
  readonly maxTokens: number
  /** Null: what the model was trained for, at most 8192. */
  readonly contextSize: number | null
  readonly inFlight: number
  readonly iterations: number
  readonly passes: number
  /** Null: as the first attempts. */
  readonly againTemperature: number | null
  readonly retest: number
  /** The last tasks, which only test; 0: none. */
  readonly test: number
  /** Skills that are held out, as a definition names them. */
  readonly heldOut: readonly string[]
  /** Whether the settings that most experiments leave alone are shown. */
  readonly more: boolean
}

/** Nothing chosen; 3 seeds, so that there is an interval. */
const EMPTY: ExperimentForm = {
  name: '',
  stream: null,
  methods: [],
  variants: [],
  vary: null,
  seeds: '1, 2, 3',
  worlds: '1001, 1002, 1003',
  orders: 3,
  exp: [4],
  model: null,
  experiences: null,
  tasks: null,
  baseline: BASELINE,
  temperature: 0.2,
  maxTokens: 512,
  contextSize: null,
  inFlight: 1,
  iterations: 1,
  passes: 1,
  againTemperature: null,
  retest: 0,
  test: 0,
  heldOut: [],
  more: false,
}

/** What the person has composed so far. Survives changing screens. */
export function createExperimentFormStore() {
  let lastId = 0
  let suggested: readonly string[] = []
  return createStore(
    combine(EMPTY, (set) => ({
      change: (change: Partial<ExperimentForm>) => set(change),
      /** Ticks a method, or takes the tick away. */
      toggleMethod: (id: string) => set(({ methods }) => ({ methods: toggled(methods, id) })),
      toggleExp: (value: number) => set(({ exp }) => ({ exp: toggled(exp, value).sort((a, b) => a - b) })),
      addVariant(method: string) {
        lastId += 1
        const id = lastId
        set(({ variants }) => {
          const names = new Set(variants.map(({ name }) => name))
          let number = 2
          while (names.has(`${method}-${number}`)) number += 1
          const name = `${method}-${number}`
          return { variants: [...variants, { id, name, method, settings: {} }] }
        })
      },
      changeVariant: (id: number, change: Partial<Omit<VariantDraft, 'id'>>) =>
        set(({ variants }) => ({
          variants: variants.map((variant) => (variant.id === id ? { ...variant, ...change } : variant)),
        })),
      removeVariant: (id: number) =>
        set(({ variants }) => ({ variants: variants.filter((variant) => variant.id !== id) })),
      /** Takes over a definition from a file or an earlier experiment. */
      load(definition: Study) {
        const variants = definition.methods.flatMap((entry) => {
          if (typeof entry === 'string') return []
          const { experiences, ...variant } = entry
          return [{ ...variant, id: ++lastId, ...(experiences && { experiences }) }]
        })
        const { settings, protocol, ...rest } = definition
        set({
          ...rest,
          ...settings,
          ...protocol,
          againTemperature: protocol.againTemperature ?? null,
          test: protocol.test ?? 0,
          heldOut: protocol.heldOut ?? [],
          name: definition.name ?? '',
          experiences: definition.experiences ?? null,
          methods: definition.methods.filter((entry) => typeof entry === 'string'),
          variants,
          more: variants.length > 0,
          seeds: definition.seeds.join(', '),
        })
      },
      /** Ticks what is suggested for a first experiment, until a person ticks something else. */
      suggest(methods: readonly string[]) {
        const before = suggested
        suggested = methods
        set((state) => (state.methods === before || state.methods === EMPTY.methods ? { methods } : state))
      },
      /** Back to the defaults. */
      clear: () => set({ ...EMPTY, methods: suggested }),
    })),
  )
}

/** The values with one more, or without it where it is among them. */
export function toggled<T>(values: readonly T[], value: T): T[] {
  return values.includes(value) ? values.filter((other) => other !== value) : [...values, value]
}
