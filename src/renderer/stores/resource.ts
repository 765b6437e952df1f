import { createStore, type StoreApi } from 'zustand/vanilla'
import type { LoamErrorShape } from '../../shared/errors'
import { errorShape } from './error-shape'

/** Something that is read from the host and shown: never read, being read, here, or not readable. */
export interface ResourceState<T> {
  /** The last good answer stays while a newer one is being read. */
  readonly data: T | null
  readonly status: 'idle' | 'loading' | 'ready' | 'failed'
  readonly problem: LoamErrorShape | null
  /** Reads it (again). Never rejects: a failure lands in `problem`. */
  reload(): Promise<void>
  /** Replaces what is held, after a call that answered with the new value. */
  set(data: T): void
}

export type Resource<T> = StoreApi<ResourceState<T>>

/** A store around one query. Answers that arrive out of order are dropped. */
export function createResource<T>(load: () => Promise<T>): Resource<T> {
  let latest = 0
  return createStore<ResourceState<T>>()((set) => ({
    data: null,
    status: 'idle',
    problem: null,
    async reload() {
      const mine = ++latest
      set({ status: 'loading' })
      try {
        const data = await load()
        if (mine === latest) set({ data, status: 'ready', problem: null })
      } catch (error) {
        if (mine === latest) set({ status: 'failed', problem: errorShape(error) })
      }
    },
    set(data) {
      latest += 1
      set({ data, status: 'ready', problem: null })
    },
  }))
}
