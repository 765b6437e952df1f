import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { writeDerived } from '../../../src/main/ground/derived-file'
import { damageIn } from '../../../src/main/ground/record-file'
import { openArtifacts } from '../../../src/main/memory-store/artifacts'
import { checkDataFolder } from '../../../src/main/storage/doctor'

it('what a method learned is what was written or nothing, whichever bit is another one', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'loam-artifacts-'))
  const artifacts = openArtifacts(folder)
  const bytes = new TextEncoder().encode('weights')
  await artifacts.replace('q', bytes)
  expect(await artifacts.read('q')).toEqual(bytes)
  expect(await artifacts.read('none')).toBeNull()
  const path = join(folder, 'q.bin')
  const whole = await readFile(path)
  for (let bit = 0; bit < whole.length * 8; bit++) {
    const other = Buffer.from(whole)
    other[bit >> 3] = (other[bit >> 3] ?? 0) ^ (1 << (bit & 7))
    await writeFile(path, other)
    expect(await artifacts.read('q')).toBeNull()
  }
  expect(damageIn(folder)).toHaveLength(1)
  await rm(folder, { recursive: true })
})

it('the doctor tells of a damaged file that can be made again, and takes it away', async () => {
  const path = await mkdtemp(join(tmpdir(), 'loam-derived-doctor-'))
  const file = join(path, 'trainer-pace.json')
  await writeDerived(file, { format: 1, operationsPerMs: 12 })
  const findings = async () => {
    const report = await checkDataFolder({ path, now: new Date(0), version: '0', repair: true })
    return report.findings.filter(({ of }) => of === 'records')
  }
  expect(await findings()).toEqual([])
  await writeFile(file, (await readFile(file, 'utf8')).replace('12', '13'))
  expect(await findings()).toMatchObject([{ problem: 'It is damaged. It can be made again.' }])
  expect(await readFile(file).catch(() => null)).toBeNull()
  expect(await findings()).toEqual([])
  await rm(path, { recursive: true })
})
