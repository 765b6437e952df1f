import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findResources } from '../../../src/main/ground/resources'
import { createEnvironments } from '../../../src/main/streams/environments'
import { hashTasks, openStreamLibrary } from '../../../src/main/streams/stream-library'
import { streamPage } from '../../../src/main/streams/stream-page'
import { keepVerification } from '../../../src/main/streams/verifications'
import { verifiedWords, workedWords } from '../../../src/shared/figures/stream-words'
import type { RunInfo } from '../../../src/shared/domain/run'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'loam-page-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const resources = findResources()
const streams = openStreamLibrary(resources.streams, resources.streams)
const environments = createEnvironments(resources.prompts, (stream) => streams.filesOf(stream))

const run = (stream: string, method: string, model: string, done: number, solved: number) =>
  ({ config: { stream, method, model }, done, solved }) as RunInfo

const page = (id: string, runs: RunInfo[] = []) =>
  streamPage(id, { streams, environments, data: { path: folder }, runs: { list: () => runs } })

describe('the page of a stream', () => {
  it('tells where it is from, how it grades, a sample, and how far a part of its own solutions solve it', async () => {
    const found = await page('small-systems')
    expect(found.licence).toContain('Apache-2.0')
    expect(found.solved).toContain('exit code 0')
    expect(found.sample).not.toBe('')
    expect(found.verified).toMatchObject({ at: null, tried: 12, agree: 12, unknown: 0 })
    expect(verifiedWords(found.verified)).toBe('12 of 12 tried tasks are solved by their own solution.')
    expect(workedWords(found.worked)).toBe('Nobody yet.')
  })

  it('takes the last verification of all tasks, for as long as they are the same', async () => {
    const { tasks } = await streams.load('small-systems')
    const verified = {
      at: '2026-05-01T10:00:00.000Z',
      settings: ['lab-os.driver=container'],
      tried: 12,
      agree: 11,
      unknown: 1,
    }
    await keepVerification(folder, 'small-systems', await hashTasks(tasks), verified)
    expect((await page('small-systems')).verified).toEqual(verified)
    expect(verifiedWords(verified)).toBe(
      '11 of 12 tasks are solved by their own solution, 1 cannot be told (verify-env, 2026-05-01 with lab-os.driver=container).',
    )
    await keepVerification(folder, 'small-systems', 'of other tasks', verified)
    expect((await page('small-systems')).verified).toMatchObject({ at: null })
  })

  it('says which methods and models worked on it', async () => {
    const { worked } = await page('small-systems', [
      run('small-systems', 'none', '/models/a.gguf', 12, 3),
      run('small-systems', 'case-bank', '/models/a.gguf', 12, 6),
      run('small-systems', 'case-bank', '/models/a.gguf', 10, 5),
      run('sheets', 'none', '/models/a.gguf', 5, 5),
    ])
    expect(worked).toEqual([
      { method: 'case-bank', model: 'a.gguf', runs: 2, tasks: 22, solved: 11 },
      { method: 'none', model: 'a.gguf', runs: 1, tasks: 12, solved: 3 },
    ])
    expect(workedWords(worked)).toBe(
      'case-bank with a.gguf: 11 of 22 solved in 2 runs\nnone with a.gguf: 3 of 12 solved in 1 run',
    )
  })
})
