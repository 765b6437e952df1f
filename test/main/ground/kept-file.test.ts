import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { checkKept, keptOf, readKept, removeKept, writeKept } from '../../../src/main/ground/kept-file'
import { damageIn } from '../../../src/main/ground/record-file'
import { namesIn } from '../../../src/main/ground/names-in'
import { tempFolder } from '../runs/rig-app'

let folder: string
let path: string
const WHOLE = 'question,answer\ntwo and two,4\n'
const FILES = ['rows.csv', 'rows.csv.copy', 'rows.csv.kept']
beforeEach(async () => {
  folder = await tempFolder()
  path = join(folder, 'rows.csv')
  await writeKept(path, WHOLE)
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const textOf = async (file: string): Promise<string | null> => {
  const bytes = await readKept(file)
  return bytes && Buffer.from(bytes).toString()
}
const DAMAGES: Record<string, (file: string) => Promise<void>> = {
  'a character': async (file) => {
    const text = await readFile(file, 'utf8')
    await writeFile(file, `${text.slice(0, 9)}#${text.slice(10)}`)
  },
  'a cut': async (file) => writeFile(file, (await readFile(file, 'utf8')).slice(0, -8)),
  emptied: (file) => writeFile(file, ''),
  removed: (file) => rm(file),
  more: (file) => writeFile(file, 'three,3\n', { flag: 'a' }),
}

it('is read as it was written and mended, whichever of its files is damaged, and however', async () => {
  for (const name of FILES)
    for (const [how, damage] of Object.entries(DAMAGES)) {
      const place = join(folder, `${name}-${how}`)
      await mkdir(place)
      for (const file of FILES) await cp(join(folder, file), join(place, file))
      await damage(join(place, name))
      const own = join(place, 'rows.csv')
      expect([name, how, await textOf(own)]).toEqual([name, how, WHOLE])
      expect(damageIn(place).length).toBe(name === 'rows.csv' ? 1 : 0)
      expect(await keptOf(join(place, 'rows.csv.copy'))).toBe(own)
      expect([name, how, await checkKept(own, true)]).toEqual([name, how, 'mended'])
      expect(await checkKept(own, true)).toBe('whole')
      expect(await readFile(own, 'utf8')).toBe(WHOLE)
    }
})

it('is read as it stands, and told of, where its copy is damaged too', async () => {
  await writeFile(path, `${WHOLE}three,3\n`)
  await writeFile(`${path}.copy`, `${WHOLE}four,4\n`)
  expect(await textOf(path)).toBe(`${WHOLE}three,3\n`)
  expect(damageIn(folder)).toEqual([expect.stringContaining('not as it was written') as string])
  expect(await checkKept(path, true)).toBe('lost')
})

it('is what was written last where a kill came before its checksum, and is told of by nobody', async () => {
  for (const name of FILES.slice(0, 2)) await writeFile(join(folder, name), `${WHOLE}three,3\n`)
  expect(await textOf(path)).toBe(`${WHOLE}three,3\n`)
  expect(damageIn(folder)).toEqual([])
  expect(await checkKept(path, true)).toBe('mended')
  expect([await textOf(path), await checkKept(path, false)]).toEqual([`${WHOLE}three,3\n`, 'whole'])
})

it('is any file without a checksum as it stands', async () => {
  const own = join(folder, 'own.csv')
  await writeFile(own, WHOLE)
  expect([await textOf(own), await keptOf(own), damageIn(folder)]).toEqual([WHOLE, null, []])
  expect(await textOf(join(folder, 'none.csv'))).toBe(null)
})

it('leaves nothing behind', async () => {
  await removeKept(path)
  expect(await namesIn(folder)).toEqual([])
})
