import { z } from 'zod'
import { address, network, root, timeLimit } from '../options'

/** What it can be started with. */
export const options = z.strictObject({
  root: root('A folder to search.'),
  network,
  searxng: address({ title: 'Search engine', help: 'The SearXNG instance that web searches ask.' }),
  timeLimit,
})
export type SearchOptions = z.output<typeof options>
