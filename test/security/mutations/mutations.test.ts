import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { IsolateError } from '../../../src/main/ground/isolate/isolate'
import { ERROR_TITLES, LoamError } from '../../../src/shared/errors'
import { TORTURE } from '../../torture'
import { mutated, mutation } from './mutate'
import { openTargets, type Target } from './targets'

/** Mutated files in all. */
const RUNS = Number(process.env['LOAM_MUTATIONS'] ?? (TORTURE ? 100_000 : 300))
const SEED = Number(process.env['LOAM_TORTURE_SEED'] ?? '1')

let folder: string
let targets: readonly Target[]
let close: () => Promise<void>
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'loam-mutations-'))
  ;({ targets, close } = await openTargets(folder))
})
afterAll(async () => {
  await close()
  await rm(folder, { recursive: true, force: true, maxRetries: 5 })
})

/** What an engine says of a mistake in a program, and no person understands. */
const RAW =
  /Cannot read propert|is not (?:a function|iterable|defined|an object)|undefined|\[object |Maximum call stack|Invalid array length|Offset is outside|out of bounds|Cannot convert|Cannot destructure/i

/** How a mutated file was taken: read, refused in words, or in words that only a programmer reads. Anything else is thrown. */
async function outcomeOf(
  read: () => Promise<unknown>,
): Promise<{ readonly how: 'read' | 'refused' | 'raw'; readonly value?: unknown }> {
  try {
    return { how: 'read', value: await read() }
  } catch (error) {
    // A tool's own words go to the model that called it.
    const isWorded =
      error instanceof IsolateError && error.reason === 'problem' && error.message.trim() !== ''
    if (!(error instanceof LoamError) && !isWorded) throw error
    if (error instanceof LoamError) {
      expect(Object.keys(ERROR_TITLES)).toContain(error.code)
      expect(error.code).not.toBe('INTERNAL')
      expect(error.why.trim() === '' || error.suggestion.trim() === '').toBe(false)
    }
    return RAW.test(error.message) ? { how: 'raw', value: error.message } : { how: 'refused' }
  }
}

it(
  `takes or refuses ${RUNS} mutated files in words, and the host goes on`,
  { timeout: 7_200_000 },
  async () => {
    const counts: Record<string, { read: number; refused: number; raw: number }> = {}
    const raw = new Map<string, string>()
    const whole = new Map<Target, string>()
    for (const target of targets)
      for (const seed of target.seeds)
        await target.read(seed).then(
          (value) => whole.set(target, JSON.stringify(value)),
          () => undefined,
        )
    // What is mutated is whole to begin with.
    expect(targets.filter((target) => !whole.has(target)).map(({ kind }) => kind)).toEqual([])
    const numRuns = Math.max(1, Math.round(RUNS / targets.length))
    for (const target of targets) {
      const own = (counts[target.kind] = { read: 0, refused: 0, raw: 0 })
      await fc.assert(
        fc.asyncProperty(fc.nat(target.seeds.length - 1), mutation, async (index, change) => {
          const bytes = mutated(target.seeds[index] ?? new Uint8Array(), change)
          const { how, value } = await outcomeOf(() => target.read(bytes))
          own[how]++
          if (how === 'raw') raw.set(target.kind, String(value))
          if (how === 'read' && target.vouched === true) expect(JSON.stringify(value)).toBe(whole.get(target))
        }),
        { numRuns, seed: SEED },
      )
    }
    if (process.env['LOAM_MUTATIONS_OUT'])
      await writeFile(
        process.env['LOAM_MUTATIONS_OUT'],
        JSON.stringify({ seed: SEED, runs: numRuns * targets.length, counts, raw: [...raw] }, null, 1),
      )
    // Whole files are still read after all of that.
    for (const [target, text] of whole)
      for (const seed of target.seeds.slice(-1)) expect(JSON.stringify(await target.read(seed))).toBe(text)
    expect(Object.fromEntries(raw)).toEqual({})
  },
)
