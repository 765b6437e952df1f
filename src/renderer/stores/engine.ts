import { createStore, type StoreApi } from 'zustand/vanilla'
import type { EngineState } from '../../shared/domain/model'
import type { LoamClient } from '../client-type'
import { followFeed } from './feed'

export interface EngineStoreState {
  /** Null until the host has told. */
  readonly engine: EngineState | null
  follow(): () => void
}

export type EngineStore = StoreApi<EngineStoreState>

/** What the model engine is doing, live. */
export function createEngineStore(client: LoamClient): EngineStore {
  return createStore<EngineStoreState>()((set) => ({
    engine: null,
    follow: () =>
      followFeed<EngineState, EngineState>({
        open: (since, signal) => client.engine.watch({ since }, { signal }),
        onSnapshot: (engine) => set({ engine }),
        onDeltas: (states) => set({ engine: states.at(-1) ?? null }),
      }),
  }))
}
