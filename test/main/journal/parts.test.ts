import { expect, test } from 'vitest'
import { openJournal } from '../../../src/main/journal/journal'
import { partsOf } from '../../../src/main/journal/record'
import { createRng } from '../../../src/core/ground/random'
import { inTempFolder } from '../memory-store/fixtures'

const rng = createRng('parts')
const TEXTS = ['', '"', '\\', '\\"', '],[{', 'ünï\u2028', '\ud83d\ude00', 'a,b', '\\\\"', '}']

function value(depth: number): unknown {
  const kind = rng.int(depth > 3 ? 3 : 5)
  if (kind === 0) return rng.pick([0, -1.5, 1e21, true, false, null])
  if (kind < 3) return Array.from({ length: rng.int(4) }, () => rng.pick(TEXTS)).join('')
  if (kind === 3) return Array.from({ length: rng.int(4) }, () => value(depth + 1))
  return Object.fromEntries(
    Array.from({ length: rng.int(4) }, (_, i) => [`${rng.pick(TEXTS)}${i}`, value(depth + 1)]),
  )
}

test('the elements of any array are found where they stand', () => {
  for (let round = 0; round < 400; round++) {
    const all = Array.from({ length: rng.int(5) }, () => value(0))
    const bytes = Buffer.from(`xx${JSON.stringify(all)}yy`)
    const parts = partsOf(bytes, 2, bytes.length - 2)
    expect(parts).toHaveLength(all.length + 1)
    all.forEach((one, i) => {
      expect(JSON.parse(bytes.toString('utf8', parts[i], (parts[i + 1] ?? 0) - 1))).toEqual(one)
    })
  }
})

test('any event of a record is read alone, after writing as after opening', () =>
  inTempFolder(async (folder) => {
    const events = Array.from({ length: 9 }, () => ({ v: value(0) }))
    const options = { parse: (one: unknown) => one as { v: unknown }, now: () => new Date(0) }
    const journal = await openJournal(folder, { ...options, onRecord: () => undefined })
    const [early, late] = [events.slice(0, 4), events.slice(4)]
    expect((await journal.append(early)).first).toBe(0)
    expect((await journal.append(late)).first).toBe(4)
    for (const [i, event] of events.entries()) expect(await journal.readOne(i)).toEqual(event)
    expect(await journal.readOne(events.length)).toBeNull()
    await journal.close()
    const firsts: number[] = []
    const again = await openJournal(folder, { ...options, onRecord: ({ first }) => firsts.push(first) })
    expect(firsts).toEqual([0, 4])
    for (const [i, event] of events.entries()) expect(await again.readOne(i)).toEqual(event)
    await again.close()
  }))
