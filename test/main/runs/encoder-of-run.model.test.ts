import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createApp, type App } from '../../../src/main/app'
import { writeTinyBert } from '../../fixtures/tiny-bert'

let folder: string
let app: App
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'loam-run-encoder-'))
  app = await createApp({ dataPath: join(folder, 'data'), host: 'memory', gpuLayers: 'cpu' })
})
afterEach(async () => {
  await app.dispose()
  await rm(folder, { recursive: true, force: true })
})

const ended = async (id: string, ...statuses: string[]): Promise<void> => {
  while (!statuses.includes(app.runs.get(id).status)) await new Promise((go) => setTimeout(go, 50))
}

it(
  'a run says what it compares texts by, and does not go on with another encoder',
  { timeout: 120_000 },
  async () => {
    const bert = join(folder, 'tiny-bert.gguf')
    writeTinyBert(bert)
    await app.saveSettings({ embedder: bert })
    const input = { stream: 'house-rules-a', method: 'case-bank', tasks: 1, seed: 1 }
    const record = await app.runDrafts.draft('run-encoder', { ...input, spaceId: null })
    expect(record.config.encoder).toMatchObject({ id: bert, dimension: 32, from: 'sentences', pairs: 276 })
    // Random weights put all texts near each other.
    expect(record.config.encoder?.unrelated).toBeGreaterThan(0.2)
    await app.saveSettings({ embedder: 'lexical-384' })
    await app.runs.start(record)
    await ended(record.id, 'failed', 'paused', 'done')
    const { status, problem } = app.runs.get(record.id)
    expect(status).not.toBe('done')
    expect(problem).toMatchObject({ code: 'CONFLICT' })
    expect(problem?.title + (problem?.cause ?? '')).toContain(bert)

    const other = await app.runDrafts.start({ ...input, spaceId: null })
    await ended(other.id, 'failed', 'paused', 'done')
    expect(app.runs.get(other.id)).toMatchObject({
      status: 'done',
      config: { encoder: { id: 'lexical-384' } },
    })
  },
)

it(
  'an experiment starts with a sentence encoder, before the spaces of its cells are made',
  { timeout: 120_000 },
  async () => {
    const bert = join(folder, 'tiny-bert.gguf')
    writeTinyBert(bert)
    await app.saveSettings({ embedder: bert })
    const definition = { stream: 'house-rules-a', methods: ['case-bank-q'], seeds: [1], exp: [1], tasks: 2 }
    const { id } = await app.experimentDrafts.start(definition)
    while (app.experiments.get(id).status === 'running') await new Promise((go) => setTimeout(go, 50))
    const { cells } = app.experiments.report(id)
    expect(cells.map(({ status, tasks }) => [status, tasks])).toEqual([['done', 2]])
    expect(app.runs.get(cells[0]?.runId ?? '').config.encoder).toMatchObject({ id: bert, from: 'sentences' })
  },
)
