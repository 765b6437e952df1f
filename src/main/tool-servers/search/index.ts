import { toolServer, toolThat, wordsMatch } from '../module'
import { options } from './options'

const reads = toolThat('reads files of the allowed folders')
const asks = toolThat('sends the query to the search engine that is set up')

/** Search in folders, and on the web where that is turned on. */
export const search = toolServer({
  id: 'search',
  about: 'Full text over the allowed folders, and the web where it is on',
  files: { 'comet.md': 'The comet returns in 2061.\n' },
  isNeeded: wordsMatch(
    /\b(?:search|look|google|find)\b.{0,60}\b(?:web|internet|online)\b/i,
    /\bsearch for\b/i,
  ),
  tools: [
    reads('search_files', { query: 'comet' }, '### comet.md', { query: '' }),
    asks('search_web', { query: 'comet' }, 'Not available: the network is off.', {
      query: 'comet',
      limit: 1000,
    }),
  ],
  options,
  forRun: ({ tools, network: on, folder, seconds }) => ({
    root: [folder, ...tools.folders],
    network: on,
    searxng: tools.searxng ?? '',
    timeLimit: seconds,
  }),
  open: async (input, version) => (await import('./server')).openSearchServer(input, version),
})
