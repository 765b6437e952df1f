import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { FIRST_RESERVED, TINY, writeTinyModel } from '../../../src/main/adapters/ggml/tiny-model'
import { writeAdapter } from '../../../src/main/soft-prompts/soft-prompt-file'
import { untieCost, writeUntied } from '../../../src/main/soft-prompts/untied-model'
import { stockProbabilities } from '../adapters/ggml/stock-inference'

const folder = mkdtempSync(join(tmpdir(), 'loam-untie-'))
afterAll(() => rmSync(folder, { recursive: true }))

describe('an untied copy', () => {
  const tied = join(folder, 'tied.gguf')
  const untied = join(folder, 'untied.gguf')
  writeTinyModel(tied, { architecture: 'qwen2', tied: true })

  it('costs what was said, and has the same probabilities', async () => {
    const cost = await untieCost(tied)
    await writeUntied(tied, untied)
    expect(cost?.extraBytes).toBe(TINY.vocabulary * 64 * 4)
    expect(Math.abs(statSync(untied).size - (cost?.bytes ?? 0))).toBeLessThan(200)
    const prompt = [20, 41, 7, 99, 120]
    expect(await stockProbabilities(untied, prompt)).toEqual(await stockProbabilities(tied, prompt))
  })

  it('carries an adapter, which the tied model cannot', async () => {
    const adapter = join(folder, 'adapter.gguf')
    const ids = [0, 1, 2, 3].map((index) => FIRST_RESERVED + index)
    const deltas = new Float32Array(4 * 64).fill(0.5)
    writeAdapter(adapter, { architecture: 'qwen2', vocabulary: TINY.vocabulary, width: 64, ids, deltas })
    const prompt = [...ids, 20, 41]
    const changed = await stockProbabilities(untied, prompt, adapter)
    expect(changed).not.toEqual(await stockProbabilities(untied, prompt))
  })

  it('is not made of a model that is untied, nor left half done', async () => {
    expect(await untieCost(untied)).toBeNull()
    const target = join(folder, 'again.gguf')
    await expect(writeUntied(untied, target)).rejects.toMatchObject({ code: 'CONFLICT' })
    await expect(writeUntied(tied, target, { signal: AbortSignal.abort() })).rejects.toMatchObject({
      name: 'AbortError',
    })
    expect(existsSync(target) || existsSync(`${target}.part`)).toBe(false)
  })
})
