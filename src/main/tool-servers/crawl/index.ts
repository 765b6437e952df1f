import { toolServer, toolThat, wordsMatch } from '../module'
import { options } from './options'

const opens = toolThat('opens the address that is named')

/** The readable text of a page. Nothing is fetched unless the network is on. */
export const crawl = toolServer({
  id: 'crawl',
  title: 'Web pages',
  about: 'The readable text of a page, while the network is on',
  isNeeded: wordsMatch(/\bhttps?:\/\/\S/i),
  tools: [
    opens('read_page', { url: 'https://example.org/' }, 'Not available: the network is off.', {
      url: 'not an address',
    }),
  ],
  options,
  forRun: ({ tools, network: on, seconds }) => ({
    network: on,
    allowPrivate: tools.privatePages,
    timeLimit: seconds,
  }),
  open: async (input, version) => (await import('./server')).openCrawlServer(input, version),
})
