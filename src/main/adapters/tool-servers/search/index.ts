import { toolServer } from '../module'
import { options } from './options'

/** Search in folders, and on the web where that is turned on. */
export const search = toolServer({
  id: 'search',
  about: 'Full text over the allowed folders, and the web where it is on',
  files: { 'comet.md': 'The comet returns in 2061.\n' },
  tools: [
    {
      name: 'search_files',
      needs: 'reads files of the allowed folders',
      example: { args: { query: 'comet' }, answers: '### comet.md' },
      wrong: { query: '' },
    },
    {
      name: 'search_web',
      needs: 'sends the query to the search engine that is set up',
      example: { args: { query: 'comet' }, answers: 'Not available: the network is off.' },
      wrong: { query: 'comet', limit: 1000 },
    },
  ],
  options,
  forRun: ({ tools, network: on, folder, seconds }) => ({
    root: [folder, ...tools.folders],
    network: on,
    searxng: tools.searxng ?? '',
    timeLimit: seconds,
  }),
  open: async (given, version) => (await import('./server')).openSearchServer(given, version),
})
