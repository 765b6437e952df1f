import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { lexicalEmbedder } from '../../../src/core/retrieval/lexical-embedder'
import { openMemory } from '../../../src/main/memory-store/memory'
import { searchFold, type ModeFigures } from '../../fixtures/kb/measure-modes'
import { buildLabelledSet, hasLabelledData } from '../../fixtures/kb/labelled-set'
import { labelledTalks, longerTalks } from '../../fixtures/kb/labelled-talks'
import { inTempFolder } from './fixtures'

const data = resolve('../shared/data/lifelongagentbench')

// Skipped where LifelongAgentBench's data sets do not lie beside the checkout: they are not part of it.
test.skipIf(!hasLabelledData(data))(
  'searching by words and meaning is at least as good as by either',
  async () => {
    const { test: folds } = buildLabelledSet(data)
    const figures: ModeFigures[] = []
    for (const fold of folds)
      await inTempFolder(async (folder) => {
        const memory = await openMemory({ folder, embedder: lexicalEmbedder })
        figures.push(await searchFold(memory, fold))
        await memory.close()
      })
    const mean = (mode: keyof ModeFigures, name: 'recallAt3' | 'mrr'): number => {
      const queries = figures.reduce((sum, each) => sum + each[mode].queries, 0)
      return figures.reduce((sum, each) => sum + each[mode][name] * each[mode].queries, 0) / queries
    }
    for (const name of ['recallAt3', 'mrr'] as const)
      for (const mode of ['text', 'semantic'] as const)
        expect(mean('hybrid', name), `${name} against ${mode}`).toBeGreaterThanOrEqual(mean(mode, name))
    expect(mean('hybrid', 'recallAt3')).toBeGreaterThanOrEqual(0.581)
  },
)

test.skipIf(!hasLabelledData(data))('no query of the labelled set is one of its cases', () => {
  const { tuning, test: folds } = buildLabelledSet(data)
  for (const { cases, queries } of [tuning, ...folds]) {
    const ids = new Set(cases.map(({ id }) => id))
    const texts = new Set(cases.map(({ text }) => text))
    expect(queries.filter(({ id, text }) => ids.has(id) || texts.has(text))).toEqual([])
    expect(queries.every(({ relevant }) => relevant.length > 0 && relevant.every((id) => ids.has(id)))).toBe(
      true,
    )
  }
})

test('what was said is found by a question in other words', () =>
  inTempFolder(async (folder) => {
    const memory = await openMemory({ folder, embedder: lexicalEmbedder })
    const { text, hybrid } = await searchFold(memory, labelledTalks().test)
    await memory.close()
    expect(text.queries).toBe(32)
    expect(text.recallAt5).toBeGreaterThanOrEqual(0.5)
    expect(hybrid.recallAt5).toBeGreaterThanOrEqual(0.5)
  }))

test('what was said in long talks is found by questions that nothing was chosen by', () =>
  inTempFolder(async (folder) => {
    const memory = await openMemory({ folder, embedder: lexicalEmbedder })
    const { text, hybrid } = await searchFold(memory, longerTalks().asAsked)
    await memory.close()
    expect(text.queries).toBe(32)
    expect(text.recallAt5).toBeGreaterThanOrEqual(0.5)
    expect(hybrid.recallAt5).toBeGreaterThanOrEqual(0.6)
  }))
