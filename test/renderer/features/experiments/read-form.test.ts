import { describe, expect, it } from 'vitest'
import { readForm, readSeeds } from '../../../../src/renderer/features/experiments/read-form'
import {
  createExperimentFormStore,
  type ExperimentForm,
} from '../../../../src/renderer/stores/experiment-form'
import { studySchema } from '../../../../src/shared/domain/experiment'
import { choices } from './fixtures'

/** A store as it is once the list of methods has arrived. */
function formStore() {
  const store = createExperimentFormStore()
  store.getState().suggest(['none', 'replay', 'case-bank'])
  return store
}

const formOf = (change: Partial<ExperimentForm> = {}): ExperimentForm => ({
  ...formStore().getState(),
  ...change,
})
const wordsOf = (change: Partial<ExperimentForm>) =>
  readForm(formOf(change), choices).problems.map(({ words }) => words)

describe('seeds', () => {
  it('are whole numbers and ranges', () => {
    expect(readSeeds('1, 2, 3')).toEqual([1, 2, 3])
    expect(readSeeds(' 7 ')).toEqual([7])
    expect(readSeeds('1-3,10; 12')).toEqual([1, 2, 3, 10, 12])
    expect(readSeeds('0–2')).toEqual([0, 1, 2])
  })

  it.each([
    ['', 'Name at least one seed'],
    [' , ', 'Name at least one seed'],
    ['1, two', '“two” is not a seed'],
    ['1.5', '“1.5” is not a seed'],
    ['-1', '“-1” is not a seed'],
    ['5-3', '“5-3” runs backwards'],
    ['1, 2, 1', 'Seed 1 is named twice'],
    ['1-3, 2', 'Seed 2 is named twice'],
    ['1-101', 'at most 100 seeds'],
    ['1-999999999999', 'Seeds go up to'],
  ])('“%s” is refused in words', (text, words) => {
    expect(readSeeds(text)).toContain(words)
  })
})

describe('the composer’s form', () => {
  it('repeats a lifelong stream over worlds or orders, and any other over seeds', () => {
    const id = 'lifelong:drift?world=101&order=1'
    const [first] = choices.streams
    if (!first) throw new Error('There is a stream.')
    const withLife = { ...choices, streams: [...choices.streams, { ...first, id, source: 'made' as const }] }
    const read = (change: Partial<ExperimentForm>) => {
      const { definition } = readForm(formOf({ stream: id, ...change }), withLife)
      return studySchema.parse(definition)
    }
    expect(read({})).toMatchObject({
      ...{ stream: 'drift', seeds: [1] },
      suite: { streams: ['drift'], worlds: [1001, 1002, 1003], orders: 1 },
    })
    expect(read({ vary: 'orders', orders: 4 }).suite).toMatchObject({ worlds: [101], orders: 4 })
    expect(read({ vary: 'seeds' })).toMatchObject({ stream: id, seeds: [1, 2, 3] })
    expect(read({ vary: 'seeds' }).suite).toBeUndefined()
    expect(readForm(formOf({ vary: 'worlds' }), choices).definition?.suite).toBeUndefined()
    expect(readForm(formOf({ stream: id, worlds: '1, x' }), withLife).problems[0]?.words).toContain(
      '“x” is not a world',
    )
  })

  it('is a whole experiment from the first moment', () => {
    const { definition, problems, stream, model } = readForm(formOf(), choices)
    expect(problems).toEqual([])
    expect([stream?.id, model?.path]).toEqual(['house-rules-a', '/m/demo.gguf'])
    expect(definition).toEqual({
      stream: 'house-rules-a',
      methods: ['none', 'replay', 'case-bank'],
      seeds: [1, 2, 3],
      exp: [4],
      model: '/m/demo.gguf',
      tasks: null,
      baseline: 'none',
      settings: { temperature: 0.2, maxTokens: 512, contextSize: null, inFlight: 1 },
      protocol: { iterations: 1, passes: 1, retest: 0 },
    })
    expect(studySchema.parse(definition)).toEqual(definition)
  })

  it('names a temperature of further attempts only where one is set', () => {
    const read = readForm(formOf({ passes: 3, againTemperature: 0.9 }), choices)
    expect(read.definition?.protocol).toEqual({ iterations: 1, passes: 3, againTemperature: 0.9, retest: 0 })
  })

  it('keeps the methods in the order of the list and forgets a baseline that is gone', () => {
    const read = readForm(formOf({ methods: ['case-bank', 'replay'] }), choices)
    expect(read.definition?.methods).toEqual(['replay', 'case-bank'])
    expect(read.definition?.baseline).toBeNull()
  })

  it.each<[Partial<ExperimentForm>, string]>([
    [{ methods: [] }, 'Choose at least one method'],
    [{ methods: ['none', 'magic'] }, 'There is no method “magic”'],
    [{ stream: '/elsewhere/other.jsonl' }, 'The stream “other.jsonl” is not here'],
    [{ model: '/m/broken.gguf' }, 'The model “broken.gguf” is not here'],
    [{ seeds: 'x' }, '“x” is not a seed'],
    [{ iterations: 2, passes: 2 }, 'Choose either iterations or passes'],
  ])('%j is refused in words', (change, words) => {
    expect(wordsOf(change)).toEqual([expect.stringContaining(words)])
    expect(readForm(formOf(change), choices).definition).toBeNull()
  })

  it('says what is missing where nothing is here', () => {
    const { problems } = readForm(formOf(), { ...choices, streams: [], models: [] })
    expect(problems).toMatchObject([{ place: 'stream' }, { place: 'model' }])
  })

  it('finds a stream by the file’s name when it came from another machine', () => {
    expect(readForm(formOf({ stream: 'mine.jsonl' }), choices).stream?.id).toBe('/data/streams/mine.jsonl')
  })

  it('takes variants that differ, under names that can be told apart', () => {
    const variant = {
      id: 1,
      name: 'solved-only',
      method: 'case-bank',
      settings: { 'case-bank': { failed: false } },
    }
    const { definition } = readForm(formOf({ variants: [variant], baseline: 'solved-only' }), choices)
    expect(definition?.methods.at(-1)).toEqual({
      name: 'solved-only',
      method: 'case-bank',
      settings: { 'case-bank': { failed: false } },
    })
    expect(definition?.baseline).toBe('solved-only')
    const wrong = (change: Partial<typeof variant>) => wordsOf({ variants: [{ ...variant, ...change }] })
    expect(wrong({ settings: { 'case-bank': { failed: true } } })).toEqual([
      expect.stringContaining('just like “case-bank”'),
    ])
    expect(wrong({ name: 'replay' })).toEqual([expect.stringContaining('is taken')])
    expect(wrong({ name: 'solved only' })).toEqual([expect.stringContaining('cannot be a name')])
    expect(wrong({ name: '' })).toEqual([expect.stringContaining('Give every variant a name')])
    expect(wrong({ method: 'magic' })).toEqual([expect.stringContaining('There is no method “magic”')])
  })
})

describe('the form store', () => {
  it('ticks what is suggested until a person ticks something', () => {
    const store = formStore()
    expect(store.getState().methods).toEqual(['none', 'replay', 'case-bank'])
    store.getState().toggleMethod('evosc')
    store.getState().suggest(['none'])
    expect(store.getState().methods).toEqual(['none', 'replay', 'case-bank', 'evosc'])
    store.getState().clear()
    expect(store.getState().methods).toEqual(['none'])
  })

  it('comes back to the same definition through a file', () => {
    const store = formStore()
    store.getState().toggleMethod('evosc')
    store.getState().toggleExp(16)
    store.getState().toggleExp(0)
    store.getState().addVariant('evosc')
    const [variant] = store.getState().variants
    expect(variant).toMatchObject({ name: 'evosc-2', method: 'evosc', settings: {} })
    store.getState().changeVariant(variant?.id ?? 0, { settings: { evosc: { successLessons: false } } })
    store.getState().change({ name: 'Mine', tasks: 9, iterations: 3, temperature: 0.7, seeds: '4-6' })
    const { definition } = readForm(store.getState(), choices)
    expect(definition).toMatchObject({ name: 'Mine', exp: [0, 4, 16], seeds: [4, 5, 6] })

    const other = formStore()
    other.getState().load(studySchema.parse(definition))
    expect(readForm(other.getState(), choices).definition).toEqual(definition)
    expect(other.getState().more).toBe(true)
    other.getState().clear()
    expect(other.getState()).toMatchObject({ name: '', variants: [], iterations: 1 })
  })

  it('gives new variants names of their own and takes them away again', () => {
    const store = formStore()
    for (let i = 0; i < 3; i += 1) store.getState().addVariant('scm')
    expect(store.getState().variants.map(({ name }) => name)).toEqual(['scm-2', 'scm-3', 'scm-4'])
    store.getState().removeVariant(store.getState().variants[1]?.id ?? 0)
    store.getState().addVariant('scm')
    expect(store.getState().variants.map(({ name }) => name)).toEqual(['scm-2', 'scm-4', 'scm-3'])
  })
})
