import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { readPresentation } from '../../../src/core/ground/presentation'
import { fakeBank, fakeRecord, fakeTasks, fakeTrajectory, openRig } from './fakes'

const TASKS = 12

/** How attempts were to stand before each task that was attempted with memory, in a run whose attempts all end so. */
async function formsOf(reward: 0 | 1, unaided: number): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'loam-examples-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }))
  const forms: string[] = []
  const { service } = await openRig(folder, fakeBank(), fakeTasks(TASKS), (input) => {
    forms.push(readPresentation(input.context.settings).attempts)
    return Promise.resolve({ ...fakeTrajectory(input), reward })
  })
  const record = fakeRecord('run', TASKS)
  const settings = { presentation: { attempts: 'turns', unaided } }
  await service.start({ ...record, config: { ...record.config, settings } })
  await service.ended('run')
  return forms
}

test('an agent that solves its tasks alone is shown no attempts at others, and one that fails them is', async () => {
  const able = await formsOf(1, 0.25)
  expect(able).toHaveLength(TASKS)
  expect(able.filter((form) => form === 'turns').length).toBeLessThanOrEqual(2)
  expect(await formsOf(0, 0.25)).toEqual([...Array(4).fill('none'), ...Array(TASKS - 4).fill('turns')])
  expect(await formsOf(1, 0)).toEqual(Array(TASKS).fill('turns'))
})
