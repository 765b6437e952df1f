import { createStore } from 'zustand/vanilla'
import type { LoamErrorShape } from '../../shared/errors'

/** Where the connection to the host stands. */
export type ConnectionState =
  | { readonly status: 'connecting' }
  | { readonly status: 'connected' }
  /** Lost; attempt `attempt` (from 1) follows at `retryAt` (ms since 1970). */
  | { readonly status: 'waiting'; readonly attempt: number; readonly retryAt: number }
  /** The host does not let this page in; trying again would not help. */
  | { readonly status: 'refused'; readonly problem: LoamErrorShape }

/** The connection as a store: `getState`, `subscribe`, or `useStore(connection)` in a component. */
export const createConnectionStore = () => createStore<ConnectionState>(() => ({ status: 'connecting' }))

export type ConnectionStore = ReturnType<typeof createConnectionStore>
