import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect } from 'vitest'
import { lastLine, loam } from './loam-process'
import { longTest } from '../../torture'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'loam-shards-'))
})
afterAll(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }))

const at = (name: string): string => join(folder, name)
const run = async (...args: string[]): Promise<{ code: number | null; value: Record<string, unknown> }> => {
  const { code, out } = await loam(...args, '--json').ended
  return { code, value: lastLine(out) as Record<string, unknown> }
}
const STUDY = ['--stream', 'house-rules-a', '--methods', 'none,case-bank', '--seeds', '1,2', '--tasks', '2']
const play = (data: string, ...more: string[]) => run('experiment', ...STUDY, '--data', at(data), ...more)

longTest(
  'an experiment in parts, put together, is the experiment played whole',
  { timeout: 600_000 },
  async () => {
    const whole = await play('whole')
    expect(whole.code).toBe(0)
    for (const part of ['1', '2', '3'])
      expect((await play(`part-${part}`, '--shard', `${part}/3`)).code).toBe(0)
    // Two parts first: what is missing is said, and can still come.
    const two = await run('experiments', 'merge', at('part-1'), at('part-2'), '--data', at('merged'))
    expect(two).toMatchObject({ code: 0, value: { cells: 3, missing: [expect.any(String)] } })
    const all = await run(
      'experiments',
      'merge',
      at('part-1'),
      at('part-2'),
      at('part-3'),
      '--data',
      at('merged'),
    )
    expect(all.value).toMatchObject({ id: two.value['id'], cells: 4, missing: [] })
    const report = await run('experiment', '--resume', String(all.value['id']), '--data', at('merged'))
    expect(report.code).toBe(0)
    expect(report.value['resultHash']).toBe(whole.value['resultHash'])
    // A part is not played twice in one place, and parts of different experiments are no experiment.
    expect((await play('part-1', '--shard', '1/3')).code).toBe(1)
    expect(
      (await run('experiment', ...STUDY, '--tasks', '1', '--shard', '1/3', '--data', at('other'))).code,
    ).toBe(0)
    expect((await run('experiments', 'merge', at('part-1'), at('other'), '--data', at('merged'))).code).toBe(
      1,
    )
  },
)

longTest('a suite in parts, put together, is the suite played whole', { timeout: 600_000 }, async () => {
  const suite = ['experiment', 'lifelong-suite', '--worlds', '901', '--streams', 'steady', '--tasks', '2']
  const asked = [...suite, '--methods', 'none,case-bank']
  const whole = await run(...asked, '--data', at('suite'))
  for (const part of ['1', '2'])
    expect((await run(...asked, '--data', at(`suite-${part}`), '--shard', `${part}/2`)).code).toBe(0)
  const merged = ['--data', at('suite-merged')]
  const all = await run('experiments', 'merge', at('suite-1'), at('suite-2'), ...merged)
  expect(all.value).toMatchObject({ cells: 2, missing: [] })
  const report = await run('experiment', '--resume', String(all.value['id']), ...merged)
  expect(report.value['summary']).toEqual(whole.value['summary'])
  expect(report.value).toMatchObject({ status: 'done', pending: 0, cells: [{ total: 2 }, { total: 2 }] })
})
