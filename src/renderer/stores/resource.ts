import { createStore, type StoreApi } from 'zustand/vanilla'
import { createNewest, NOT_READ, readInto, type Reading } from './read-into'

/** Something that is read from the host and shown: never read, being read, here, or not readable. */
export interface ResourceState<T> extends Reading {
  /** The last good answer stays while a newer one is being read. */
  readonly data: T | null
  /** Reads it (again). Never rejects: a failure lands in `problem`. */
  reload(): Promise<void>
  /** Replaces what is held, after a call that answered with the new value. */
  set(data: T): void
}

export type Resource<T> = StoreApi<ResourceState<T>>

/** A store around one query. Answers that arrive out of order are dropped. */
export function createResource<T>(load: () => Promise<T>): Resource<T> {
  const newest = createNewest()
  return createStore<ResourceState<T>>()((set) => ({
    data: null,
    ...NOT_READ,
    reload: () => readInto(set, async () => ({ data: await load() }), newest()),
    set(data) {
      newest()
      set({ data, status: 'ready', problem: null })
    },
  }))
}
