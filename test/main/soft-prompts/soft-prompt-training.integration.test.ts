import { mkdtempSync, rmSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import type { Environment } from '../../../src/core/ground/environment'
import { writeTinyModel } from '../../../src/main/adapters/ggml/tiny-model'
import { EngineSupervisor } from '../../../src/main/engine-client/supervisor'
import { chooseSoftPrompt } from '../../../src/main/soft-prompts/choose-soft-prompt'
import { createSoftPromptTraining } from '../../../src/main/soft-prompts/soft-prompt-training'
import type { TrainingDeps, TrainingStage } from '../../../src/main/soft-prompts/training-deps'
import { exportSoftPrompt } from '../../../src/main/soft-prompts/soft-prompt-file'
import { removePending } from '../../../src/main/soft-prompts/pending'
import { openSoftPromptStore } from '../../../src/main/soft-prompts/soft-prompt-store'
import { createFileHasher } from '../../../src/main/ground/file-hash'
import type { Memories } from '../../../src/main/memories/memories'
import type { StreamLibrary } from '../../../src/main/streams/stream-library'
import { LoamError } from '../../../src/shared/errors'
import { hasStories, STORIES } from '../adapters/llama/stories-model'
import { solvedAttempt } from './fixtures'

const folder = mkdtempSync(join(tmpdir(), 'loam-training-'))
const memory = join(folder, 'space')
const engine = new EngineSupervisor()
afterAll(async () => {
  await engine.dispose()
  rmSync(folder, { recursive: true })
})

const attempts = ['Anna', 'Ben', 'Cleo', 'Dora', 'Emil'].map((name) =>
  solvedAttempt(`attempt-${name}`, `Where did ${name} go?`, [`To the park.`]),
)
const environment = { id: 'tales', systemPrompt: 'Answer.', maxRounds: 3 } as Environment
const hasher = createFileHasher(join(folder, 'hashes.json'))
const deps: TrainingDeps = {
  clock: { now: () => new Date('2025-03-04T05:06:07Z') },
  memories: {
    open: () => Promise.resolve({ recentSuccesses: () => Promise.resolve(attempts) }),
    folder: () => memory,
  } as unknown as Memories,
  streams: {
    load: () => Promise.resolve({ info: { environment: 'tales' }, tasks: [] }),
  } as unknown as StreamLibrary,
  hasher,
  environment: () => Promise.resolve(environment),
  prompts: () => Promise.reject(new Error('no prompts here')),
  embedder: () => Promise.reject(new Error('no embedder here')),
  loadModel: (path) => engine.loadModel({ path, gpuLayers: 'cpu' }),
  unloadModel: () => engine.unload(),
  engineTaken: () => false,
  demoModel: STORIES,
  modelFolder: join(folder, 'models'),
  dataPath: folder,
  threads: () => 1,
}
const input = { memory, stream: 'any', teacher: 3, student: 1, settings: { steps: 8, batch: 2, length: 8 } }

describe.skipIf(!hasStories)('consolidation', () => {
  const training = createSoftPromptTraining(deps)

  it('says beforehand what it would distil and take', async () => {
    const plan = await training.plan(input)
    expect(plan.attempts.map(({ id }) => id)).toEqual(attempts.map(({ id }) => id))
    expect(plan).toMatchObject({ environment: 'tales', rounds: 5, untie: null })
    expect(plan.reservedIds).toHaveLength(8)
    expect(plan.estimate.workBytes).toBeGreaterThan(1e6)
  })

  it('distils, trains, keeps the artifact and puts it to use', async () => {
    const stages: TrainingStage['kind'][] = []
    const { file, model } = await training.consolidate(
      { ...input, topK: 8, actions: 'recorded' },
      { onStage: ({ kind }) => stages.push(kind) },
    )
    expect(model).toBe(STORIES)
    expect(new Set(stages)).toEqual(new Set(['distilling', 'starting', 'training']))
    const { info } = file
    expect(info).toMatchObject({ environment: 'tales', teacher: 3, student: 1, objective: { topK: 8 } })
    expect([...info.trajectories, ...info.heldOut].sort()).toEqual(attempts.map(({ id }) => id).sort())
    expect(info.heldOut).toHaveLength(1)
    expect(info.outcome.steps).toBe(8)
    expect(info.outcome.heldOutLoss).not.toBeNull()
    expect(basename(file.adapter)).toBe('tales-20250304-050607.gguf')

    const softPromptList = openSoftPromptStore(memory)
    expect(await softPromptList.current('tales')).toEqual(file)
    expect(await softPromptList.list()).toEqual([file])
    expect(await softPromptList.current('elsewhere')).toBeNull()
    await softPromptList.use('tales', null, '')
    expect(await softPromptList.current('tales')).toBeNull()
    expect(await softPromptList.undo('tales')).toBe(true)
    expect(await softPromptList.current('tales')).toEqual(file)
  })

  it('is served to a run that names it, or that works in its memory, unless it wants none, and only where it fits', async () => {
    const current = await openSoftPromptStore(memory).current('tales')
    const adapter = current?.adapter ?? ''
    const model = { path: STORIES, sha256: (await hasher.hash(STORIES)).sha256 }
    const choose = (run: Parameters<typeof chooseSoftPrompt>[0], environmentId = 'tales', of = model) =>
      chooseSoftPrompt(run, of, environmentId, memory)
    expect(await choose({ method: 'none', softPrompt: adapter })).toEqual(current)
    expect(await choose({ method: 'evosc' })).toEqual(current)
    expect(await choose({ method: 'none' })).toEqual(current)
    expect(await choose({ method: 'none', useSoftPrompt: false })).toBeNull()
    expect(await choose({ method: 'evosc', settings: { evosc: { softPrompt: false } } })).toBeNull()
    const other = { path: '/other.gguf', sha256: 'b'.repeat(64) }
    expect(await choose({ method: 'evosc' }, 'tales', other)).toBeNull()
    await expect(choose({ method: 'none', softPrompt: adapter }, 'tales', other)).rejects.toMatchObject({
      code: 'SOFT_PROMPT',
    })
    await expect(choose({ method: 'none', softPrompt: adapter }, 'lab-db')).rejects.toMatchObject({
      code: 'SOFT_PROMPT',
    })
    await expect(
      choose({ method: 'evosc', softPrompt: adapter, settings: { evosc: { softPrompt: false } } }),
    ).rejects.toMatchObject({ code: 'BAD_INPUT' })
  })

  it('is exported with a README for llama.cpp', async () => {
    const file = await openSoftPromptStore(memory).current('tales')
    if (!file) throw new Error('nothing was kept')
    const written = await exportSoftPrompt(file, join(folder, 'export'))
    expect(written.map((path) => basename(path))).toEqual([
      'tales-20250304-050607.gguf',
      'tales-20250304-050607.json',
      'README.md',
    ])
    const readme = await readFile(written[2] as string, 'utf8')
    expect(readme).toContain(file.info.baseModel.sha256)
    expect(readme).toContain(`"prompt": [${file.info.reservedIds.join(', ')}, `)
    expect(readme).toContain('--lora tales-20250304-050607.gguf')
  })

  it('frees the engine before it trains within a run, also when that goes on after an interruption', async () => {
    const order: string[] = []
    const inRun = createSoftPromptTraining({
      ...deps,
      unloadModel: async () => {
        await engine.unload()
        order.push('freed')
      },
      train: () => {
        order.push('trains')
        return Promise.reject(new LoamError('TRAINER_DIED', 'killed', { suggestion: 'again' }))
      },
    })
    const recorded = { ...input, actions: 'recorded' as const }
    for (let time = 0; time < 2; time++)
      await expect(
        inRun.consolidate(recorded, { ofRun: { name: 'tales-run-t0004', contextSize: null } }),
      ).rejects.toMatchObject({ code: 'TRAINER_DIED' })
    expect(order).toEqual(['freed', 'trains', 'freed', 'trains'])
    await removePending(openSoftPromptStore(memory).folder)
  })

  it('asks before it writes an untied copy, and says what that costs', async () => {
    const tied = join(folder, 'tied.gguf')
    writeTinyModel(tied, { architecture: 'llama', tied: true })
    await expect(training.consolidate({ ...input, model: tied })).rejects.toMatchObject({
      code: 'TRAINER_MODEL',
      why: expect.stringMatching(/untied copy is needed: 1 MB on disk/u) as string,
      suggestion: expect.stringContaining('--untie') as string,
    })
  })

  it('is refused where there is too little to learn from, or a run has the model', async () => {
    const few = {
      ...deps,
      memories: {
        ...deps.memories,
        open: () => Promise.resolve({ recentSuccesses: () => Promise.resolve([]) }),
      },
    }
    await expect(
      createSoftPromptTraining(few as unknown as TrainingDeps).consolidate(input),
    ).rejects.toMatchObject({ code: 'BAD_INPUT' })
    const busy = createSoftPromptTraining({ ...deps, engineTaken: () => true })
    await expect(busy.consolidate(input)).rejects.toMatchObject({ code: 'CONFLICT' })
    await expect(training.consolidate({ ...input, settings: { length: 200 } })).rejects.toMatchObject({
      code: 'TRAINER_MODEL',
    })
  })
})
