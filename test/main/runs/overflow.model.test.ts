import { join } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import { appPerTest } from '../app-in-temp'

vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 })

const here = appPerTest('overflow')

const CHOICE = { stream: 'tools-retail', method: 'evosc', tasks: 5, contextSize: 256 }

describe('a context that no prompt fits into', () => {
  it('ends the run after three attempts, says so, and leaves nothing learned', async () => {
    const { id, config } = await here.app.runDrafts.start(CHOICE)
    const run = await here.app.runs.ended(id)
    expect(run).toMatchObject({ status: 'failed', done: 3, solved: 0, problem: { code: 'CONTEXT_OVERFLOW' } })
    expect(run.problem?.cause).toContain(
      'The prompts of the first 3 tasks are all longer than the 256 tokens',
    )
    const memory = await here.app.memories.open(config.memoryId)
    expect(await memory.items('lesson', { environment: 'tool-use' })).toEqual([])
  })

  it('ends a run too whose every attempt outgrows it after some rounds', async () => {
    const { id } = await here.app.runDrafts.start({ ...CHOICE, stream: 'house-rules-b' })
    expect(await here.app.runs.ended(id)).toMatchObject({ status: 'failed', done: 3 })
    expect(here.app.runs.steps(id).map(({ finish }) => finish)).toEqual(Array(3).fill('context-overflow'))
  })

  it('is told of before the run', async () => {
    const report = await here.app.preflight.check(CHOICE)
    expect(report.contextSize).toBe(256)
    expect(report.promptTokens).toBeGreaterThan(256)
    expect(report.notes).toContainEqual(
      expect.objectContaining({ level: 'refuse', text: expect.stringContaining('longer than') as string }),
    )
  })
})

describe('what a run would take', () => {
  it('is told before anything is loaded, and nothing is in its way on the demo', async () => {
    const report = await here.app.preflight.check({ stream: 'house-rules-a', method: 'evosc', tasks: 6 })
    expect(here.app.engine.state.models).toEqual([])
    expect(report.notes.filter(({ level }) => level === 'refuse')).toEqual([])
    const { fit } = report
    expect(fit).toMatchObject({ trainContext: 4096, contextSize: 4096, fits: true })
    expect(fit?.weightsBytes).toBeGreaterThan(1e6)
    expect((fit?.weightsBytes ?? 0) + (fit?.cacheBytes ?? 0) + (fit?.computeBytes ?? 0)).toBeLessThanOrEqual(
      (fit?.ram.needed ?? 0) + (fit?.vram?.needed ?? 0) + 1,
    )
    expect(report.etaMs).toBeNull()
    const { id } = await here.app.runDrafts.start({ stream: 'house-rules-a', method: 'evosc', tasks: 2 })
    expect(await here.app.runs.ended(id)).toMatchObject({ status: 'done' })
    expect(here.app.engine.state.contextSize).toBe(fit?.contextSize)
    const again = await here.app.preflight.check({ stream: 'house-rules-a', method: 'evosc', tasks: 6 })
    expect(again.etaMs).toBeGreaterThan(0)
  })

  it('refuses a model that is not there and one that is no model, in words', async () => {
    const { notes } = await here.app.preflight.check({ ...CHOICE, model: join(here.folder, 'none.gguf') })
    expect(notes).toContainEqual(expect.objectContaining({ level: 'refuse' }))
  })
})
