import { createContext, useContext } from 'react'
import type { Services } from './services'

export const ServicesContext = createContext<Services | null>(null)

/** The stores and the client, for components. Throws outside the app: that is a bug. */
export function useServices(): Services {
  const services = useContext(ServicesContext)
  if (!services) throw new Error('useServices needs ServicesContext above it')
  return services
}
