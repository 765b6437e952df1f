import { appendFile, readdir, readFile, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openJournal, type Journal, type JournalRecord } from '../../../src/main/journal/journal'
import { readLastSeq } from '../../../src/main/journal/replay'
import { inTempFolder } from '../memory-store/fixtures'

interface Note {
  readonly n: number
  readonly text?: string
}

async function open(
  folder: string,
  segmentBytes?: number,
): Promise<{ journal: Journal<Note>; seen: JournalRecord<Note>[] }> {
  const seen: JournalRecord<Note>[] = []
  const journal = await openJournal<Note>(folder, {
    parse: (value) => value as Note,
    onRecord: (record) => seen.push(record),
    now: () => new Date(0),
    ...(segmentBytes ? { segmentBytes } : {}),
  })
  return { journal, seen }
}

async function filled(folder: string, commits: number, segmentBytes?: number): Promise<void> {
  const { journal } = await open(folder, segmentBytes)
  for (let n = 1; n <= commits; n++) await journal.append([{ n }, { n: -n, text: 'ünï\u2028\n"{' }])
  await journal.close()
}

const numbers = (seen: readonly JournalRecord<Note>[]): number[] =>
  seen.map((record) => record.events[0]?.n ?? 0)
const first = (folder: string): string => join(folder, '000000000001.jsonl')

describe('journal', () => {
  it('replays what was appended and reads single records again', () =>
    inTempFolder(async (folder) => {
      await filled(folder, 3)
      const { journal, seen } = await open(folder)
      expect(numbers(seen)).toEqual([1, 2, 3])
      expect(seen.map((record) => record.seq)).toEqual([1, 2, 3])
      for (const { first, events } of seen)
        for (const [index, event] of events.entries())
          expect(await journal.readOne(first + index)).toEqual(event)
      const added = await journal.append([{ n: 4 }])
      expect(added.seq).toBe(4)
      expect(await journal.readOne(added.first)).toEqual({ n: 4 })
      await journal.close()
      expect(await readLastSeq(folder)).toBe(4)
    }))

  it('reads events in any order, those that come while it is gone through among them', () =>
    inTempFolder(async (folder) => {
      const { journal } = await open(folder, 200_000)
      const told: Note[] = []
      const tell = async (n: number): Promise<void> => {
        const events = [{ n }, { n: -n, text: 'ü'.repeat((n * 7919) % 90_000) }]
        expect((await journal.append(events)).first).toBe(told.length)
        told.push(...events)
      }
      for (let n = 1; n <= 20; n++) await tell(n)
      for (let at = 0; at < told.length; at++) {
        expect(await journal.readOne(at)).toEqual(told[at])
        if (at % 8 === 0 && told.length < 60) await tell(told.length)
        if (at % 11 === 0) await journal.rest()
      }
      for (const at of [...told.keys()].reverse()) expect(await journal.readOne(at)).toEqual(told[at])
      const all = await Promise.all(told.map((_, at) => journal.readOne(at)))
      expect(all).toEqual(told)
      await journal.close()
    }))

  it('begins a new segment at its size limit and replays across segments', () =>
    inTempFolder(async (folder) => {
      await filled(folder, 20, 300)
      expect((await readdir(folder)).length).toBeGreaterThan(4)
      const { journal, seen } = await open(folder, 300)
      expect(numbers(seen)).toEqual(Array.from({ length: 20 }, (_, i) => i + 1))
      await journal.append([{ n: 21 }])
      await journal.close()
      expect(numbers((await open(folder)).seen)).toHaveLength(21)
    }))

  it('reads commits of any length, and a torn one behind them, from a segment that is longer than what is held at once', () =>
    inTempFolder(async (folder) => {
      const { journal } = await open(folder)
      const lengths = [3, 900_000, 700_000, 5, 3_500_000, 0, 1_048_576, 40, 2_000_000]
      for (const [n, length] of lengths.entries()) await journal.append([{ n, text: 'ü'.repeat(length / 2) }])
      await journal.close()
      const whole = await readFile(first(folder))
      for (const cut of [0, 1, 1_500_000]) {
        await writeFile(first(folder), whole.subarray(0, whole.length - cut))
        const { journal: again, seen } = await open(folder)
        expect(numbers(seen)).toEqual([...lengths.keys()].slice(0, cut === 0 ? undefined : -1))
        for (const { first, events } of seen) expect(await again.readOne(first)).toEqual(events[0])
        expect(again.tornTail === null).toBe(cut === 0)
        await again.close()
      }
    }))

  it('drops a torn last commit whole, wherever it was torn, and says so', () =>
    inTempFolder(async (folder) => {
      await filled(folder, 3)
      const whole = await readFile(first(folder))
      const lastLine = whole.lastIndexOf(0x0a, whole.length - 2) + 1
      for (const length of [lastLine + 1, lastLine + 40, whole.length - 1]) {
        await writeFile(first(folder), whole.subarray(0, length))
        const { journal, seen } = await open(folder)
        expect(numbers(seen)).toEqual([1, 2])
        expect(journal.tornTail).toMatchObject({ file: first(folder), line: 3, bytes: length - lastLine })
        expect((await journal.append([{ n: 9 }])).seq).toBe(3)
        await journal.close()
        const again = await open(folder)
        expect(numbers(again.seen)).toEqual([1, 2, 9])
        expect(again.journal.tornTail).toBeNull()
        await again.journal.close()
      }
    }))

  it.each([1, 2, 3])(
    'refuses a changed byte in finished line %i, names it and leaves the file as it is',
    (line) =>
      inTempFolder(async (folder) => {
        await filled(folder, 3)
        const lines = (await readFile(first(folder), 'utf8')).split('\n')
        lines[line - 1] = lines[line - 1]?.replace(`"n":${line}`, `"n":7`) ?? ''
        await writeFile(first(folder), lines.join('\n'))
        await expect(open(folder)).rejects.toMatchObject({
          code: 'DATA_CORRUPT',
          why: expect.stringContaining(`000000000001.jsonl, line ${line}`) as string,
        })
        expect(await readFile(first(folder), 'utf8')).toBe(lines.join('\n'))
      }),
  )

  it('refuses a lost line, a lost segment and a cut in a segment that is not the last', () =>
    inTempFolder(async (folder) => {
      await filled(folder, 9, 300)
      const names = (await readdir(folder)).sort()
      const second = join(folder, names[1] ?? '')
      const bytes = await readFile(second)
      await truncate(second, bytes.length - 1)
      await expect(open(folder)).rejects.toMatchObject({
        code: 'DATA_CORRUPT',
        why: expect.stringContaining('cut off') as string,
      })
      await writeFile(second, bytes.subarray(bytes.indexOf(0x0a) + 1))
      await expect(open(folder)).rejects.toMatchObject({ code: 'DATA_CORRUPT' })
      await writeFile(second, '')
      await expect(open(folder)).rejects.toMatchObject({
        code: 'DATA_CORRUPT',
        why: expect.stringContaining('missing') as string,
      })
    }))

  it('survives a crash between making a segment and writing to it', () =>
    inTempFolder(async (folder) => {
      await filled(folder, 2)
      await appendFile(join(folder, '000000000003.jsonl'), '')
      expect(await readLastSeq(folder)).toBe(2)
      const { journal, seen } = await open(folder)
      expect(numbers(seen)).toEqual([1, 2])
      await journal.append([{ n: 3 }])
      await journal.close()
      expect(numbers((await open(folder)).seen)).toEqual([1, 2, 3])
    }))

  it('keeps the order of appends made at the same time', () =>
    inTempFolder(async (folder) => {
      const { journal } = await open(folder)
      await Promise.all(Array.from({ length: 30 }, (_, n) => journal.append([{ n }])))
      await journal.close()
      expect(numbers((await open(folder)).seen)).toEqual(Array.from({ length: 30 }, (_, n) => n))
    }))
})
