import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { mayPlan, modelFor, programModel, samplingOf, serversOf } from '../../../src/main/asks/ask-defaults'
import { withLanguageNote } from '../../../src/main/asks/language-note'
import { askSpecSchema, type AskInfo } from '../../../src/shared/domain/ask'
import { NO_USAGE, type Trajectory } from '../../../src/shared/domain/trajectory'

const SMALL = { path: '/small.gguf', sizeBytes: 1e8, quantization: 'Q4_0' }
const LARGE = { path: '/large.gguf', sizeBytes: 5e9, quantization: 'Q4_0' }

/** The tool servers of a sum, asked of a model of which that much is known. */
function serversFor(
  model: string,
  callsTools: boolean | null,
  choice: { tools?: readonly string[]; way?: 'straight' | 'plan' } = {},
) {
  const spec = { text: 'What is 17 * 23?', way: 'straight', model, tools: null, ...choice }
  return serversOf(
    { ask: { spec } as unknown as AskInfo, files: [] },
    { foundModels: async () => ({ models: [SMALL, LARGE], places: [] }) as never },
    { servers: async () => [{ id: 'math', enabled: true }] as never },
    { callsTools: async () => callsTools },
  )
}

test('a model that was not measured is given tools by its size', async () => {
  expect(await serversFor(SMALL.path, null)).toEqual([])
  expect(await serversFor(LARGE.path, null)).toEqual(['math'])
  expect(await serversFor('openai:some@server', null)).toEqual(['math'])
})

test('so is a file that lies in none of the known folders', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'loam-defaults-'))
  const path = join(folder, 'elsewhere.gguf')
  await writeFile(path, 'GGUF')
  expect(await serversFor(path, null)).toEqual([])
  await rm(folder, { recursive: true })
})

test('one that was measured is given tools where it uses them well, whatever its size', async () => {
  expect(await serversFor(SMALL.path, true)).toEqual(['math'])
  expect(await serversFor(LARGE.path, false)).toEqual([])
  expect(await serversFor('openai:some@server', false)).toEqual([])
})

test('what a person chose stands, and so does a plan', async () => {
  expect(await serversFor(LARGE.path, false, { tools: ['code'] })).toEqual(['code'])
  expect(await serversFor(LARGE.path, false, { way: 'plan' })).toEqual(['math'])
})

test('where only a base model could answer, a person says first that it is to', async () => {
  const model = (name: string, more: object = {}) => ({
    ...{ name, path: `/${name}.gguf`, sizeBytes: 1000, problem: null, demo: false, quantization: null },
    ...more,
  })
  const host = (models: object[]) => ({
    demoModel: '/demo.gguf',
    providers: { list: async () => models } as never,
  })
  const answerer = (...models: object[]) => modelFor({ world: null, isKept: false }, host(models))
  const [base, demo] = [model('stories', { base: true }), model('demo', { demo: true })]
  await expect(answerer(base, demo)).rejects.toMatchObject({ code: 'CONFLICT' })
  expect(await answerer(base, demo, model('chat'))).toBe('/chat.gguf')
  // A program that names nobody may be answered by the demo model, by a base model not.
  expect(await programModel(host([demo]))).toBe('/demo.gguf')
  await expect(programModel(host([base, demo]))).rejects.toMatchObject({ code: 'CONFLICT' })
  // The demo model answers no everyday question. What is only kept needs nobody to answer.
  await expect(answerer(demo)).rejects.toMatchObject({ code: 'CONFLICT' })
  await expect(answerer()).rejects.toMatchObject({ code: 'CONFLICT' })
  expect(await modelFor({ world: null, isKept: true }, host([demo]))).toBe('/demo.gguf')
})

test('a plan is for a model that uses tools well, or for tools that a person chose', async () => {
  const plans = (model: string, callsTools: boolean | null, tools: readonly string[] | null = null) =>
    mayPlan(
      { model, tools } as unknown as AskInfo['spec'],
      { foundModels: async () => ({ models: [SMALL, LARGE], places: [] }) as never },
      { callsTools: async () => callsTools },
    )
  expect(await plans(SMALL.path, null)).toBe(false)
  expect(await plans(SMALL.path, true)).toBe(true)
  expect(await plans(LARGE.path, null)).toBe(true)
  expect(await plans(LARGE.path, false)).toBe(false)
  expect(await plans(SMALL.path, false, ['code'])).toBe(true)
  expect(await plans('openai:some@server', null)).toBe(true)
})

test('an answer says where its model cannot answer in the language of the question', async () => {
  const noteOn = async (instruction: string, more: Partial<Trajectory> = {}) => {
    const attempt = {
      ...{ task: { instruction }, finish: 'completed', rounds: [], recalled: [] },
      ...more,
    } as unknown as Trajectory
    const profiles = { cannotWrite: async (_model: string, language: string) => language === 'de' }
    return (await withLanguageNote(attempt, SMALL.path, profiles)).reason
  }
  expect(await noteOn('Warum ist der Himmel blau?')).toBe(
    'This model cannot answer in German, as was measured.',
  )
  expect(await noteOn('Pourquoi le ciel est-il bleu ?')).toBeUndefined()
  expect(await noteOn('Why is the sky blue?')).toBeUndefined()
  expect(await noteOn('Warum ist der Himmel blau?', { reason: 'It repeats itself.' })).toBe(
    'It repeats itself.',
  )
  const fact = 'Mein Zahnarzt ist Dr. Weber.'
  const rounds = [{ completion: fact, usage: NO_USAGE }] as unknown as Trajectory['rounds']
  const recalled = [{ title: fact }] as unknown as Trajectory['recalled']
  expect(await noteOn('Zahnarzt?', { rounds, recalled })).toBe(
    'What was remembered, as it was told. This model cannot answer in German, as was measured.',
  )
})

test('a try is sampled as the person says, else as suits the model; in a world greedily, from what is said alone', () => {
  const spec = askSpecSchema.parse({ text: 'a', model: 'm', memoryId: 'i', method: 'none', k: 0, seed: 1 })
  const model = { recommended: { temperature: 0.6, topP: 0.95, topK: 20 } }
  const sampled = (change: Partial<typeof spec>) => samplingOf({ ...spec, ...change }, model)
  expect(sampled({})).toEqual({ temperature: 0.6, seed: 1, sampling: { topP: 0.95, topK: 20 } })
  expect(sampled({ topP: 0.3, temperature: 1 })).toEqual({
    ...{ temperature: 1, seed: 1 },
    sampling: { topP: 0.3, topK: 20 },
  })
  const world = { stream: 's', index: 0 }
  expect(sampled({ world })).toEqual({ temperature: 0, seed: 1 })
  expect(sampled({ world, topP: 0.3 })).toEqual({ temperature: 0, seed: 1, sampling: { topP: 0.3 } })
})
