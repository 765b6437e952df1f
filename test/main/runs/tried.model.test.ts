import { mkdtemp, readFile, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { isHeldOutTask } from '../../../src/core/consolidation/plan'
import { createApp, type App } from '../../../src/main/app'
import { findResources } from '../../../src/main/ground/resources'
import { trialWords, softPromptSchema } from '../../../src/shared/domain/soft-prompt'

let folder: string
let app: App
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'loam-tried-'))
  app = await createApp({
    dataPath: join(folder, 'data'),
    host: 'memory',
    resources: findResources(),
    gpuLayers: 'cpu',
  })
})
afterEach(async () => {
  await app.dispose()
  await rm(folder, { recursive: true, force: true })
})

/** A run that trains after 10 tasks and again after 4 more that were solved, a step each. */
async function play(ptcServe: 'if-better' | 'always') {
  const space = await app.spaces.create('Training')
  const evosc = { ptc: true, ptcAfter: 10, ptcEvery: 4, ptcLength: 4, ptcSteps: 1, ptcTeacher: 2, ptcServe }
  const { id } = await app.runDrafts.start({
    ...{ stream: 'house-rules-a', method: 'evosc', spaceId: space.id, tasks: 18, k: 1, maxTokens: 128 },
    settings: { evosc },
  })
  const run = await app.runs.settled(id)
  const shelf = join(app.spaces.folder(space.id), 'artifacts', 'soft-prompts')
  const names = (await readdir(shelf)).filter((name) => /-t\d+\.json$/.test(name)).sort()
  const infos = await Promise.all(
    names.map(async (name) => softPromptSchema.parse(JSON.parse(await readFile(join(shelf, name), 'utf8')))),
  )
  const bank = await app.spaces.open(space.id)
  const attempts = await Promise.all(
    run.rewards.map((_, index) => bank.trajectory(`${id}-t${String(index).padStart(4, '0')}`)),
  )
  return { run, infos, attempts: attempts.flatMap((attempt) => attempt ?? []) }
}

test('a soft prompt that one step made is tried on held-out tasks, left on the shelf, and trained on', async () => {
  const { run, infos, attempts } = await play('if-better')
  expect(run).toMatchObject({ status: 'done', done: 18, problem: null })
  expect(infos.length).toBeGreaterThanOrEqual(2)
  expect(run.tried?.map(({ due }) => due)).toEqual(infos.map(({ adapter }) => Number(adapter.slice(-7, -5))))
  const [first, second] = infos
  expect(first?.begunFrom).toBeUndefined()
  expect(second?.begunFrom).toBe(first?.adapter)
  const learned = new Set(infos.flatMap(({ trajectories }) => trajectories))
  for (const { trial } of infos) {
    expect(trial?.tasks.length).toBeGreaterThan(0)
    expect(trial?.served).toBe((trial?.ci95?.[0] ?? 0) > 0)
    for (const { index } of trial?.tasks ?? []) {
      const attempt = attempts[index]
      expect(attempt && isHeldOutTask(attempt.task, 0.3, 1)).toBe(true)
      expect(learned.has(attempt?.id ?? '')).toBe(false)
    }
  }
  const shelved = run.tried?.every(({ served }) => !served) ?? false
  expect(attempts.some(({ recalled }) => recalled.some(({ kind }) => kind === 'soft-prompt'))).toBe(!shelved)
  expect(trialWords(run.tried?.[0] ?? ({} as never))).toMatch(/stays on the shelf|is served/)
})

test('one that is served in any case is not tried', async () => {
  const { run, infos, attempts } = await play('always')
  expect(run.tried).toBeUndefined()
  expect(infos.every(({ trial }) => trial === undefined)).toBe(true)
  expect(attempts.at(-1)?.recalled[0]?.kind).toBe('soft-prompt')
})
