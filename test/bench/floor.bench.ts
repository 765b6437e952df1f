import { writeFile } from 'node:fs/promises'
import { createRng } from '../../src/core/ground/random'
import { aboutness, isAbout } from '../../src/core/retrieval/aboutness'
import { EVERYDAY_ASKS } from '../../src/core/retrieval/everyday-asks'
import { gatherEvidence, sift, type FloorItem } from '../../src/core/retrieval/floor'
import { benchEmbedder } from './bench-embedder'
import { OTHERS } from './first-answer-sets'
import { linesOf, otherNotes, recallNotes } from '../fixtures/recall/recall-notes'

// How often asks about nothing in memory recall something, and asks near a note or in other words their note, by the number of notes: as agents are told
// (`sift`) and as asks are (`aboutness`). Then asks of a neighbour ("the red and yellow key" for "the blue and yellow key"), and asks in other words of facts.
// LOAM_BENCH_EMBEDDER=FOLDER compares by another encoder; LOAM_FLOOR_SIZES=1,5 measures fewer sizes; LOAM_FLOOR_MISSED=1 names the neighbours that were taken for their notes, and the notes that were missed. LOAM_FLOOR_FEATURES=FILE writes what models/training/encoder/fit_floor.py fits the floor's constants from:
// every second fresh and everyday ask and the notes of style a. Small memories are drawn three times for an ask.
const K = 4
const LOOKED_AT = 12
const SIZES = (process.env['LOAM_FLOOR_SIZES'] ?? '1,5,20,50,166,1000,5000,50000').split(',').map(Number)
const embedder = await benchEmbedder()
const notes = recallNotes()
const texts = [...notes.map(({ text }) => text), ...otherNotes(Math.max(...SIZES))]
const dimension = embedder.dimension ?? 0
const matrix = new Float32Array(texts.length * dimension)
const vectors = await embedder.embed(texts)
vectors.forEach((vector, i) => matrix.set(vector, i * dimension))
const rng = createRng('floor bench')

interface Ask {
  readonly text: string
  /** The note it is about; -1 where it is about none. */
  readonly note: number
}
const about = linesOf('about.txt').map((line) => line.split(' | '))
const asksOf = (asks: readonly string[]): Ask[] => asks.map((text) => ({ text, note: -1 }))
const half = <T>(list: readonly T[], which: 0 | 1): T[] => list.filter((_, i) => i % 2 === which)
const notesOf = (which: string, ask: 'near' | 'otherWords'): Ask[] =>
  notes.flatMap((one, note) => (one.style === which ? [{ text: one[ask], note }] : []))
const fresh = linesOf('fresh-asks.txt').map((line) => line.split(' | ')[1] ?? '')

const SETS: readonly { readonly name: string; readonly asks: readonly Ask[]; readonly chosenOn: boolean }[] =
  [
    { name: 'everyday, choosing half', asks: asksOf(half(EVERYDAY_ASKS, 0)), chosenOn: true },
    { name: 'everyday, other half', asks: asksOf(half(EVERYDAY_ASKS, 1)), chosenOn: false },
    { name: 'fresh, choosing half', asks: asksOf(half(fresh, 0)), chosenOn: true },
    { name: 'fresh, other half', asks: asksOf(half(fresh, 1)), chosenOn: false },
    { name: 'near, style a', asks: notesOf('a', 'near'), chosenOn: true },
    { name: 'near, style b', asks: notesOf('b', 'near'), chosenOn: false },
    { name: 'in other words, style a', asks: notesOf('a', 'otherWords'), chosenOn: true },
    { name: 'in other words, style b', asks: notesOf('b', 'otherWords'), chosenOn: false },
  ]

/** A memory of that size: notes, and beyond them others; with the note an ask is about and without those it is about by accident. */
function memoryOf({ text, note }: Ask, size: number): number[] {
  const accidents = about.flatMap(([ask, words]) => (ask === text ? [words ?? ''] : []))
  const fits = (i: number): boolean => i !== note && !accidents.some((words) => texts[i]?.includes(words))
  const own = note < 0 ? [] : [note]
  if (size >= notes.length) return [...own, ...[...texts.keys()].filter(fits).slice(0, size - own.length)]
  const drawn = new Set(own)
  while (drawn.size < size) {
    const i = rng.int(notes.length)
    if (fits(i)) drawn.add(i)
  }
  return [...drawn]
}

function nearest(request: Float32Array, memory: readonly number[]): string[] {
  const scored = memory.map((i) => {
    let score = 0
    for (let j = 0, at = i * dimension; j < dimension; j++, at++)
      score += (matrix[at] ?? 0) * (request[j] ?? 0)
    return { i, score }
  })
  return scored
    .sort((a, b) => b.score - a.score)
    .slice(0, LOOKED_AT)
    .map(({ i }) => texts[i] ?? '')
}

const features: object[] = []
const round = (share: number): number => Number(share.toFixed(3))

/** Shares of asks that recall, or that recall their own note: without a floor, as agents and as asks do. */
async function play({ name, asks, chosenOn }: (typeof SETS)[number], size: number) {
  const counts = { noFloor: 0, agents: 0, asks: 0 }
  const related = asks.some(({ note }) => note >= 0)
  const times = size < notes.length && !related ? 3 : 1
  for (const ask of asks)
    for (let time = 0; time < times; time++) {
      const [request = new Float32Array()] = await embedder.embed([ask.text])
      const own = texts[ask.note] ?? null
      const found = nearest(request, memoryOf(ask, size))
      const recalls = (list: readonly string[]): number =>
        Number(own === null ? list.length > 0 : list.slice(0, K).includes(own))
      const items: FloorItem[] = found.map((text) => ({ text }))
      const verdicts = (await sift(embedder, ask.text, [{ items, total: size, isStated: true }], 'usual'))
        .filter(({ passes }) => passes)
        .sort((a, b) => b.margin - a.margin)
      const scores = await aboutness(ask.text, found, embedder, size)
      counts.noFloor += recalls(found)
      counts.agents += recalls(verdicts.map(({ item }) => item.text))
      counts.asks += recalls(
        [...found.keys()]
          .filter((i) => isAbout(scores[i] ?? 0))
          .sort((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0))
          .map((i) => found[i] ?? ''),
      )
      if (!chosenOn || process.env['LOAM_FLOOR_FEATURES'] === undefined) continue
      const evidence = (await gatherEvidence(embedder, ask.text, found)) ?? []
      evidence.forEach(({ words, meaning, cover }, i) =>
        features.push({
          episode: `${name} ${ask.text} ${time}`,
          set: name,
          related,
          y: found[i] === own ? 1 : 0,
          size,
          ...{ words, meaning, cover },
        }),
      )
    }
  const share = (count: number): number => round(count / asks.length / times)
  return {
    ...(related && { noFloor: share(counts.noFloor) }),
    agents: share(counts.agents),
    asks: share(counts.asks),
  }
}

/** Asks of a remembered thing and of its neighbour, with all notes of a file in memory: as asks are told, and as agents are. */
async function neighbours(file: string) {
  const lines = linesOf(file).map((line) => line.split(' | '))
  const memory = lines.map(([, text = '']) => text)
  const counts: Record<string, { n: number; asks: number[]; agents: number[] }> = {}
  const missed: string[] = []
  for (const [language = '', text = '', ...requests] of lines) {
    const count = (counts[language] ??= { n: 0, asks: [0, 0], agents: [0, 0] })
    count.n++
    for (const [i, request] of requests.entries()) {
      const scores = await aboutness(request, memory, embedder, memory.length)
      const asks = isAbout(scores[memory.indexOf(text)] ?? 0)
      const items: FloorItem[] = memory.map((one) => ({ text: one }))
      const kind = { items, total: memory.length, isStated: true }
      const agents = (await sift(embedder, request, [kind], 'usual')).some(
        ({ item, passes }) => passes && item.text === text,
      )
      if (asks === i > 0) missed.push(`asks: ${request}`)
      if (agents === i > 0) missed.push(`agents: ${request}`)
      count.asks[i] = (count.asks[i] ?? 0) + Number(asks)
      count.agents[i] = (count.agents[i] ?? 0) + Number(agents)
    }
  }
  return { counts, ...(process.env['LOAM_FLOOR_MISSED'] !== undefined && { missed }) }
}

/** How many of a half of asks in other words recall their fact, alone, among all of its language and with 200 more; and how many recall another when it is gone. */
async function otherwise(which: 0 | 1) {
  const all = linesOf('asked-otherwise.txt').map((line) => line.split(' | '))
  const factsIn = (language: string): string[] =>
    all.flatMap(([l, fact = '']) => (l === language ? [fact] : []))
  const counts = { n: 0, alone: 0, language: 0, crowd: 0, ownGone: 0, none: 0 }
  const recalledOf = async (ask: string, memory: readonly string[]): Promise<string[]> => {
    // Facts are compared twice.
    const scores = await aboutness(ask, memory, embedder, 2 * memory.length)
    const found = [...memory.keys()].filter((i) => isAbout(scores[i] ?? 0))
    return found.sort((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0)).map((i) => memory[i] ?? '')
  }
  for (const [language = '', fact = '', ask = ''] of half(all, which)) {
    const facts = factsIn(language)
    const recalls = async (memory: readonly string[]): Promise<number> =>
      Number((await recalledOf(ask, memory)).slice(0, 2).includes(fact))
    counts.n++
    counts.alone += await recalls([fact])
    counts.language += await recalls(facts)
    counts.crowd += await recalls([...facts, ...OTHERS])
    const others = facts.filter((one) => one !== fact)
    counts.ownGone += Number((await recalledOf(ask, others)).length > 0)
  }
  for (const line of half(linesOf('asked-of-none.txt'), which)) {
    const [language = '', ask = ''] = line.split(' | ')
    counts.none += Number((await recalledOf(ask, factsIn(language))).length > 0)
  }
  return counts
}

const figures: Record<string, unknown> = {}
for (const size of SIZES) {
  const row: Record<string, unknown> = {}
  for (const set of SETS) row[set.name] = await play(set, size)
  figures[String(size)] = row
  process.stdout.write(`${size} notes: ${JSON.stringify(row)}\n`)
}
for (const file of ['near-neighbours.txt', 'fresh-neighbours.txt', 'last-neighbours.txt']) {
  figures[file] = await neighbours(file)
  process.stdout.write(`${file}, own and the neighbour's: ${JSON.stringify(figures[file], null, 1)}\n`)
}
for (const which of [0, 1] as const) {
  figures[`asked otherwise, half ${which}`] = await otherwise(which)
  process.stdout.write(
    `asked otherwise, ${which === 0 ? 'choosing' : 'other'} half: ${JSON.stringify(figures[`asked otherwise, half ${which}`])}\n`,
  )
}
const file = process.env['LOAM_FLOOR_FEATURES']
if (file !== undefined) await writeFile(file, JSON.stringify(features))
process.stdout.write(`${JSON.stringify(figures)}\n`)
