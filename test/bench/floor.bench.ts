import { writeFile } from 'node:fs/promises'
import { gatherEvidence, sift, type FloorItem } from '../../src/core/retrieval/floor'
import { EVERYDAY_ASKS } from '../../src/core/retrieval/everyday-asks'
import { createRng } from '../../src/core/ground/random'
import { linesOf, otherNotes, recallNotes } from '../fixtures/recall/recall-notes'
import { builtInEncoder } from '../../src/main/embedders/built-in-encoder'
import { encoderPath } from '../../src/main/ground/model-file'
import { findResources } from '../../src/main/ground/resources'

// How often asks about nothing in memory recall something, and asks near a note or in other words their note, by the number of notes.
// LOAM_FLOOR_FEATURES=FILE writes what models/training/encoder/fit_floor.py fits the floor's constants from: every second fresh ask and the notes of style a.
const K = 4
const SIZES = (process.env['LOAM_FLOOR_SIZES'] ?? '1,5,50,167,1000,5000').split(',').map(Number)
const embedder = builtInEncoder(encoderPath(findResources().models))
const notes = recallNotes()
const others = otherNotes(Math.max(...SIZES))
const fresh = linesOf('fresh-asks.txt').map((line) => line.split(' | ')[1] ?? '')
const rng = createRng('floor bench')

/** The K of a memory with the most evidence, in the order of it. */
async function nearest(ask: string, memory: readonly string[]): Promise<string[]> {
  const [q = new Float32Array()] = await embedder.embed([ask])
  const own = await vectorsFor(memory)
  const scores = own.map((vector) => vector.reduce((sum, x, i) => sum + x * (q[i] ?? 0), 0))
  return [...scores.keys()]
    .sort((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0))
    .slice(0, 3 * K)
    .map((i) => memory[i] ?? '')
}

const kept = new Map<string, Float32Array>()
async function vectorsFor(texts: readonly string[]): Promise<Float32Array[]> {
  const gaps = texts.filter((text) => !kept.has(text))
  const vectors = await embedder.embed(gaps)
  gaps.forEach((text, i) => kept.set(text, vectors[i] ?? new Float32Array()))
  return texts.map((text) => kept.get(text) ?? new Float32Array())
}

const memoryOf = (must: string | null, size: number): string[] => {
  const pool = [...notes.map(({ text }) => text), ...others].filter((text) => text !== must)
  const start = size <= notes.length ? rng.int(notes.length) : 0
  const rest = Array.from(
    { length: size - (must === null ? 0 : 1) },
    (_, i) => pool[(start + i) % (size <= notes.length ? notes.length - 1 : pool.length)] ?? '',
  )
  return must === null ? rest : [must, ...rest]
}

const features: object[] = []
async function play(
  ask: string,
  must: string | null,
  size: number,
  fits: boolean,
): Promise<{ any: boolean; own: boolean; before: boolean }> {
  const memory = memoryOf(must, size)
  const found = await nearest(ask, memory)
  if (fits) {
    const evidence = (await gatherEvidence(embedder, ask, found)) ?? []
    evidence.forEach(({ words, meaning, cover }, i) =>
      features.push({
        encoder: embedder.id,
        episode: `${size} ${must ?? ''} ${ask}`,
        related: must !== null,
        y: found[i] === must ? 1 : 0,
        lnN: Math.log(size),
        words,
        meaning,
        cover,
      }),
    )
  }
  const items: FloorItem[] = found.map((text) => ({ text }))
  const verdicts = (await sift(embedder, ask, [{ items, total: size }], 'usual'))
    .filter(({ passes }) => passes)
    .sort((a, b) => b.margin - a.margin)
    .slice(0, K)
  return {
    any: verdicts.length > 0,
    own: verdicts.some(({ item }) => item.text === must),
    before: found.slice(0, K).includes(must ?? ''),
  }
}

const share = (flags: readonly boolean[]): number =>
  Number((flags.filter(Boolean).length / Math.max(1, flags.length)).toFixed(3))
const figures: Record<string, unknown> = {}
for (const size of SIZES) {
  const row: Record<string, number> = {}
  const each = async (name: string, asks: readonly (readonly [string, string | null])[], fits = false) => {
    const results = []
    for (const [ask, must] of asks) results.push(await play(ask, must, size, fits))
    row[name] = share(results.map(({ any, own }, i) => (asks[i]?.[1] === null ? any : own)))
    if (asks[0]?.[1] !== null) row[`${name}, no floor`] = share(results.map(({ before }) => before))
  }
  await each(
    'everyday asks that recall',
    EVERYDAY_ASKS.map((ask) => [ask, null] as const),
  )
  await each(
    'fresh asks that recall, choosing half',
    fresh.filter((_, i) => i % 2 === 0).map((ask) => [ask, null] as const),
    true,
  )
  await each(
    'fresh asks that recall, testing half',
    fresh.filter((_, i) => i % 2 === 1).map((ask) => [ask, null] as const),
  )
  await each(
    'near asks, style a',
    notes.filter(({ style }) => style === 'a').map(({ near, text }) => [near, text] as const),
    true,
  )
  await each(
    'near asks, style b',
    notes.filter(({ style }) => style === 'b').map(({ near, text }) => [near, text] as const),
  )
  await each(
    'in other words, a',
    notes.filter(({ style }) => style === 'a').map(({ otherWords, text }) => [otherWords, text] as const),
    true,
  )
  await each(
    'in other words, b',
    notes.filter(({ style }) => style === 'b').map(({ otherWords, text }) => [otherWords, text] as const),
  )
  figures[String(size)] = row
  process.stdout.write(`${size} notes: ${JSON.stringify(row)}\n`)
}
const file = process.env['LOAM_FLOOR_FEATURES']
if (file !== undefined) await writeFile(file, JSON.stringify(features))
process.stdout.write(`${JSON.stringify(figures)}\n`)
