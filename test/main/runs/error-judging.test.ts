import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { damageIn } from '../../../src/main/ground/record-file'
import { createErrorJudging, type ErrorJudgingDeps } from '../../../src/main/runs/error-judging'
import { scriptedModel } from '../../core/methods/fixtures'
import { solvedAttempt } from '../soft-prompts/fixtures'
import { tempFolder } from './rig-app'

let folder: string
beforeEach(async () => {
  folder = await tempFolder()
  await mkdir(join(folder, 'run'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

it('keeps what a model said of failures, whichever of the two files is damaged', async () => {
  const failure = { ...solvedAttempt('one', 'Tell a tale.', ['Once']), reward: 0 as const }
  const open = () => {
    const deps = {
      runs: {
        ...{ get: () => ({ config: { method: 'none', model: 'm', seed: 1 } }), list: () => [] },
        ...{ steps: () => [{ index: 0 }], trajectory: () => Promise.resolve(failure) },
      },
      folder,
      prompts: () => Promise.resolve({ text: () => 'Name the class.' }),
      loadModel: () =>
        Promise.resolve(scriptedModel([JSON.stringify({ class: 'planning', reason: 'No plan.' })])),
    }
    return createErrorJudging(deps as unknown as ErrorJudgingDeps)
  }
  expect(await open().judge('run', { model: null })).toBe(1)
  const path = join(folder, 'run', 'errors.json')
  const whole = await readFile(path, 'utf8')
  for (const end of ['', '.copy']) {
    await writeFile(path + end, whole.replace('planning', 'reasoning'))
    const { a } = await open().report('run', null)
    expect(a.failures.map((one) => [one.class, one.reason])).toEqual([['planning', 'No plan.']])
    await writeFile(path + end, whole)
  }
  expect(damageIn(folder)).toEqual([expect.stringContaining('nothing is lost') as string])
  // As versions before wrote it.
  await rm(`${path}.copy`)
  await writeFile(
    path,
    JSON.stringify([{ trajectoryId: 'one', class: 'format', reason: 'Old.', model: 'm' }]),
  )
  expect((await open().report('run', null)).a.failures[0]).toMatchObject({ class: 'format', by: 'judge' })
})
