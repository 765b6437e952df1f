import { existsSync, readdirSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { presetsOf } from '../../../../src/core/ground/method'
import { checkRunSettings } from '../../../../src/core/lab/setting-groups'
import { METHODS } from '../../../../src/core/methods'
import { ENVIRONMENTS } from '../../../../src/core/tasks'
import { methodChecks, type MethodRig } from '../../../../src/main/conform/method-checks'
import { loadPrompts } from '../../../../src/main/ground/prompts'
import { findResources } from '../../../../src/main/ground/resources'
import { attemptAt, memoryMemory, shippedPrompts, scriptedModel } from '../fixtures'
import { wordEmbedder } from '../../../main/memory-store/fixtures'

const prompts = await loadPrompts(findResources().prompts)
const folders = readdirSync(resolve('src/core/methods'), { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name)

it('every folder is a method of the list, and every method a folder', () => {
  expect(folders.sort()).toEqual(METHODS.map(({ info }) => info.id).sort())
})

let model = scriptedModel([])
const rig: MethodRig = {
  prompts,
  unacted: attemptAt(3, 0, { rounds: [], finish: 'context-overflow' }),
  asked: () => model.requests.length,
  async context() {
    const bank = memoryMemory()
    await bank.commit([1, 2].map((n) => ({ kind: 'trajectory-added' as const, trajectory: attemptAt(n, 1) })))
    model = scriptedModel([])
    return { bank, model, prompts: shippedPrompts, embedder: wordEmbedder(), settings: {}, k: 4, seed: 1 }
  },
}

describe.each(METHODS.map((method) => [method.info.id, method] as const))('method %s', (_id, method) => {
  const { info, paper } = method

  for (const { name, run } of methodChecks(method, () => rig)) it(name, run)

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
    for (const { at, claim, here, tuned, notRun, study, results } of paper.claims ?? []) {
      // A figure, or why there is none.
      for (const words of [at, claim, here ?? notRun ?? '']) expect(words.trim(), at).not.toBe('')
      // How many, in which worlds, and what was chosen on them.
      if (here !== undefined) expect(here, at).toMatch(/\d+ (?:\w+ )?(?:tasks|streams|solved)/)
      if (here !== undefined) expect(here, at).toMatch(/[Ww]orlds?\b|house-rules|streams/)
      expect(here === undefined, at).toBe(tuned === undefined)
      if (study !== undefined)
        expect(existsSync(resolve(`resources/experiments/${study}.yaml`)), study).toBe(true)
      if (results !== undefined) expect(existsSync(resolve(results)), results).toBe(true)
    }
  })
})
