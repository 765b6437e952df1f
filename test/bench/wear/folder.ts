import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createKey, readKeys } from '../../../src/main/api/program-keys'
import { createApp, type App } from '../../../src/main/app'
import { createAgentMemory } from '../../../src/main/share/agent-memory'
import { importChoiceSchema } from '../../../src/shared/domain/item-transfer'

/** A task of a bundled stream in whose world asks act. */
export const ASK = {
  text: 'Harbor: Count the bookings with price over 32.',
  world: { stream: 'house-rules-a', index: 3 },
}

/** A run of five tasks; every one that is played to its end earns the same rewards. */
export const RUN = { stream: 'house-rules-b', method: 'case-bank', tasks: 5, seed: 1, maxTokens: 96 } as const

/** A folder that every kill and every damage begins with. */
export interface Place {
  readonly template: string
  /** Where copies of it and what is imported lie. */
  readonly folder: string
  /** The memory of its run. */
  readonly memory: string
  readonly expected: Record<string, unknown>
}

export const openWorn = (dataPath: string): Promise<App> =>
  createApp({ dataPath, host: 'memory', gpuLayers: 'cpu' })

/** A log of so many sessions, as chats. */
export const logText = (count: number, name: string): string =>
  Array.from({ length: count }, (_, i) => {
    const messages = [
      { role: 'user', content: `${name} ${i}: how many boats are in the harbor?` },
      { role: 'assistant', content: `There are ${i} boats in it.` },
    ]
    return `${JSON.stringify({ id: `${name}-${i}`, messages })}\n`
  }).join('')

/** Imports a log of chats from a file into My memory. */
export const importLog = (path: string) => ({
  ...importChoiceSchema.parse({ source: { from: 'paths', paths: [path] }, format: 'chat' }),
  memoryId: 'mine',
})

/** A data folder with every kind of file: settings, keys, servers, drafts, proposals, jobs, a run, a judged ask, an import. */
export async function makeFolder(folder: string): Promise<Place> {
  const template = join(folder, 'whole')
  const memory = await fillFolder(template, folder)
  const app = await openWorn(template)
  try {
    return { template, folder, memory, expected: await contentsOf(app) }
  } finally {
    await app.dispose()
  }
}

async function fillFolder(path: string, folder: string): Promise<string> {
  const app = await openWorn(path)
  try {
    await app.saveSettings({ threads: 1, theme: 'dark' })
    await createKey(app.data.path, { name: 'bot', scopes: ['read'] }, new Date(0))
    await app.servers.save(
      { name: 'there', provider: 'openai', url: 'http://127.0.0.1:9/v1' } as never,
      'secret',
    )
    await app.messageDrafts.keep({ key: 'new', text: 'half a question' })
    const access = createAgentMemory(await app.memories.open('mine'), app, { write: true, hold: true })
    await access.remember({ about: 'me', statement: 'I live in the north.' }, 'bot')
    const { id } = await app.runDrafts.start(RUN)
    const run = await app.runs.ended(id)
    const ask = await app.askDrafts.start(ASK)
    await app.asks.settled()
    await app.asks.teach(ask.id, 0, {
      ...{ verdict: 'right' as const, answer: null, wrongAt: null, note: null },
    })
    const log = join(folder, 'first.jsonl')
    await writeFile(log, logText(12, 'first'))
    await app.imports.run(importLog(log), {})
    return run.config.memoryId
  } finally {
    await app.dispose()
  }
}

/** What a folder holds, by area; an area that cannot be read says with what code. */
export async function contentsOf(app: App): Promise<Record<string, unknown>> {
  const told = async (read: () => unknown): Promise<unknown> => {
    try {
      return await read()
    } catch (error) {
      return `refused: ${(error as { code?: string }).code ?? String(error)}`
    }
  }
  const memories = await app.memories.list()
  const areas: Record<string, () => unknown> = {
    settings: () => ({ ...app.settings() }),
    keys: async () => (await readKeys(app.data.path)).map(({ name }) => name),
    servers: async () => (await app.servers.list()).map(({ name }) => name),
    secret: () => app.servers.keyOf('there'),
    drafts: async () => (await app.messageDrafts.list()).map(({ text }) => text),
    mine: () => app.memories.resolve('mine'),
    jobs: () => app.jobs.list().length,
    proposals: async () =>
      (await createAgentMemory(await app.memories.open('mine'), app, { write: true }).writes()).length,
    runs: () => app.runs.list().map(({ id, status, rewards }) => [id, status, rewards]),
    asks: () =>
      app.asks.list({ text: '', deleted: false }).map(({ id }) => {
        const { ask, attempts } = app.asks.get(id)
        return [ask.spec.text, ask.status, attempts.map(({ judgement }) => judgement?.verdict ?? null)]
      }),
  }
  for (const { id } of memories) {
    areas[`items of ${id}`] = async () => {
      const query = { memoryId: id, kinds: null, text: '', environment: null, mark: null }
      const page = { state: 'live' as const, sort: 'newest' as const, offset: 0, limit: 100 }
      const { rows } = await app.memory.list({ ...query, ...page })
      // What a training makes, each of which a kill may come before or after.
      const others = rows.filter(({ kind }) => kind !== 'soft-prompt')
      return others.map((item) => [item.kind, item.id, item.title]).sort()
    }
    areas[`imports of ${id}`] = async () => (await app.imports.list(id)).length
  }
  const contents: Record<string, unknown> = {}
  for (const [name, read] of Object.entries(areas)) contents[name] = await told(read)
  return contents
}
