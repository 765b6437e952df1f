import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { derivedState, readDerived, writeDerived } from '../../../src/main/ground/derived-file'
import {
  checkRecord,
  damageIn,
  readRecord,
  removeRecord,
  writeRecord,
} from '../../../src/main/ground/record-file'
import { createRng } from '../../../src/shared/random'

const schema = z.object({ format: z.literal(1), names: z.array(z.string()) })
const none = { format: 1 as const, names: [] }
const value = { format: 1 as const, names: ['north', 'south'] }

describe('a record of the data folder', () => {
  let folder: string
  let path: string
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'loam-record-'))
    path = join(folder, 'names.json')
  })
  afterEach(() => rm(folder, { recursive: true, force: true }))

  const read = () => readRecord(path, schema, none)

  it('is what was written, for its owner alone, and nothing where there is none', async () => {
    expect(await read()).toEqual(none)
    await writeRecord(path, value)
    expect(await read()).toEqual(value)
    if (process.platform !== 'win32')
      for (const name of [path, `${path}.copy`]) expect((await stat(name)).mode & 0o777).toBe(0o600)
    await removeRecord(path)
    expect(await read()).toEqual(none)
    expect(damageIn(folder)).toEqual([])
  })

  it('is read and written by many at once, and is the last one in both of its files', async () => {
    const names = Array.from({ length: 30 }, (_, i) => ({ ...value, names: [`n${i}`, 'x'.repeat(i * 500)] }))
    const reads = await Promise.all(names.flatMap((one) => [writeRecord(path, one), read()]))
    for (const one of reads) if (one) expect(one.format).toBe(1)
    const last = names.at(-1)
    expect(await read()).toEqual(last)
    await rm(path)
    expect(await read()).toEqual(last)
    await removeRecord(path)
    expect((await readdir(folder)).filter((name) => name.endsWith('.tmp'))).toEqual([])
  })

  it('of an earlier version is read as it stands, until it is written', async () => {
    await writeFile(path, JSON.stringify(value))
    expect(await read()).toEqual(value)
    await writeRecord(path, { ...value, names: ['east'] })
    await writeFile(path, JSON.stringify(value))
    // Without its checksum it is not what Loam wrote.
    expect((await read()).names).toEqual(['east'])
  })

  it('is never another one than was written, whatever byte is another one, and says when it was damaged', async () => {
    const rng = createRng('records')
    await writeRecord(path, value)
    const whole = await readFile(path)
    let told = 0
    for (let i = 0; i < 400; i++) {
      const bytes = Buffer.from(whole)
      for (let n = 0; n <= rng.int(3); n++) bytes[rng.int(bytes.length)] = rng.int(256)
      await writeFile(path, rng.chance(0.2) ? bytes.subarray(0, rng.int(bytes.length)) : bytes)
      expect(await read()).toEqual(value)
      told = damageIn(folder).length
    }
    expect(told).toBe(1)
    expect(damageIn(folder)[0]).toContain('copy is used')
  })

  it('whose copy is older or missing, as after a kill between the two, has it made again by being read', async () => {
    await writeRecord(path, { ...value, names: ['east'] })
    const older = await readFile(`${path}.copy`)
    await writeRecord(path, value)
    for (const leave of [() => writeFile(`${path}.copy`, older), () => rm(`${path}.copy`)]) {
      await leave()
      expect(await read()).toEqual(value)
      expect(await readFile(`${path}.copy`)).toEqual(await readFile(path))
      // So what is lost next is lost to nobody: the copy is the newest.
      await rm(path)
      expect(await read()).toEqual(value)
      await writeRecord(path, value)
    }
    expect(damageIn(folder).join()).toContain('copy')
  })

  it('killed while it was first written or removed is whole to a look, and its copy is made by a repair', async () => {
    await writeRecord(path, value)
    const older = await readFile(path)
    await writeRecord(path, { ...value, names: ['west'] })
    for (const leave of [() => rm(`${path}.copy`), () => writeFile(`${path}.copy`, older)]) {
      await leave()
      expect(await checkRecord(path, false)).toBe('whole')
      expect(await checkRecord(path, true)).toBe('whole')
      expect(await readFile(`${path}.copy`)).toEqual(await readFile(path))
    }
    await writeFile(`${path}.copy`, 'x')
    expect(await checkRecord(path, true)).toBe('mended')
  })

  it('is read from its copy where it is missing, a folder, or empty, and put right by the next write', async () => {
    await writeRecord(path, value)
    for (const damage of [
      () => rm(path),
      () => mkdir(path),
      () => rm(path, { recursive: true }).then(() => writeFile(path, '')),
    ]) {
      await damage()
      expect(await read()).toEqual(value)
    }
    await writeRecord(path, { ...value, names: ['west'] })
    await rm(`${path}.copy`)
    expect((await read()).names).toEqual(['west'])
    expect(await readFile(`${path}.damaged`, 'utf8')).toBe('')
  })

  it('that is lost is begun anew where that does no harm, and refused where it does; what is left of it stays', async () => {
    await writeRecord(path, value)
    await writeFile(path, '{"format":1,"names":["nor')
    await writeFile(`${path}.copy`, 'x')
    expect(await read()).toEqual(none)
    expect(damageIn(folder)[0]).toContain('so is its copy')
    await expect(readRecord(path, schema, none, { suggestion: 'Ask.' })).rejects.toMatchObject({
      code: 'DATA_CORRUPT',
    })
    await writeRecord(path, value)
    expect(await readFile(`${path}.damaged`, 'utf8')).toBe('{"format":1,"names":["nor')
  })
})

describe('a file that can be made again', () => {
  let folder: string
  let path: string
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'loam-derived-'))
    path = join(folder, 'names.json')
  })
  afterEach(() => rm(folder, { recursive: true, force: true }))

  it('is what was written or nothing, whatever byte is another one, and says when it was damaged', async () => {
    const rng = createRng('derived')
    await writeDerived(path, value)
    expect(await derivedState(path)).toBe('whole')
    if (process.platform !== 'win32') expect((await stat(path)).mode & 0o777).toBe(0o600)
    const whole = await readFile(path)
    for (let i = 0; i < 400; i++) {
      const bytes = Buffer.from(whole)
      const at = rng.int(bytes.length)
      bytes[at] = (bytes[at] ?? 0) ^ (1 << rng.int(8))
      await writeFile(path, rng.chance(0.2) ? whole.subarray(0, rng.int(whole.length - 1)) : bytes)
      // A line more at its end changes no value.
      expect([null, value]).toContainEqual(await readDerived(path, schema))
    }
    expect(damageIn(folder)).toEqual([`${path} was damaged; it is made again, and nothing is lost.`])
  })

  it('of an earlier version, or a list, is read as it stands', async () => {
    expect(await readDerived(path, schema)).toBeNull()
    await writeFile(path, JSON.stringify(value))
    expect(await readDerived(path, schema)).toEqual(value)
    expect(await derivedState(path)).toBe('none')
    await writeDerived(path, ['a', 'b'])
    expect(await readDerived(path, z.array(z.string()))).toEqual(['a', 'b'])
    expect(damageIn(folder)).toEqual([])
  })
})
