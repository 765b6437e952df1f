import { createContext, useContext } from 'react'
import { useStore, type StoreApi } from 'zustand'
import type { Stores } from './all-stores'
import type { Services } from './services'

export const ServicesContext = createContext<Services | null>(null)

/** The stores and the client, for components. Throws outside the app: that is a bug. */
export function useServices(): Services {
  const services = useContext(ServicesContext)
  if (!services) throw new Error('useServices needs ServicesContext above it')
  return services
}

type StateOf<K extends keyof Stores> = ReturnType<Stores[K]['getState']>

/** What `pick` takes of the state of a store, by default all of it; the component is drawn again when that changes. */
export function useStored<K extends keyof Stores, T = StateOf<K>>(
  name: K,
  pick: (state: StateOf<K>) => T = (state) => state as unknown as T,
): T {
  // Each store by its own name; TypeScript sees but the union of all.
  return useStore(useServices()[name] as unknown as StoreApi<StateOf<K>>, pick)
}
