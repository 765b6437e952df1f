import { valueScale, type TdSettings } from './deep-q'
import { tdTarget } from './policy'
import type { PooledCase } from './pool'
import type { Traits } from './relations'
import type { Saved } from './saved'
import { trustIn, type CaseSelector, type SelectorInput } from './selector'
import { runningMean } from './running-mean'

export interface TabularSettings extends Pick<TdSettings, 'alpha' | 'gamma' | 'nextCases' | 'acrossTasks'> {
  /** Learning rate eta. */
  readonly rate: number
  /** Updates of an entry after which similarity and its Q count the same. */
  readonly coldStart: number
}

interface Entry {
  q: number
  updates: number
}

/**
 * Tabular soft Q-learning (Memento table 7): one entry per state and case, read by exact match and updated by eq. 8. What was never
 * tried together has no entry, so this only helps where tasks come back; it is the reference for the others.
 */
export function tabularSelector({ pool, saved }: SelectorInput, settings: TabularSettings): CaseSelector {
  const { alpha, gamma, nextCases, rate, coldStart } = settings
  const scale = valueScale(settings)
  const table = new Map<string, Entry>()
  restore(table, saved)
  const usual = runningMean(saved)
  const words = new WeakMap<Traits, string>()

  /** States are the same when they have the same words. */
  function keyOf(state: Traits): string {
    const recordText = words.get(state) ?? state.words.join(' ')
    words.set(state, recordText)
    return recordText
  }
  /** Every state is filed under the first place that has it. */
  const filed = new Map<string, number>()
  let seenCount = 0
  function find(state: Traits, knownCase: PooledCase): string | null {
    for (; seenCount < pool.states; seenCount++) {
      const key = keyOf(pool.state(seenCount))
      if (!filed.has(key)) filed.set(key, seenCount)
    }
    const first = filed.get(keyOf(state))
    return first === undefined ? null : `${first} ${knownCase.index}`
  }
  const entryOf = (state: Traits, knownCase: PooledCase): Entry | undefined =>
    table.get(find(state, knownCase) ?? '')

  return {
    alpha,
    nextCases: gamma > 0 ? nextCases : 0,
    acrossTasks: settings.acrossTasks,
    readsPlans: false,
    estimator: (state) => (knownCase) => {
      const entry = entryOf(state, knownCase)
      if (!entry) return { value: 0, weight: 0 }
      return usual.estimate(state, knownCase, scale * entry.q, trustIn(entry.updates, coldStart))
    },
    learn(transitions) {
      for (const { state, case: chosenCount, reward, next } of transitions) {
        const key = find(pool.state(state), pool.at(chosenCount))
        if (key === null) continue
        const values = (next?.cases ?? []).flatMap((at) => {
          const entry = entryOf(pool.state(next?.state ?? 0), pool.at(at))
          return entry ? [entry.q] : []
        })
        const entry = table.get(key) ?? { q: 0, updates: 0 }
        entry.q += rate * (tdTarget(reward, gamma, alpha, values) - entry.q)
        entry.updates++
        usual.add(scale * entry.q)
        table.set(key, entry)
      }
    },
    save() {
      const entries = [...table]
      return {
        ...usual.save(),
        keys: Int32Array.from(entries.flatMap(([key]) => key.split(' ').map(Number))),
        values: Float64Array.from(entries.flatMap(([, { q, updates }]) => [q, updates])),
      }
    },
  }
}

function restore(table: Map<string, Entry>, saved: Saved | undefined): void {
  const keys = saved?.['keys'] ?? []
  const values = saved?.['values'] ?? []
  for (let i = 0; i < keys.length; i += 2)
    table.set(`${keys[i]} ${keys[i + 1]}`, { q: values[i] ?? 0, updates: values[i + 1] ?? 0 })
}
