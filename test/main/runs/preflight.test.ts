import { expect, it } from 'vitest'
import { createPreflight, type PreflightDeps } from '../../../src/main/runs/preflight'
import { mayAnswerDirectly, recallCount, suitedToModel } from '../../../src/main/runs/run-drafts'
import { LoamError } from '../../../src/shared/errors'
import type { SettingChanges } from '../../../src/shared/domain/setting'

const MODELS = [
  { path: '/m/demo.gguf', name: 'Loam demo', demo: true, problem: null },
  { path: '/m/base.gguf', name: 'Base', demo: false, base: true, problem: null },
  { path: '/m/chat.gguf', name: 'Chat', demo: false, problem: null },
]
const away = () => Promise.reject(new LoamError('NOT_FOUND', 'Not here.', { suggestion: 'None.' }))

/** What is said of a run of 40 tasks whose attempts took `ms` each before. */
async function notesOf(model: string, stream: 'demo' | 'own', ms = 1000) {
  const deps = {
    streams: {
      load: (id: string) =>
        Promise.resolve({
          tasks: Array.from({ length: 40 }, () => ({})),
          info: {
            title: id === 'own' ? 'My questions' : 'Harbor',
            environment: id === 'own' ? 'qa' : 'worlds',
          },
        }),
    },
    environment: away,
    foundModels: () => Promise.resolve(MODELS),
    identify: () => Promise.resolve(null),
    fit: away,
    embedder: () => Promise.resolve({ id: 'meaning' }),
    runs: () => [{ id: 'r', done: 1, config: { model, method: 'case-bank' } }],
    steps: () => [{ ms, index: 0, at: '2026-01-01T00:00:00.000Z' }],
    trainingCost: () => Promise.resolve(null),
    demoModel: '/m/demo.gguf',
  } as unknown as PreflightDeps
  const { notes, etaMs } = await createPreflight(deps).check({ stream, method: 'case-bank', model })
  return { etaMs, texts: notes.filter(({ level }) => level === 'warn').map(({ text }) => text) }
}

it('warns of tasks that a model was not made for', async () => {
  expect((await notesOf('/m/demo.gguf', 'own')).texts).toEqual([
    "Loam demo was made for the demo's own worlds, and not for My questions: it will solve next to nothing.",
  ])
  expect((await notesOf('/m/demo.gguf', 'demo')).texts).toEqual([])
  expect((await notesOf('/m/chat.gguf', 'own')).texts).toEqual([])
  expect((await notesOf('/m/base.gguf', 'own')).texts).toEqual([
    'Base goes on with texts; nobody trained it to do tasks.',
  ])
})

it('warns of hours, and says how many tasks take one', async () => {
  const { etaMs, texts } = await notesOf('/m/chat.gguf', 'own', 600_000)
  expect(etaMs).toBe(24_000_000)
  expect(texts).toEqual(['It takes about 7 hours at the pace of earlier runs.'])
})

it('lets a model answer questions in one reply only where nobody chose anything of planner and executor', () => {
  expect(mayAnswerDirectly('qa', {})).toBe(true)
  expect(mayAnswerDirectly('qa', { agent: { grade: 'exact' } })).toBe(true)
  expect(mayAnswerDirectly('lab-db', {})).toBe(false)
  const choices: SettingChanges[] = [{ agent: { direct: 'off' } }, { agent: { planner: false } }]
  for (const settings of choices) expect(mayAnswerDirectly('qa', settings)).toBe(false)
  expect(mayAnswerDirectly('qa', { roles: { executorModel: '/m/other.gguf' } })).toBe(false)
})

it('leaves open questions to no judge that uses tools badly, unless somebody says who judges', async () => {
  const usesTools = (model: string) => Promise.resolve(model === '/m/large.gguf')
  const suited = (changes: SettingChanges, environment = 'qa') =>
    suitedToModel(environment, changes, '/m/small.gguf', usesTools)
  expect(await suited({})).toEqual({ agent: { direct: 'on', grade: 'stated' } })
  expect(await suited({ agent: { direct: 'off' } })).toEqual({ agent: { direct: 'off', grade: 'stated' } })
  expect(await suited({ agent: { grade: 'judge' } })).toEqual({ agent: { direct: 'on', grade: 'judge' } })
  const judge = { roles: { judgeModel: '/m/large.gguf' } }
  expect(await suited(judge)).toEqual({ ...judge, agent: { direct: 'on' } })
  expect(await suited({}, 'lab-db')).toEqual({})
})

it('says how many items a run recalls: fewer for a model that is shown attempts as turns, unless somebody says it', async () => {
  const deps = {
    demoModel: '/m/demo.gguf',
    weights: () => Promise.resolve(135e6),
    attemptForm: () => Promise.resolve(null),
    usesTools: () => Promise.resolve(false),
  }
  const run = { stream: 'demo', method: 'case-bank', model: '/m/chat.gguf' }
  expect(await recallCount(run, 'lab-db', deps)).toBe(2)
  expect(await recallCount({ ...run, model: '/m/demo.gguf' }, 'lab-db', deps)).toBe(4)
  expect(await recallCount({ ...run, k: 7 }, 'lab-db', deps)).toBe(7)
  expect(await recallCount({ ...run, method: 'none' }, 'lab-db', deps)).toBe(0)
})
