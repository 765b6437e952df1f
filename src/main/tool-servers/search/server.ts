import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { z } from 'zod'
import { embedInHouse } from '../../mcp/house-requests'
import { readAddress } from '../../net/read-address'
import { addTool, fail, upTo } from '../answer'
import { FolderIndex } from './folder-index'
import type { SearchOptions } from './options'
import { DocumentReader } from '../../adapters/isolate/read-documents'
import type { ToolServer } from '../module'
import { cosine } from '../../../core/retrieval/cosine'
import { lexicalVector } from '../../../core/retrieval/lexical-embedder'

/**
 * Orders what a search engine gave by how near it is to the query (Memento, section 4.3): the cosine of their vectors plus 0.5 / (1 + rank) for
 * the order the engine gave.
 *
 * @param vectors by an encoder, of the query first and then of every hit; null compares words
 */
function rankByQuery<T>(
  query: string,
  hits: readonly T[],
  textOf: (hit: T) => string,
  vectors: readonly Float32Array[] | null,
): T[] {
  const [vector = new Float32Array(), ...own] =
    vectors ?? [query, ...hits.map(textOf)].map((text) => lexicalVector(text))
  return hits
    .map((hit, rank) => ({
      hit,
      score: (cosine(own[rank] ?? new Float32Array(), vector) ?? 0) + 0.5 / (1 + rank),
    }))
    .sort((a, b) => b.score - a.score)
    .map(({ hit }) => hit)
}

const MOST_ANSWER_BYTES = 4 * 1024 * 1024
/** Hits of the search engine that are ordered anew. */
const MOST_RANKED = 50

/** The part of SearXNG's JSON answer that is used. */
const answerSchema = z.object({
  results: z.array(
    z.object({ url: z.string(), title: z.string().default(''), content: z.string().nullish() }),
  ),
})

const query = z.string().min(1).max(500)
const limit = upTo(20, 6)

/** Search in folders, and on the web where that is turned on. */
export function openSearchServer(options: SearchOptions, version: string): ToolServer {
  const reader = new DocumentReader(options.timeLimit * 1000)
  const index = new FolderIndex(options.root, reader)
  const mcp = new McpServer({ name: 'loam-search', version })
  addTool(mcp, {
    name: 'search_files',
    description: 'Finds passages about something in the files of the allowed folders.',
    input: { query, limit },
    answer: async (args, signal) => {
      if (options.root.length === 0) return fail('Not available: no folder is allowed to be searched.')
      const { passages, files, unread } = await index.find(args.query, args.limit, signal)
      const matches = passages.map(
        ({ name, offset, text }) =>
          `### ${name}${offset > 0 ? ` (from character ${offset})` : ''}\n\n${text.trim()}`,
      )
      const state = unread > 0 ? `${unread} files are not read yet; search again for more.` : ''
      return [
        matches.length === 0 ? `Nothing about that in ${files} files.` : matches.join('\n\n'),
        ...(state === '' ? [] : [state]),
      ].join('\n\n')
    },
  })
  addTool(mcp, {
    name: 'search_web',
    description: 'Searches the web: titles, addresses and a few words of each hit.',
    input: { query, limit },
    answer: async (args, signal) => {
      if (!options.network) return fail('Not available: the network is off.')
      if (options.searxng === '') return fail('Not available: no SearXNG instance is set up.')
      const url = new URL('search', options.searxng.endsWith('/') ? options.searxng : `${options.searxng}/`)
      url.searchParams.set('q', args.query)
      url.searchParams.set('format', 'json')
      const { bytes } = await readAddress(url.href, {
        // The person chose this address; it is often one on the local network.
        reach: 'any',
        mostBytes: MOST_ANSWER_BYTES,
        accept: 'application/json',
        signal: AbortSignal.any([signal, AbortSignal.timeout(options.timeLimit * 1000)]),
      })
      const parsed = answerSchema.safeParse(JSON.parse(new TextDecoder().decode(bytes)))
      if (!parsed.success) throw new Error('The SearXNG instance answered something else than results.')
      const matches = parsed.data.results.slice(0, MOST_RANKED)
      const textOf = ({ title, content }: (typeof matches)[number]): string => `${title} ${content ?? ''}`
      const vectors = await embedInHouse(mcp, [args.query, ...matches.map(textOf)], signal)
      const hits = rankByQuery(args.query, matches, textOf, vectors)
      if (hits.length === 0) return 'Nothing was found.'
      return hits
        .slice(0, args.limit)
        .map((hit) => `- ${hit.title}\n  ${hit.url}\n  ${hit.content ?? ''}`.trimEnd())
        .join('\n')
    },
  })
  return { mcp, close: () => reader.close() }
}
