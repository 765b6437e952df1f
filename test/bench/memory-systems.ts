import { createRequire } from 'node:module'
import { mkdir, writeFile, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { correctedFact, keepFact } from '../../src/core/memory/facts/new-fact'
import { factParts } from '../../src/core/memory/facts/recall-facts'
import { isStopWord, wordsOf } from '../../src/core/retrieval/terms'
import type { App } from '../../src/main/app'

/** A memory that was told sentences. */
export interface Memory {
  /** What it gives back for a question, the best first. */
  find(question: string): Promise<readonly string[]>
  /** All of it is shown, whatever is asked. */
  readonly isWhole?: true
  close(): Promise<void>
}
export interface Sentence {
  readonly question: string
  readonly answer: string
  readonly sentence: string
}
export interface Opening {
  readonly name: string
  make(sentences: readonly Sentence[]): Promise<Memory>
}

const nothing = (): Promise<void> => Promise.resolve()
const keysOf = (text: string): string[] =>
  [...new Set(wordsOf(text))].filter((word) => word.length > 2 && !isStopWord(word))

/** Texts by how many of a question's words they hold; those that hold none are left out. */
function byWords(question: string, texts: readonly string[], most: number): string[] {
  const words = keysOf(question)
  return texts
    .map((text) => ({ text, hits: words.filter((word) => text.toLowerCase().includes(word)).length }))
    .filter(({ hits }) => hits > 0)
    .sort((a, b) => b.hits - a.hits)
    .slice(0, most)
    .map(({ text }) => text)
}

/** Loam's facts, as asks recall them: with a floor, so that it may give back nothing. */
const loam = (app: App, folder: string, most: number): Opening => ({
  name: 'Loam, facts',
  async make(sentences) {
    const bank = await app.memories.open(join(folder, 'loam'))
    for (const [i, { question, answer }] of sentences.entries()) {
      const origin = { id: `f${i}`, runId: 'r', trajectoryId: `t${i}`, environment: 'question' }
      const fact = correctedFact(question, answer, { ...origin, at: new Date(i * 1000).toISOString() })
      await bank.commit(keepFact(fact, await bank.items('fact')).events)
    }
    const embedder = await app.embedder()
    return {
      async find(question) {
        const task = {
          id: 't',
          index: 0,
          environment: 'question',
          instruction: question,
          skills: [],
          payload: null,
        }
        return (await factParts({ task }, { bank, embedder }, most)).map(({ text }) => text)
      },
      close: () => app.memories.release(bank.path),
    }
  },
})

interface LangGraph {
  InMemoryStore: new (options: unknown) => {
    put(space: string[], key: string, value: object): Promise<void>
    search(space: string[], query: object): Promise<{ value: { text: string } }[]>
  }
}
interface Mem0 {
  Memory: new (config: unknown) => {
    add(text: string, options: object): Promise<unknown>
    search(query: string, options: object): Promise<{ results: { memory: string }[] }>
  }
}

/** What is measured, in this order. `packages`: where those of others are installed; `own`: Loam's, by default its facts; `most`: what each gives back for a question. */
export function openMemories(app: App, packages: string, folder: string, own?: Opening, most = 2): Opening[] {
  const require = createRequire(join(packages, 'package.json'))
  const load = async <T>(name: string): Promise<T> =>
    (await import(pathToFileURL(require.resolve(name)).href)) as T
  const embed = async (texts: readonly string[]): Promise<number[][]> =>
    (await (await app.embedder()).embed([...texts])).map((vector) => [...vector])
  return [
    { name: 'nothing', make: () => Promise.resolve({ find: () => Promise.resolve([]), close: nothing }) },
    own ?? loam(app, folder, most),
    {
      name: 'whole context',
      make: (all) =>
        Promise.resolve({
          isWhole: true,
          find: () => Promise.resolve(all.map(({ sentence }) => sentence)),
          close: nothing,
        }),
    },
    {
      name: 'file search (lines by words)',
      async make(all) {
        await mkdir(folder, { recursive: true })
        const file = join(folder, 'MEMORY.md')
        await writeFile(file, all.map(({ sentence }) => sentence).join('\n'))
        return {
          find: async (question) => byWords(question, (await readFile(file, 'utf8')).split('\n'), most),
          close: nothing,
        }
      },
    },
    {
      name: 'MCP memory server, searched by word',
      async make(all) {
        await mkdir(folder, { recursive: true })
        const entry = require.resolve('@modelcontextprotocol/server-memory/dist/index.js')
        const client = new Client({ name: 'bench', version: '1' })
        await client.connect(
          new StdioClientTransport({
            command: process.execPath,
            args: [entry],
            env: { MEMORY_FILE_PATH: join(folder, 'memory.jsonl') },
            stderr: 'ignore',
          }),
        )
        const call = async (name: string, input: Record<string, unknown>): Promise<string> => {
          const result = await client.callTool({ name, arguments: input })
          const [part] = result.content as { text?: string }[]
          return part?.text ?? '{}'
        }
        const entities = all.map(({ sentence }, i) => ({
          ...{ name: `fact ${i}`, entityType: 'fact', observations: [sentence] },
        }))
        await call('create_entities', { entities })
        return {
          // It finds texts that hold the query as it is, so a question is asked word by word.
          async find(question) {
            const found: string[] = []
            for (const query of keysOf(question)) {
              const graph = JSON.parse(await call('search_nodes', { query })) as {
                entities?: { observations: string[] }[]
              }
              found.push(...(graph.entities ?? []).flatMap(({ observations }) => observations))
            }
            return byWords(question, [...new Set(found)], most)
          },
          close: () => client.close(),
        }
      },
    },
    {
      name: 'LangGraph store, Loam’s encoder',
      async make(all) {
        const { InMemoryStore } = await load<LangGraph>('@langchain/langgraph')
        const dims = (await app.embedder()).dimension
        const embeddings = {
          embedDocuments: embed,
          embedQuery: async (text: string) => (await embed([text]))[0] ?? [],
        }
        const store = new InMemoryStore({ index: { dims, embeddings, fields: ['text'] } })
        for (const [i, { sentence }] of all.entries()) await store.put(['me'], `f${i}`, { text: sentence })
        return {
          find: async (query) =>
            (await store.search(['me'], { query, limit: most })).map(({ value }) => value.text),
          close: nothing,
        }
      },
    },
    {
      name: 'mem0 (open), Loam’s encoder, without its extraction',
      async make(all) {
        process.env['MEM0_TELEMETRY'] = 'false'
        const { Memory: Mem0Memory } = await load<Mem0>('mem0ai/oss')
        const model = {
          embedQuery: async (text: string) => (await embed([text]))[0] ?? [],
          embedDocuments: embed,
        }
        const memory = new Mem0Memory({
          embedder: { provider: 'langchain', config: { model } },
          vectorStore: {
            provider: 'memory',
            config: {
              collectionName: 'facts',
              dimension: (await app.embedder()).dimension,
              dbPath: join(folder, 'mem0.db'),
            },
          },
          // Its extraction of facts asks a model; by default a hosted one.
          llm: {
            provider: 'langchain',
            config: { model: { invoke: () => Promise.reject(new Error('No model.')) } },
          },
          disableHistory: true,
        })
        await mkdir(folder, { recursive: true })
        for (const { sentence } of all) await memory.add(sentence, { userId: 'me', infer: false })
        return {
          async find(query) {
            const { results } = await memory.search(query, { filters: { user_id: 'me' }, topK: most })
            return results.map(({ memory: text }) => text)
          },
          close: nothing,
        }
      },
    },
  ]
}
