import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest'
import { writeTinyModel } from '../../../src/main/adapters/ggml/tiny-model'
import { writeGguf } from '../../../src/main/gguf/gguf-writer'
import { createSoftPromptTraining } from '../../../src/main/soft-prompts/soft-prompt-training'
import type { TrainingDeps } from '../../../src/main/soft-prompts/training-deps'
import { requireTraining, trainingCost } from '../../../src/main/soft-prompts/in-run'
import { writeUntied } from '../../../src/main/soft-prompts/untied-model'
import { findResources } from '../../../src/main/ground/resources'
import { demoModelPath } from '../../../src/main/ground/model-file'
import type { SettingChanges } from '../../../src/shared/domain/setting'

const folder = mkdtempSync(join(tmpdir(), 'loam-in-run-'))
afterAll(() => rmSync(folder, { recursive: true }))
afterEach(() => vi.restoreAllMocks())

const training = createSoftPromptTraining({ modelFolder: folder } as TrainingDeps)
const demo = demoModelPath(findResources().models)
const check = (
  model: string,
  settings: SettingChanges['evosc'] = {},
  total = 30,
  more: { softPrompt?: string; useSoftPrompt?: boolean } = {},
) =>
  requireTraining(
    { method: 'evosc', settings: { evosc: { ptc: true, ...settings } }, ...more },
    total,
    model,
    training,
  )

describe('a run that is to train a soft prompt', () => {
  it('may start on a model that can be trained', async () => {
    await expect(check(demo)).resolves.toBeUndefined()
  })

  it('is not looked at when it trains none', async () => {
    await expect(check('/not/there.gguf', { ptc: false })).resolves.toBeUndefined()
  })

  it('is refused before it starts on tied embeddings, and told of the copy when there is one', async () => {
    const tied = join(folder, 'tied.gguf')
    writeTinyModel(tied, { architecture: 'llama', tied: true })
    await expect(check(tied)).rejects.toMatchObject({
      code: 'TRAINER_MODEL',
      suggestion: expect.stringContaining('loam soft-prompts train --untie') as string,
    })
    const copy = join(folder, 'tied-untied.gguf')
    await writeUntied(tied, copy)
    await expect(check(tied)).rejects.toMatchObject({
      suggestion: `Run with that copy from the start: --model ${copy}`,
    })
    await expect(check(copy)).resolves.toBeUndefined()
  })

  it('is refused before it starts on an architecture that is not covered', async () => {
    const other = join(folder, 'other.gguf')
    writeGguf(other, { 'general.architecture': { kind: 'string', value: 'mamba' } }, [])
    await expect(check(other)).rejects.toMatchObject({
      code: 'TRAINER_MODEL',
      why: expect.stringContaining('mamba') as string,
    })
  })

  it('is refused before it starts where memory would not even do for short attempts', async () => {
    const memory = process as NodeJS.Process & { availableMemory: () => number }
    vi.spyOn(memory, 'availableMemory').mockReturnValue(1e6)
    await expect(check(demo)).rejects.toMatchObject({ code: 'TRAINER_MEMORY' })
  })

  it('is refused when it would never come to it, or is to be served another one or none', async () => {
    await expect(check(demo, { ptcAfter: 30 })).rejects.toMatchObject({ code: 'BAD_INPUT' })
    await expect(check(demo, {}, 30, { softPrompt: 'a.gguf' })).rejects.toMatchObject({ code: 'BAD_INPUT' })
    await expect(check(demo, {}, 30, { useSoftPrompt: false })).rejects.toMatchObject({ code: 'BAD_INPUT' })
    await expect(check(demo, { ptcLength: 256 })).rejects.toMatchObject({ code: 'TRAINER_MODEL' })
  })
})

describe('what training adds to a run', () => {
  const withPace = createSoftPromptTraining({
    modelFolder: folder,
    dataPath: folder,
    threads: () => 1,
  } as unknown as TrainingDeps)
  const cost = (settings: SettingChanges['evosc'], total = 120) =>
    trainingCost({ method: 'evosc', settings: { evosc: settings }, k: 0 }, total, demo, withPace)

  it('is told before the run starts, and nothing of one that trains none', async () => {
    await expect(cost({})).resolves.toBeNull()
    await expect(cost({ ptc: true })).resolves.toMatch(
      /^It stops once to train a soft prompt, first after 40 tasks: about \d+ min each at most/,
    )
    await expect(cost({ ptc: true, ptcEvery: 20 })).resolves.toMatch(/^It stops up to 4 times/)
    await expect(cost({ ptc: true, ptcAfter: 120 })).rejects.toMatchObject({ code: 'BAD_INPUT' })
  })
})
