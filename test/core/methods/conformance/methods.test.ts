import { existsSync, readdirSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { methodInfo, presetsOf, type MethodContext } from '../../../../src/core/ground/method'
import { defaultsOf, groupInfo } from '../../../../src/core/ground/settings'
import { checkRunSettings } from '../../../../src/core/lab/setting-groups'
import { METHODS } from '../../../../src/core/methods'
import { ENVIRONMENTS } from '../../../../src/core/tasks'
import { loadPrompts, requireTemplates } from '../../../../src/main/ground/prompts'
import { findResources } from '../../../../src/main/ground/resources'
import { methodInfoSchema } from '../../../../src/shared/domain/method'
import { attemptAt, memorySpace, shippedPrompts, scriptedModel } from '../fixtures'
import { wordEmbedder } from '../../../main/memory-store/fixtures'

const prompts = await loadPrompts(findResources().prompts)
const folders = readdirSync(resolve('src/core/methods'), { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name)

it('every folder is a method of the list, and every method a folder', () => {
  expect(folders.sort()).toEqual(METHODS.map(({ info }) => info.id).sort())
})

describe.each(METHODS.map((method) => [method.info.id, method] as const))('method %s', (id, method) => {
  const { info, settings, paper } = method

  it('has its words, its colour, and says what it keeps and recalls', () => {
    const told = methodInfoSchema.parse(methodInfo(method))
    for (const words of [told.title, told.source]) expect(words.trim()).not.toBe('')
    expect(told.description).toMatch(/^[A-Z].*\.$/)
    expect(told.usesK ? told.defaultK : 1).toBeGreaterThan(0)
    for (const { what } of told.recalls) expect(what.trim()).not.toBe('')
    if (told.usesK) expect(told.recalls).not.toEqual([])
  })

  it('documents every setting', () => {
    if (!settings) return
    expect(settings.id).toBe(id)
    const { fields } = groupInfo(settings)
    expect(fields.map(({ key }) => key)).toEqual(Object.keys(defaultsOf(settings)))
    for (const field of fields) {
      expect(field.title.trim(), field.key).not.toBe('')
      expect(field.help, field.key).toMatch(/[.”]$/)
      if (field.kind === 'number' && field.whole) expect(field.unit, field.key).not.toBeNull()
      if (field.kind === 'choice')
        for (const choice of field.choices) expect(choice.title, field.key).not.toBe(choice.value)
    }
  })

  it('has presets of settings there are, the first as in its paper', () => {
    const presets = presetsOf(method)
    if (!paper) return
    expect(presets[0]?.id).toBe('paper')
    expect(new Set(presets.map((one) => one.id)).size).toBe(presets.length)
    for (const { benchmarks, ...preset } of presets) {
      expect(new Set(benchmarks.map((one) => one.id)).size).toBe(benchmarks.length)
      for (const each of [preset, ...benchmarks]) {
        for (const words of [each.title, each.source]) expect(words.trim()).not.toBe('')
        expect(() => checkRunSettings(each.settings ?? {}), each.id).not.toThrow()
        if (each.k !== undefined) expect(info.usesK).toBe(true)
      }
      for (const { environment } of benchmarks)
        expect(ENVIRONMENTS.map((one) => one.id)).toContain(environment)
    }
  })

  it('says where it differs from its paper, with files that are there', () => {
    if (!paper) return
    expect(paper.differences.length).toBeGreaterThan(0)
    for (const { at, what, where, differs, why } of paper.differences) {
      for (const words of [at, what]) expect(words.trim()).not.toBe('')
      expect(where.length, at).toBeGreaterThan(0)
      for (const path of where) expect(existsSync(resolve(path)), path).toBe(true)
      expect(differs === undefined, at).toBe(why === undefined)
    }
    for (const { at, claim, here, notRun, study, results } of paper.claims ?? []) {
      // A figure, or why there is none.
      for (const words of [at, claim, here ?? notRun ?? '']) expect(words.trim(), at).not.toBe('')
      if (study !== undefined)
        expect(existsSync(resolve(`resources/experiments/${study}.yaml`)), study).toBe(true)
      if (results !== undefined) expect(existsSync(resolve(results)), results).toBe(true)
    }
  })

  it.each(ENVIRONMENTS.map((environment) => environment.id))(
    'has every prompt it can ask for in %s',
    (environment) => {
      expect(() => requireTemplates(method, environment, prompts)).not.toThrow()
    },
  )

  it('learns nothing from an attempt that never acted', async () => {
    const model = scriptedModel([])
    const bank = memorySpace()
    await bank.commit([1, 2].map((n) => ({ kind: 'trajectory-added' as const, trajectory: attemptAt(n, 1) })))
    const context: MethodContext = {
      ...{ bank, model, prompts: shippedPrompts, embedder: wordEmbedder(), settings: {}, k: 4, seed: 1 },
    }
    const unacted = attemptAt(3, 0, { rounds: [], finish: 'context-overflow' })
    expect((await method.learn(unacted, context)).events).toEqual([])
    expect(model.requests).toEqual([])
  })

  it('is the same however often it is asked', () => {
    const changes = { [id]: {} }
    const rewards = [1, 1, 0, 1] as const
    const progress = { rewards, total: 12 }
    expect(method.distil?.(progress, changes) ?? null).toEqual(method.distil?.(progress, changes) ?? null)
    if (method.prepare) {
      const split = method.prepare.split(changes, 40)
      expect(split).toBe(method.prepare.split(changes, 40))
      expect(split).toBeLessThanOrEqual(40)
    }
    expect(info.id).toBe(id)
  })
})
