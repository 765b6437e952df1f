import { servedProviders } from '../providers'

/** How models of servers are named. */
export const PROVIDER_WORDS = servedProviders()
  .map(({ id }) => `${id}:NAME@URL or ${id}:NAME@SERVER`)
  .join(', ')
