import { expect, test } from 'vitest'
import { METHODS } from '../../../../src/core/methods'
import { methodInfo } from '../../../../src/core/ground/method'
import {
  AUTOMATIC,
  chosenOf,
  everydayMethods,
  startInput,
} from '../../../../src/renderer/features/ask/choices'
import type { AskDraft } from '../../../../src/renderer/stores/asks'
import { askSpecSchema, type AskInfo } from '../../../../src/shared/domain/ask'

const methods = METHODS.map(methodInfo)
const DRAFT: AskDraft = {
  ...{ text: 'What now?', files: [], way: null, world: undefined, model: null, method: null, tools: null },
  ...{ remember: true, ownFiles: true, memoryId: null, instructions: '', temperature: null, topP: null },
  ...{ maxTokens: null, project: null, temporary: false },
}

/** What is chosen after an ask with a method that Loam or a person chose, or from before that was kept (null). */
function after(last: { method: string; automatic: boolean | null } | null, draft: Partial<AskDraft> = {}) {
  const spec = last && askSpecSchema.parse({ text: 'x', model: 'served:m', memoryId: 'm', k: 4, ...last })
  const asks = spec ? [{ spec, createdAt: '2026-01-01T00:00:00.000Z' } as AskInfo] : []
  const choices = { asks, memoryId: 'm', models: [], methods, servers: [], streams: [], automatic: 'amem' }
  const chosen = chosenOf({ ...DRAFT, ...draft }, choices)
  return { id: chosen.method?.id, automatic: chosen.automatic, chosen }
}

test('Loam chooses the method until a person does, and again once they say so', () => {
  expect(after(null)).toMatchObject({ id: 'amem', automatic: true })
  expect(after({ method: 'case-bank', automatic: true })).toMatchObject({ id: 'amem', automatic: true })
  expect(after({ method: 'case-bank', automatic: null })).toMatchObject({ id: 'amem', automatic: true })
  expect(after({ method: 'case-bank', automatic: false })).toMatchObject({
    id: 'case-bank',
    automatic: false,
  })
  expect(after({ method: 'ace', automatic: null })).toMatchObject({ id: 'ace', automatic: false })
  expect(after({ method: 'ace', automatic: false }, { method: AUTOMATIC })).toMatchObject({ automatic: true })
  // What only measures is no choice any more.
  expect(after({ method: 'oracle', automatic: false })).toMatchObject({ id: 'amem', automatic: true })
  expect(everydayMethods(methods).map(({ id }) => id)).not.toContain('oracle')
  const input = (draft: Partial<AskDraft>) =>
    startInput(DRAFT, { ...after(null, draft).chosen, reference: 'a.gguf' }, 'm')
  expect(input({})).not.toHaveProperty('method')
  expect(input({ method: 'none' })).toMatchObject({ method: 'none' })
})

test('a base model that nobody chose is asked nothing, and one that was chosen is', () => {
  const base = { path: '/stories.gguf', name: 'stories', problem: null, demo: false, base: true, usual: true }
  const choices = { asks: [], memoryId: 'm', methods, servers: [], streams: [], automatic: 'amem' }
  const referenceOf = (draft: Partial<AskDraft>) =>
    chosenOf({ ...DRAFT, ...draft }, { ...choices, models: [base as never] }).reference
  expect(referenceOf({})).toBeNull()
  expect(referenceOf({ model: base.path })).toBe(base.path)
})

test('the demo model answers in its worlds or where it is chosen; without another an ask goes to the host without a model', () => {
  const demo = { path: '/demo.gguf', name: 'demo', problem: null, demo: true, usual: true }
  const streams = [{ id: 'small', demo: true }]
  const choices = { asks: [], memoryId: 'm', methods, servers: [], automatic: 'amem' }
  const choose = (draft: Partial<AskDraft>) =>
    chosenOf({ ...DRAFT, ...draft }, { ...choices, models: [demo as never], streams: streams as never })
  expect(choose({})).toMatchObject({ reference: null, model: null, world: null })
  expect(startInput(DRAFT, choose({}), 'm')).not.toHaveProperty('model')
  expect(choose({ model: demo.path })).toMatchObject({
    reference: demo.path,
    world: { stream: 'small', index: 0 },
  })
  expect(choose({ world: { stream: 'small', index: 3 } })).toMatchObject({ reference: demo.path })
  // A fact that was only kept asked nobody, so the next question does not go to the demo model.
  const kept = {
    isFact: true,
    createdAt: '2026-03-01',
    spec: { memoryId: 'm', model: demo.path, world: null },
  }
  const afterFact = { ...choices, asks: [kept as never], models: [demo as never], streams: streams as never }
  expect(chosenOf(DRAFT, afterFact)).toMatchObject({ reference: null, world: null })
  // A base model is asked first all the same.
  const base = { path: '/b.gguf', name: 'b', problem: null, demo: false, base: true, usual: true }
  const basePick = chosenOf(DRAFT, { ...choices, models: [base as never], streams: [] })
  expect(startInput(DRAFT, basePick, 'm')).toBeNull()
})
