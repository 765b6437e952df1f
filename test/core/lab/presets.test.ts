import { describe, expect, test } from 'vitest'
import { planCells } from '../../../src/core/lab/experiment'
import { applyPreset, findPreset } from '../../../src/core/lab/presets'
import { caseBankQ } from '../../../src/core/methods/case-bank-q/case-bank-q'
import { presetsOf } from '../../../src/core/ground/method'
import { QUESTIONS } from '../../../src/core/tasks/qa/entry'
import { studySchema } from '../../../src/shared/domain/experiment'
import { runConfigSchema } from '../../../src/shared/domain/run'
import type { SettingChanges } from '../../../src/shared/domain/setting'
import { otherwiseThan, presetNames, presetTitle, readPreset } from '../../../src/shared/domain/preset'

const method = caseBankQ.info.id

describe('a preset', () => {
  test('fills in what is left out: numbers, own settings, those of the benchmark', () => {
    const filled = applyPreset({ method, preset: 'paper' }, QUESTIONS, 4096)
    expect(filled).toMatchObject({ k: 4, temperature: 1, contextSize: 4096 })
    expect(filled.settings).toMatchObject({
      [method]: { coldStart: 0, candidates: 10_000 },
      agent: { maxCycles: 3, grade: 'judge' },
    })
  })

  test('is told of a run by its title and by what the run has otherwise', () => {
    const presets = presetsOf(caseBankQ)
    const { values } = findPreset(method, 'paper/gaia', QUESTIONS)
    const { settings, ...rest } = applyPreset({ method, preset: 'paper/gaia', k: 8 }, QUESTIONS, 4096)
    const record = (changes: object) =>
      runConfigSchema.parse({ ...rest, stream: 's', model: 'm', memoryId: 'x', settings, ...changes })
    expect(presetTitle(presets, record({}).preset ?? '')).toBe('As in the paper, GAIA')
    // A context that was cut to what the model reads is as published.
    expect(otherwiseThan(values, record({}))).toEqual([{ name: 'K', value: 8 }])
    const own = { ...settings, [method]: { ...settings?.[method], coldStart: 30 } }
    expect(otherwiseThan(values, record({ k: 4, temperature: 0, settings: own }))).toEqual([
      { name: 'temperature', value: 0 },
      { name: 'coldStart', value: 30 },
    ])
    // Records of before, and presets that are gone, can be read.
    expect(record({ preset: undefined }).preset).toBeUndefined()
    expect(presetTitle(presets, 'of-yore')).toBe('of-yore')
  })

  test('goes under what is given beside it', () => {
    const settings: SettingChanges = { [method]: { coldStart: 7 }, agent: { grade: 'exact' } }
    const filled = applyPreset(
      { method, preset: 'paper', k: 1, temperature: 0, settings },
      QUESTIONS,
      1_000_000,
    )
    expect(filled).toMatchObject({ k: 1, temperature: 0, contextSize: 175_000 })
    expect(filled.settings).toMatchObject({
      [method]: { coldStart: 7, candidates: 10_000 },
      agent: { maxCycles: 3, grade: 'exact' },
    })
  })

  test('sets no context where it is not known what the model reads, and no benchmark’s in another world', () => {
    expect(applyPreset({ method, preset: 'paper' }, QUESTIONS, null)).not.toHaveProperty('contextSize')
    const elsewhere = applyPreset({ method, preset: 'paper' }, 'lab-db', 4096)
    expect(elsewhere).not.toHaveProperty('temperature')
    expect(elsewhere.settings).not.toHaveProperty('agent')
  })

  test('a benchmark is named behind a slash, and only where its tasks are', () => {
    expect(findPreset(method, 'paper/gaia', QUESTIONS).values.settings).toMatchObject({
      agent: { grade: 'exact' },
    })
    expect(() => findPreset(method, 'paper/gaia', 'lab-db')).toThrow(/no preset "paper\/gaia"/)
    expect(() => findPreset(method, 'papyrus', QUESTIONS)).toThrow(/no preset "papyrus"/)
    expect(() => findPreset('none', 'paper', QUESTIONS)).toThrow(/no preset "paper"/)
    expect(readPreset(presetsOf(caseBankQ), 'paper/gaia', null)).toBeNull()
    expect(presetNames(presetsOf(caseBankQ), QUESTIONS)).toContain('paper/hle')
    expect(presetNames(presetsOf(caseBankQ), 'lab-db')).toEqual(['paper'])
  })

  test('a variant’s K counts where the definition names none', () => {
    const cells = (exp: number[]) =>
      planCells(
        'x',
        studySchema.parse({
          ...{ stream: 's', seeds: [1], exp, baseline: null },
          methods: [{ name: 'two', method, k: 2, preset: 'paper' }],
        }),
      ).map((cell) => cell.exp)
    expect(cells([])).toEqual([2])
    expect(cells([8])).toEqual([8])
  })
})
