import { describe, expect, it } from 'vitest'
import { createRunFormStore, toStartInput, withDefaults } from '../../../src/renderer/stores/run-form'
import { methodInfo } from '../../../src/core/ground/method'
import { caseBankQ } from '../../../src/core/methods/case-bank-q/case-bank-q'
import { methodInfoSchema } from '../../../src/shared/domain/method'
import { method, model, stream } from '../choices'

const choices = {
  streams: [stream('file', false), stream('house-rules-a', true)],
  methods: [method('none', false), method('case-bank', true)],
  models: [model('broken', true, 'truncated'), model('big', false), model('demo', true)],
}

describe('run form', () => {
  it('starts from the demo stream, the case bank and a usable demo model', () => {
    const picked = withDefaults(createRunFormStore().getState(), choices)
    expect([picked.stream?.id, picked.method?.id, picked.model?.path]).toEqual([
      'house-rules-a',
      'case-bank',
      'demo',
    ])
  })

  it('never takes a model that cannot be loaded', () => {
    const form = { ...createRunFormStore().getState(), model: 'broken' }
    expect(withDefaults(form, choices).model?.path).toBe('demo')
  })

  it('takes the model that answers asks for tasks that are none of the demo’s worlds', () => {
    const own = { ...stream('own', false), environment: 'qa' }
    const models = [
      model('demo', true),
      model('small', false),
      { ...model('big', false), usual: true as const },
    ]
    const withOwn = { ...choices, streams: [...choices.streams, own], models }
    const form = createRunFormStore().getState()
    expect(withDefaults({ ...form, stream: 'own' }, withOwn).model?.path).toBe('big')
    expect(withDefaults({ ...form, stream: 'own', model: 'demo' }, withOwn).model?.path).toBe('demo')
    expect(withDefaults({ ...form, stream: 'file' }, withOwn).model?.path).toBe('demo')
    expect(
      withDefaults({ ...form, stream: 'own' }, { ...withOwn, models: [model('demo', true)] }).model?.path,
    ).toBe('demo')
  })

  it('leaves K to methods that use it', () => {
    const form = { ...createRunFormStore().getState(), method: 'none', k: 8 }
    expect(toStartInput(form, choices)?.k).toBeNull()
    expect(toStartInput({ ...form, method: 'case-bank' }, choices)?.k).toBe(8)
  })

  it('sends only the settings of the method that runs and of the environment it runs in', () => {
    const settings = {
      'case-bank': { failed: false },
      evosc: { capacity: 9 },
      'lab-db': { rounds: 5 },
      spreadsheet: { rounds: 9 },
    }
    const form = { ...createRunFormStore().getState(), settings }
    expect(toStartInput(form, choices)?.settings).toEqual({
      'case-bank': { failed: false },
      'lab-db': { rounds: 5 },
    })
  })

  it('names the preset that was taken over, and says all that it sets, so that nothing is filled in anew', () => {
    const learned = methodInfoSchema.parse(JSON.parse(JSON.stringify(methodInfo(caseBankQ))))
    const form = {
      ...createRunFormStore().getState(),
      method: learned.id,
      preset: 'paper',
      settings: { [learned.id]: { candidates: 10_000 } },
    }
    const input = toStartInput(form, { ...choices, methods: [learned] })
    expect(input).toMatchObject({ preset: 'paper', k: 4 })
    // The cold start was set back to what it is by default, which is not what the preset sets.
    expect(input?.settings?.[learned.id]).toMatchObject({ candidates: 10_000, coldStart: 30 })
    expect(toStartInput({ ...form, preset: 'gone' }, { ...choices, methods: [learned] })).not.toHaveProperty(
      'preset',
    )
  })

  it('cannot start without a model', () => {
    expect(toStartInput(createRunFormStore().getState(), { ...choices, models: [] })).toBeNull()
  })
})
