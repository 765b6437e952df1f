import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { readAskFiles } from '../../../src/main/asks/file-texts'

let folder = ''
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'loam-file-texts-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const read = (files: readonly string[], question: string, contextSize = 4000) =>
  readAskFiles({ folder, files, question }, { contextSize }, new AbortController().signal)

test('small files are read whole, what is no text is said to be none', async () => {
  await writeFile(join(folder, 'costs.csv'), 'item,euro\nink,40\n')
  await writeFile(join(folder, 'blob.bin'), Buffer.from([0, 1, 2, 3, 0]))
  const { text, note, unread } = await read(['costs.csv', 'blob.bin'], 'What does ink cost?')
  expect(text).toContain('File costs.csv:\nitem,euro\nink,40')
  expect(text).toContain('File blob.bin could not be read: it is no text.')
  expect(note).toBe('costs.csv read whole; blob.bin not read: it is no text')
  expect(unread).toBe('blob.bin not read: it is no text')
  expect(await read([], 'What does ink cost?')).toEqual({
    text: '',
    note: '',
    unread: '',
    images: [],
  })
})

test('of a large file the beginning and what is asked about is read, and the cut is named', async () => {
  const filler = Array.from({ length: 2000 }, (_, i) => `Line ${i} says nothing of it.`)
  filler[1500] = 'The harbour master of Brel is called Odo Quint.'
  const whole = filler.join('\n')
  await writeFile(join(folder, 'log.txt'), whole)
  const { text, note } = await read(['log.txt'], 'Who is the harbour master of Brel?')
  expect(text).toContain('Odo Quint')
  expect(text).toContain('Line 0 says')
  expect(text).toContain('[...]')
  expect(text.length).toBeLessThan(6200)
  expect(note).toMatch(
    new RegExp(`^log.txt read in part, [\\d,]+ of ${whole.length.toLocaleString('en-US')} characters$`),
  )
})
