import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { createRng } from '../../../src/core/ground/random'
import { openDevice } from '../../../src/main/adapters/ggml/device'
import { GgmlType } from '../../../src/main/adapters/ggml/ggml-type'
import { readModelShape } from '../../../src/main/adapters/ggml/model-shape'
import { SoftPromptGradient } from '../../../src/main/adapters/ggml/soft-prompt-trainer'
import { FIRST_RESERVED, TINY, writeTinyModel } from '../../../src/main/adapters/ggml/tiny-model'
import {
  infoPathOf,
  readSoftPrompt,
  requireBaseModel,
  writeAdapter,
  writeSoftPrompt,
} from '../../../src/main/soft-prompts/soft-prompt-file'
import { stockProbabilities } from '../adapters/ggml/stock-inference'
import { exampleInfo } from './fixtures'

const folder = mkdtempSync(join(tmpdir(), 'loam-adapter-'))
afterAll(() => rmSync(folder, { recursive: true }))
const ids = Array.from({ length: 20 }, (_, index) => FIRST_RESERVED + ((index * 7) % 32))
const prompt = [...ids, 20, 41, 7, 99, 120]
const random = createRng('deltas')
const deltas = Float32Array.from({ length: 20 * 64 }, () => 2 * random.next() - 1)

/** The base model's rows with the deltas added, as F32. */
async function editedRows(path: string): Promise<Map<number, Float32Array>> {
  const device = openDevice('cpu', 1)
  const source = new SoftPromptGradient(device, path, await readModelShape(path), { ids, lengths: [8] })
  const base = source.base
  source.dispose()
  device.dispose()
  const row = (index: number) => base.slice(index * 64, (index + 1) * 64)
  return new Map(
    ids.map((id, index) => [id, row(index).map((value, j) => value + (deltas[index * 64 + j] as number))]),
  )
}

function difference(a: ReadonlyMap<number, number>, b: ReadonlyMap<number, number>): number {
  let most = a.size === b.size ? 0 : Number.NaN
  for (const [id, value] of a) most = Math.max(most, Math.abs(value - (b.get(id) ?? Number.NaN)))
  return most
}

describe('the adapter in stock llama.cpp', () => {
  for (const architecture of ['llama', 'qwen2', 'qwen3'] as const)
    it(`equals edited embedding rows exactly: ${architecture}`, async () => {
      const base = join(folder, `${architecture}.gguf`)
      const edited = join(folder, `${architecture}-edited.gguf`)
      const adapter = join(folder, `${architecture}-adapter.gguf`)
      writeTinyModel(base, { architecture })
      writeTinyModel(edited, { architecture, rows: await editedRows(base) })
      writeAdapter(adapter, { architecture, vocabulary: TINY.vocabulary, width: 64, ids, deltas })
      const served = await stockProbabilities(base, prompt, adapter)
      expect(difference(served, await stockProbabilities(edited, prompt))).toBe(0)
      expect(difference(served, await stockProbabilities(base, prompt))).toBeGreaterThan(0.001)
      // Prompts without the reserved tokens do not change by a bit.
      const plain = [20, 41, 7, 99, 120]
      expect(
        difference(await stockProbabilities(base, plain, adapter), await stockProbabilities(base, plain)),
      ).toBe(0)
    })

  it('is what the trainer computes with, on quantized weights too', async () => {
    const device = openDevice('cpu', 1)
    const base = join(folder, 'q8.gguf')
    const adapter = join(folder, 'q8-adapter.gguf')
    writeTinyModel(base, { architecture: 'llama', type: GgmlType.Q8_0, ggml: device.ggml })
    writeAdapter(adapter, { architecture: 'llama', vocabulary: TINY.vocabulary, width: 64, ids, deltas })
    const source = new SoftPromptGradient(device, base, await readModelShape(base), { ids, lengths: [6] })
    const sample = { id: 'one', tokens: [...prompt.slice(20), 0], softAt: 0, targets: [5] }
    const logits = await source.logits(sample, deltas)
    source.dispose()
    device.dispose()
    const sum = logits.reduce((total, logit) => total + Math.exp(logit), 0)
    const ours = new Map([...logits].map((logit, id) => [id, Math.exp(logit) / sum]))
    expect(difference(ours, await stockProbabilities(base, prompt, adapter))).toBeLessThan(1e-5)
  })
})

describe('a soft prompt on disk', () => {
  it('comes back as it was written', async () => {
    const written = await writeSoftPrompt(folder, 'kept', exampleInfo(ids), deltas)
    expect(await readSoftPrompt(written.adapter)).toEqual(written)
    expect(await readSoftPrompt(infoPathOf(written.adapter))).toEqual(written)
  })

  it('is refused on another base model, with the reason', async () => {
    const file = await writeSoftPrompt(folder, 'other-model', exampleInfo(ids), deltas)
    requireBaseModel(file, { path: 'right.gguf', sha256: file.info.baseModel.sha256 })
    expect(() => requireBaseModel(file, { path: '/models/wrong.gguf', sha256: 'f'.repeat(64) })).toThrowError(
      expect.objectContaining({
        code: 'SOFT_PROMPT',
        why: expect.stringContaining('wrong.gguf is another file') as string,
      }),
    )
  })

  it('is refused when its adapter is another one, damaged or missing', async () => {
    const file = await writeSoftPrompt(folder, 'damaged', exampleInfo(ids), deltas)
    copyFileSync(join(folder, 'llama-adapter.gguf'), file.adapter)
    writeFileSync(file.adapter, 'no', { flag: 'a' })
    await expect(readSoftPrompt(file.adapter)).rejects.toMatchObject({ code: 'SOFT_PROMPT' })
    rmSync(file.adapter)
    await expect(readSoftPrompt(file.adapter)).rejects.toMatchObject({ code: 'SOFT_PROMPT' })
    await expect(readSoftPrompt(join(folder, 'nothing.gguf'))).rejects.toMatchObject({ code: 'SOFT_PROMPT' })
  })
})
