import type { StoreApi } from 'zustand/vanilla'
import type { LoamErrorShape } from '../../shared/errors'
import { errorShape } from './error-shape'

/** How the reading of a store stands. */
export interface Reading {
  readonly status: 'idle' | 'loading' | 'ready' | 'failed'
  /** Why it could not be read the last time. */
  readonly problem: LoamErrorShape | null
}

/** Nothing was read yet. */
export const NOT_READ = { status: 'idle', problem: null } as const

/**
 * Reads something into a store, which says the first time that it is being read, and afterwards whether it is there. Never rejects.
 * What comes when `isNewest` no longer holds is dropped.
 */
export async function readInto<S extends Reading>(
  set: StoreApi<S>['setState'],
  read: () => Promise<Omit<Partial<S>, keyof Reading>>,
  isNewest: () => boolean = () => true,
): Promise<void> {
  const put = (reading: Reading, match: object = {}) => set({ ...match, ...reading } as Partial<S>)
  // What is there stays there while it is read again.
  set((state) => (state.status === 'ready' ? state : ({ status: 'loading' } as Partial<S>)))
  try {
    const match = await read()
    if (isNewest()) put({ status: 'ready', problem: null }, match)
  } catch (error) {
    if (isNewest()) put({ status: 'failed', problem: errorShape(error) })
  }
}

/** Whether an answer is still the newest: call it when asking, and what it returns when the answer is there. */
export function createNewest(): () => () => boolean {
  let latest = 0
  return () => {
    const mine = ++latest
    return () => mine === latest
  }
}
