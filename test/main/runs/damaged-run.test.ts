import { appendFile, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { fakeBank, fakeRecord, fakeTasks, fakeTrajectory, openRig, type FakeBank } from './fakes'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'loam-runs-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const fileOf = (name: string): string => join(folder, 'run-a', name)
const open = (bank: FakeBank, count = 6) =>
  openRig(folder, bank, fakeTasks(count), (input) => Promise.resolve(fakeTrajectory(input)))

/** A run of six tasks that is done. */
async function finished(): Promise<FakeBank> {
  const bank = fakeBank()
  const { service } = await open(bank)
  await service.start(fakeRecord('run-a', 6))
  await service.settled('run-a')
  return bank
}

const DAMAGES: readonly [string, () => Promise<void>][] = [
  [
    'a step changed its reward',
    async () => {
      const text = await readFile(fileOf('events.jsonl'), 'utf8')
      await writeFile(fileOf('events.jsonl'), text.replace('"index":2,', '"index":2,"x":1,'))
    },
  ],
  [
    'lines in the middle are gibberish',
    async () => {
      const lines = (await readFile(fileOf('events.jsonl'), 'utf8')).split('\n')
      await writeFile(
        fileOf('events.jsonl'),
        lines.map((line, i) => (i > 2 && i < 6 ? '\u0000\u0000' : line)).join('\n'),
      )
    },
  ],
  ['events.jsonl is gone', () => rm(fileOf('events.jsonl'))],
  [
    'run.json has another seed',
    async () => {
      const text = await readFile(fileOf('run.json'), 'utf8')
      await writeFile(fileOf('run.json'), text.replace('"seed": 1', '"seed": 2'))
    },
  ],
  ['run.json is empty', () => writeFile(fileOf('run.json'), '')],
  ['run.json is gone', () => rm(fileOf('run.json'))],
  [
    'the last line says something else',
    async () => {
      const text = await readFile(fileOf('events.jsonl'), 'utf8')
      await writeFile(fileOf('events.jsonl'), text.replace('"status":"done"', '"status":"failed"'))
    },
  ],
]

describe('a damaged run', () => {
  it.each(DAMAGES)(
    'is put right from the journal, says so, and keeps the evidence: %s',
    async (name, damage) => {
      const bank = await finished()
      const before = (await open(bank)).service.get('run-a')
      await damage()
      const info = (await open(bank)).service.get('run-a')
      expect(info).toMatchObject({
        status: 'done',
        rewards: [1, 0, 1, 0, 1, 0],
        config: { seed: 1 },
        usage: before.usage,
      })
      expect(info.repaired).toMatch(/(run\.json|events\.jsonl) (could not be read|was missing)/)
      const names = await readdir(join(folder, 'run-a'))
      if (!name.endsWith('gone')) expect(names.some((one) => one.includes('.damaged-'))).toBe(true)
      const again = (await open(bank)).service.get('run-a')
      expect(again).toMatchObject({ status: 'done', rewards: info.rewards })
      expect(again.repaired).toBeUndefined()
    },
  )

  it('stays listed with what is wrong while its memory cannot be opened, and is put right when resumed', async () => {
    const bank = await finished()
    await DAMAGES[0]?.[1]()
    const away = { ...bank, trajectory: () => Promise.reject(new Error('the disk is not there')) }
    const { service } = await open(away)
    const [info] = service.list()
    expect(info).toMatchObject({ id: 'run-a', status: 'paused', problem: { code: 'DATA_CORRUPT' } })
    expect(info?.problem?.cause).toMatch(/line 6 of events\.jsonl .* disk is not there/)
    await expect(service.resume('run-a')).rejects.toThrow('the disk is not there')
    const text = await readFile(fileOf('events.jsonl'), 'utf8')
    expect(text).toContain('"x":1')
    expect((await open(bank)).service.get('run-a')).toMatchObject({
      status: 'done',
      rewards: [1, 0, 1, 0, 1, 0],
    })
  })

  it('stays listed with what is wrong when both copies of its record are lost', async () => {
    const bank = await finished()
    await writeFile(fileOf('run.json'), '{"format":')
    const text = await readFile(fileOf('events.jsonl'), 'utf8')
    await writeFile(fileOf('events.jsonl'), text.replace('"kind":"record"', '"kind":"recrod"'))
    const { service } = await open(bank)
    const [info] = service.list()
    expect(info).toMatchObject({ id: 'run-a', status: 'failed', problem: { code: 'DATA_CORRUPT' } })
    expect(info?.problem?.cause).toContain('run.json cannot be read')
    expect(service.get('run-a')).toEqual(info)
    expect(service.has('run-a')).toBe(false)
    await expect(service.resume('run-a')).rejects.toMatchObject({ code: 'DATA_CORRUPT' })
  })

  it('is no run whose last line is torn, nor one of an older version', async () => {
    const bank = await finished()
    await appendFile(fileOf('events.jsonl'), '{"kind":"step","ind')
    expect((await open(bank)).service.get('run-a').repaired).toBeUndefined()
    // As earlier versions wrote them: no checksums, no copy of the record.
    const plain = (text: string): string =>
      text.replaceAll(/,\s*"sum": ?"[0-9a-f]{8}"/g, '').replaceAll('"sealed":true,', '')
    await writeFile(fileOf('run.json'), plain(await readFile(fileOf('run.json'), 'utf8')))
    const lines = plain(await readFile(fileOf('events.jsonl'), 'utf8')).split('\n')
    await writeFile(fileOf('events.jsonl'), lines.slice(1).join('\n'))
    const info = (await open(bank)).service.get('run-a')
    expect(info).toMatchObject({ status: 'done', rewards: [1, 0, 1, 0, 1, 0] })
    expect(info.repaired).toBeUndefined()
  })
})
