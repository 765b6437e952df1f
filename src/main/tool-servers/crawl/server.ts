import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { z } from 'zod'
import { readAddress } from '../../net/read-address'
import { addTool, fail, page, PAGE } from '../answer'
import { Isolate } from '../../ground/isolate/isolate'
import type { CrawlOptions } from './options'
import { DocumentReader } from '../../adapters/isolate/read-documents'
import type { ToolServer } from '../module'
import { isPlain, readPlain } from '../../adapters/isolate/work/formats/plain'
import type { PageRequest } from '../../adapters/isolate/work/page'

const MOST_BYTES = 20 * 1024 * 1024

/** Endings by type of content, for what is read as a document. */
const DOCUMENT_TYPES: Readonly<Record<string, string>> = {
  'application/pdf': 'pdf',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': 'docx',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': 'xlsx',
  'application/vnd.openxmlformats-officedocument.presentationml.presentation': 'pptx',
  'text/csv': 'csv',
  'application/json': 'json',
  'application/xml': 'xml',
  'text/xml': 'xml',
}

/** The readable text of a page. Nothing is fetched unless the network is on. */
export function openCrawlServer(options: CrawlOptions, version: string): ToolServer {
  const timeMs = options.timeLimit * 1000
  const pages = new Isolate<PageRequest, string>('page', { limits: { heapMb: 512, processMb: 900 } })
  const reader = new DocumentReader(timeMs)
  /** The page read last, for reading on without fetching it again. */
  let last: { readonly url: string; readonly text: string } | null = null

  const read = async (url: string, signal: AbortSignal): Promise<string> => {
    const late = AbortSignal.timeout(timeMs)
    const content = await readAddress(url, {
      reach: options.allowPrivate ? 'any' : 'public',
      mostBytes: MOST_BYTES,
      accept: 'text/html,text/plain,application/json,application/pdf;q=0.9,*/*;q=0.5',
      signal: AbortSignal.any([signal, late]),
    }).catch((error: unknown) => {
      // A connection cut for its slowness reports only that it was cut.
      if (late.aborted) throw new Error(`The page did not come within ${options.timeLimit} s.`)
      throw error
    })
    const ending = DOCUMENT_TYPES[content.type]
    if (ending !== undefined) return reader.convert(`page.${ending}`, content.bytes, null, signal)
    if (!isPlain(content.bytes))
      throw new Error(`${content.url} is ${content.type || 'of a kind'} that cannot be read as text.`)
    const text = readPlain(content.bytes, content.url)
    if (content.type !== 'text/html' && content.type !== 'application/xhtml+xml') return text
    return pages.call(() => ({ html: text, url: content.url }), timeMs, signal)
  }

  const mcp = new McpServer({ name: 'loam-crawl', version })
  addTool(mcp, {
    name: 'read_page',
    description: 'Reads the text of a web page (or a document on the web) as Markdown, page by page.',
    input: {
      url: z.string().url().max(2000),
      ...PAGE,
    },
    answer: async (args, signal) => {
      if (!options.network) return fail('Not available: the network is off.')
      if (args.offset === 0 || last?.url !== args.url)
        last = { url: args.url, text: await read(args.url, signal) }
      return page(last.text, args.offset, args.limit)
    },
  })
  return {
    mcp,
    close: () => {
      pages.end()
      reader.close()
    },
  }
}
