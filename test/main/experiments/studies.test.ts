import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { planCells } from '../../../src/core/lab/experiment'
import { chooseExperiences } from '../../../src/core/memory/experiences/choose'
import { startWithExperiences } from '../../../src/main/experiments/open-experiments'
import { loadTemplates } from '../../../src/main/experiments/study-file'
import { openMemory } from '../../../src/main/memory-store/memory'
import { startingExperiencesSchema } from '../../../src/shared/domain/experiment'
import { experienceOf } from '../../core/memory/experiences/fixtures'
import { appInTemp } from '../app-in-temp'
import { inTempFolder, timeOf, wordEmbedder } from '../memory-store/fixtures'

const choice = (given: object = {}) => startingExperiencesSchema.parse(given)
const entry = (id: string, domain = 'database', framework = 'loam') => ({ id, domain, framework, gone: null })

test('every study that comes with Loam can be planned once a memory is chosen', async () => {
  const studies = await loadTemplates(resolve('resources/experiments'))
  const agentKb = studies.filter(({ id }) => id.startsWith('agent-kb-'))
  expect(agentKb.map(({ id }) => id)).toEqual([
    'agent-kb-ablations',
    'agent-kb-cross-domain',
    'agent-kb-gate',
    'agent-kb-passes',
    'agent-kb-retrieval',
    'agent-kb-size',
  ])
  for (const { description, definition } of studies) {
    expect(description).not.toBe('')
    const cells = planCells('e', { ...definition, experiences: 'space-1' })
    expect(cells.length).toBeGreaterThanOrEqual(definition.seeds.length * definition.methods.length)
  }
  const size = studies.find(({ id }) => id === 'agent-kb-size')
  expect(() => size && planCells('e', size.definition)).toThrow(/which memory/)
})

test('a smaller share is part of a larger one, whatever the order of arrival', () => {
  const entries = Array.from({ length: 100 }, (_, i) => entry(`e${i}`))
  const [quarter, half] = [0.25, 0.5].map((share) => chooseExperiences(entries, choice({ share }))) as [
    string[],
    string[],
  ]
  expect([quarter.length, half.length]).toEqual([25, 50])
  expect(quarter.every((id) => half.includes(id))).toBe(true)
  expect(new Set(chooseExperiences(entries.toReversed(), choice({ share: 0.25 })))).toEqual(new Set(quarter))
  expect(chooseExperiences(entries, choice({ share: 0 }))).toEqual([])
})

test('domains and frameworks are chosen or left out', () => {
  const entries = [entry('a'), entry('b', 'web'), entry('c', 'web', 'codex'), entry('d', 'code', 'codex')]
  expect(chooseExperiences(entries, choice({ domains: ['web'] }))).toEqual(['b', 'c'])
  expect(chooseExperiences(entries, choice({ exceptDomains: ['database'] }))).toEqual(['b', 'c', 'd'])
  expect(chooseExperiences(entries, choice({ frameworks: ['codex'], exceptDomains: ['code'] }))).toEqual([
    'c',
  ])
  expect(chooseExperiences(entries, choice({ exceptFrameworks: ['codex'] }))).toEqual(['a', 'b'])
})

test('a cell starts with fresh copies, and starting twice changes nothing', () =>
  inTempFolder(async (folder) => {
    const [from, into] = await Promise.all(
      ['from', 'into'].map((name) => openMemory({ folder: `${folder}/${name}`, embedder: wordEmbedder() })),
    )
    if (!from || !into) throw new Error('no memories')
    await from.commit([
      { kind: 'experience-added', experience: experienceOf('a', 'count the boats') },
      {
        kind: 'experience-added',
        experience: experienceOf('b', 'fix the parser', { meta: { domain: 'code' } }),
      },
      {
        kind: 'experience-used',
        experienceId: 'a',
        useId: 't1',
        framework: 'loam',
        reward: 1,
        eta: 0.2,
        at: timeOf(1),
      },
    ])
    const wanted = choice({ exceptDomains: ['code'] })
    expect(await startWithExperiences(from, into, wanted)).toBe(1)
    const hash = await into.contentHash()
    expect(await into.experiences.get('a')).toMatchObject({ standing: { utility: 0.5, uses: 0 } })
    expect(await startWithExperiences(from, into, wanted)).toBe(1)
    expect(await into.contentHash()).toBe(hash)
    await from.close()
    await into.close()
  }))

describe('a study that starts with the experiences of a memory', () => {
  const app = appInTemp('studies')
  const kb = { name: 'kb', method: 'agent-kb', experiences: choice({ share: 1 }) }
  const input = { stream: 'house-rules-a', methods: [kb], seeds: [1], tasks: 2, baseline: null }

  test('is refused where there is no such memory, and makes none', () =>
    inTempFolder(async (folder) => {
      const { experimentDrafts, experiments } = app()
      for (const missing of ['space-nowhere', join(folder, 'nowhere')]) {
        const asked = { ...input, experiences: missing }
        for (const refused of [experimentDrafts.plan(asked), experimentDrafts.start(asked)])
          await expect(refused).rejects.toMatchObject({ code: 'NOT_FOUND' })
      }
      expect(experiments.list()).toEqual([])
      expect(existsSync(join(folder, 'nowhere'))).toBe(false)
    }))

  test('is planned with one that is there', () =>
    inTempFolder(async (folder) => {
      const memory = await openMemory({ folder: `${folder}/from`, embedder: wordEmbedder() })
      await memory.close()
      const plan = await app().experimentDrafts.plan({ ...input, experiences: `${folder}/from` })
      expect(plan).toMatchObject({ cells: 1 })
    }))
})
