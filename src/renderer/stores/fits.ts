import { createStore, type StoreApi } from 'zustand/vanilla'
import type { ModelFit } from '../../shared/domain/model'
import type { LoamClient } from '../client-type'

export interface FitsState {
  /** By path; null for one that cannot be measured. */
  readonly byPath: Readonly<Record<string, ModelFit | null>>
  /** Has a model measured, after those that were asked for before; once each until `forget`. */
  ask(path: string): void
  /** What is free may be another amount now. */
  forget(): void
}

/** What models would take. Measured one after another: each is a header of megabytes for the engine to read. */
export function createFitsStore(client: LoamClient): StoreApi<FitsState> {
  let line = Promise.resolve()
  let askedSet = new Set<string>()
  return createStore<FitsState>()((set) => ({
    byPath: {},
    ask(path) {
      if (askedSet.has(path)) return
      askedSet.add(path)
      const round = askedSet
      line = line.then(async () => {
        if (round !== askedSet) return
        const fit = await client.models.fit({ path, contextSize: null }).catch(() => null)
        if (round === askedSet) set(({ byPath }) => ({ byPath: { ...byPath, [path]: fit } }))
      })
    },
    forget() {
      askedSet = new Set()
      set({ byPath: {} })
    },
  }))
}
