import { existsSync } from 'node:fs'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { EngineModel } from '../../../../src/main/adapters/llama/llama-model'
import { LlamaRuntime } from '../../../../src/main/adapters/llama/llama-runtime'
import { modelLoadOptionsSchema } from '../../../../src/shared/domain/model'

const DEMO_MODEL = resolve('models/loam-demo.gguf')
const WORLD =
  'The harbor keeps bookings with prices in cents and guests in upper case; archived ones are marked B. '.repeat(
    60,
  )

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'loam-prefix-states-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

/** What a model that was just started says to some prompts, and how many tokens of the first it did not read. */
async function play(prefixStates: string | null, tasks: readonly string[]) {
  const options = modelLoadOptionsSchema.parse({ path: DEMO_MODEL, gpuLayers: 'cpu', prefixStates })
  const model = await EngineModel.load(new LlamaRuntime(() => undefined), options)
  try {
    const results = []
    for (const content of tasks) {
      const messages = [
        { role: 'system' as const, content: WORLD },
        { role: 'user' as const, content },
      ]
      results.push(await model.generate({ messages, maxTokens: 24 }))
    }
    return { texts: results.map(({ text }) => text), reused: results[0]?.usage.reusedTokens ?? 0 }
  } finally {
    await model.dispose()
  }
}

const TASKS = [
  'Which table holds the guests?',
  'How is a price written?',
  'What is archived?',
  'Who is upper?',
]

test.skipIf(!existsSync(DEMO_MODEL))(
  'a long beginning that prompts share is loaded after a start, says the same, and is read again where its file is damaged',
  { timeout: 120_000 },
  async () => {
    const plain = await play(null, TASKS)
    expect(plain.reused).toBe(0)
    expect((await play(folder, TASKS)).texts).toEqual(plain.texts)
    const names = await readdir(folder)
    expect(names.map((name) => name.replace(/^.*\./, '')).sort()).toEqual(['json', 'state'])

    const again = await play(folder, TASKS)
    expect(again.texts).toEqual(plain.texts)
    expect(again.reused).toBeGreaterThan(1000)

    const state = join(folder, names.find((name) => name.endsWith('.state')) ?? '')
    const bytes = await readFile(state)
    bytes[Math.floor(bytes.length / 2)] = (bytes[Math.floor(bytes.length / 2)] ?? 0) ^ 1
    await writeFile(state, bytes)
    const damaged = await play(folder, TASKS.slice(0, 1))
    expect(damaged).toEqual({ texts: plain.texts.slice(0, 1), reused: 0 })
    expect(await readdir(folder)).toEqual([])
  },
)
