import { join } from 'node:path'
import { expect, it } from 'vitest'
import { appPerTest } from '../app-in-temp'
import { writeTinyBert } from '../../fixtures/tiny-bert'

const here = appPerTest('run-encoder')

const ended = async (id: string, ...statuses: string[]): Promise<void> => {
  while (!statuses.includes(here.app.runs.get(id).status)) await new Promise((go) => setTimeout(go, 50))
}

it(
  'a run says what it compares texts by, and does not go on with another encoder',
  { timeout: 120_000 },
  async () => {
    const bert = join(here.folder, 'tiny-bert.gguf')
    writeTinyBert(bert)
    await here.app.saveSettings({ embedder: bert })
    const input = { stream: 'house-rules-a', method: 'case-bank', tasks: 1, seed: 1 }
    const record = await here.app.runDrafts.draft('run-encoder', { ...input, memoryId: null })
    expect(record.config.encoder).toMatchObject({ id: bert, dimension: 32, from: 'sentences', pairs: 276 })
    // Random weights put all texts near each other.
    expect(record.config.encoder?.unrelated).toBeGreaterThan(0.2)
    await here.app.saveSettings({ embedder: 'lexical-384' })
    await here.app.runs.start(record)
    await ended(record.id, 'failed', 'paused', 'done')
    const { status, problem } = here.app.runs.get(record.id)
    expect(status).not.toBe('done')
    expect(problem).toMatchObject({ code: 'CONFLICT' })
    expect(problem?.title + (problem?.cause ?? '')).toContain(bert)

    const other = await here.app.runDrafts.start({ ...input, memoryId: null })
    await ended(other.id, 'failed', 'paused', 'done')
    expect(here.app.runs.get(other.id)).toMatchObject({
      status: 'done',
      config: { encoder: { id: 'lexical-384' } },
    })
  },
)

it(
  'an experiment starts with an embedding model, before the memories of its cells are made',
  { timeout: 120_000 },
  async () => {
    const bert = join(here.folder, 'tiny-bert.gguf')
    writeTinyBert(bert)
    await here.app.saveSettings({ embedder: bert })
    const definition = { stream: 'house-rules-a', methods: ['case-bank-q'], seeds: [1], exp: [1], tasks: 2 }
    const { id } = await here.app.experimentDrafts.start(definition)
    while (here.app.experiments.get(id).status === 'running') await new Promise((go) => setTimeout(go, 50))
    const { cells } = here.app.experiments.report(id)
    expect(cells.map(({ status, tasks }) => [status, tasks])).toEqual([['done', 2]])
    expect(here.app.runs.get(cells[0]?.runId ?? '').config.encoder).toMatchObject({
      id: bert,
      from: 'sentences',
    })
  },
)
