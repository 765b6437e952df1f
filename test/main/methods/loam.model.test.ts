import { rm } from 'node:fs/promises'
import { afterEach, expect, test } from 'vitest'
import { createApp, type App } from '../../../src/main/app'
import { DEMO_MODEL, tempFolder, trajectoriesOf } from '../runs/rig-app'

let opened: App | undefined
let folder: string | undefined
afterEach(async () => {
  await opened?.dispose()
  if (folder !== undefined) await rm(folder, { recursive: true, force: true, maxRetries: 5 })
})

test('where only every fifth reward is told, each attempt teaches what it saw, and says why items were chosen and what came close', async () => {
  folder = await tempFolder()
  const app = await createApp({ dataPath: `${folder}/data`, host: 'memory', gpuLayers: 'cpu' })
  opened = app
  const run = await app.runDrafts.start({
    ...{ stream: 'lifelong:sparse?world=7&order=1', method: 'loam', model: DEMO_MODEL, tasks: 30, seed: 1 },
  })
  expect(await app.runs.ended(run.id)).toMatchObject({ status: 'done', done: 30, problem: null })
  const attempts = await trajectoriesOf(app, run.id)
  const unjudged = new Set(attempts.flatMap(({ id, ungraded }) => (ungraded === undefined ? [] : [id])))
  expect(unjudged.size).toBe(24)
  const beliefs = attempts.flatMap(({ recalled }) => recalled.filter(({ kind }) => kind === 'belief'))
  expect(beliefs.some(({ trajectoryId }) => unjudged.has(trajectoryId ?? ''))).toBe(true)
  // A line is what an agent wrote, letter for letter; other beliefs tell what was met.
  const wrote = new Map(
    attempts.map(({ id, rounds }) => [id, rounds.map(({ completion }) => completion).join('\n')]),
  )
  for (const { why, title, trajectoryId } of beliefs.filter(({ id }) => id.startsWith('line-'))) {
    expect(wrote.get(trajectoryId ?? '')).toContain(title)
    expect(why?.parts['says']).toBeGreaterThan(0)
  }
  // Each that was shown is an item of the memory, which says where it was used.
  const { memoryId } = attempts[0] ?? { memoryId: '' }
  for (const id of new Set(beliefs.map((one) => one.id))) {
    const item = await app.memory.get(memoryId, { kind: 'belief', id })
    expect(item.recalls.recalled).toBe(beliefs.filter((one) => one.id === id).length)
    expect(item).toMatchObject({ gone: null, trust: { origin: 'attempt' } })
  }
  for (const { choice } of attempts) {
    expect(choice?.tokens).toBeLessThanOrEqual(choice?.budget ?? 0)
    expect(choice?.expected).toBeGreaterThanOrEqual(choice?.without ?? 1)
  }
  expect(attempts.some(({ choice }) => (choice?.runnersUp.length ?? 0) > 0)).toBe(true)
}, 300_000)
