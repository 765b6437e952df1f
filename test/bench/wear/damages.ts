import { cp, open, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Rng } from '../../../src/core/ground/random'
import { damageIn } from '../../../src/main/ground/record-file'
import { checkDataFolder } from '../../../src/main/storage/doctor'
import { contentsOf, openWorn } from './folder'

export const HARMS = [
  ...(['a bit', 'a cut', 'a cut at a line', 'zeros', 'emptied', 'removed', 'more behind it'] as const),
] as const
export type Harm = (typeof HARMS)[number]

/**
 * What came of one damage. `same`: everything reads as before. `told`: something does not, and the doctor, the start or an area says so. `silent`:
 * something does not, and nobody says so. `closed`: Loam does not open.
 */
export interface Damage {
  readonly kind: string
  readonly file: string
  readonly harm: Harm
  readonly outcome: 'same' | 'told' | 'silent' | 'closed'
  /** Whether the doctor or the start said something, whatever it came to. */
  readonly noticed: boolean
  readonly wrong: readonly string[]
}

/** Not Loam's records: what was worked in, logs, and locks of a moment. */
const NO_RECORD =
  /(^|[\\/])(logs|backups|window|models|work|steps|task-folders|scratch)[\\/]|(^|[\\/])lock$|host\.json$/

/** A file's kind: its path without ids and numbers. */
const kindOf = (name: string): string =>
  name
    .replaceAll('\\', '/')
    .replaceAll(/(space|run|ask|exp|imp)-[0-9a-z-]{6,}/g, '$1')
    .replaceAll(/[0-9a-f]{8,}(-[0-9a-f]+)*/g, 'ID')
    .replaceAll(/\d{3,}/g, 'N')

/** Every kind of file of a folder, with its files. */
export async function kindsIn(folder: string): Promise<Map<string, string[]>> {
  const kinds = new Map<string, string[]>()
  for (const name of (await readdir(folder, { recursive: true })).sort()) {
    if (NO_RECORD.test(name) || !(await stat(join(folder, name))).isFile()) continue
    kinds.set(kindOf(name), [...(kinds.get(kindOf(name)) ?? []), name])
  }
  return kinds
}

async function harm(path: string, how: Harm, random: Rng): Promise<void> {
  const { size } = await stat(path)
  const at = random.int(Math.max(1, size))
  switch (how) {
    case 'removed':
      return rm(path)
    case 'emptied':
      return truncate(path, 0)
    case 'a cut':
      return truncate(path, at)
    case 'a cut at a line': {
      // The last lines are gone and nothing is torn; a file of one line is cut anywhere.
      const bytes = await readFile(path)
      const ends = [...bytes.entries()].flatMap(([i, byte]) => (byte === 0x0a && i + 1 < size ? [i + 1] : []))
      return truncate(path, ends.length === 0 ? at : ends[random.int(ends.length)])
    }
    case 'more behind it': {
      const text = await readFile(path)
      return writeFile(path, Buffer.concat([text, Buffer.from('{"kind":"x"}\n')]))
    }
    default: {
      const file = await open(path, 'r+')
      try {
        const length = how === 'zeros' ? Math.min(size - at, 64) : Math.min(1, size)
        const bytes = Buffer.alloc(length)
        if (how === 'a bit') {
          await file.read(bytes, 0, length, at)
          if (length > 0) bytes[0] = (bytes[0] ?? 0) ^ (1 << random.int(7))
        }
        await file.write(bytes, 0, length, at)
      } finally {
        await file.close()
      }
    }
  }
}

/** What the doctor says of a folder, but for the disk and locks of a moment. */
export async function findingsIn(path: string): Promise<string[]> {
  const { findings } = await checkDataFolder({ path, repair: false, now: new Date(), version: '0' })
  return findings.flatMap(({ of, place, problem }) =>
    of === 'disk' || of === 'locks' ? [] : [`${place}: ${problem}`],
  )
}

let count = 0

/** Damages one file of a copy of `template` and looks at what a person then sees. */
export async function damageOnce(
  {
    template,
    folder,
    expected,
    usual,
  }: {
    readonly template: string
    readonly folder: string
    readonly expected: Record<string, unknown>
    readonly usual: readonly string[]
  },
  kind: string,
  files: readonly string[],
  how: Harm,
  random: Rng,
): Promise<Damage> {
  // A process remembers what was damaged by where it lay, so each has a place of its own.
  const data = join(folder, `damaged-${++count}`)
  await cp(template, data, { recursive: true })
  const file = files[random.int(files.length)] ?? ''
  await harm(join(data, file), how, random)
  const about = { kind, file, harm: how }
  const isFound = (await findingsIn(data)).some((finding) => !usual.includes(finding))
  try {
    const app = await openWorn(data)
    try {
      const contents = await contentsOf(app)
      const names = [...new Set([...Object.keys(expected), ...Object.keys(contents)])]
      const wrong = names.filter((name) => JSON.stringify(contents[name]) !== JSON.stringify(expected[name]))
      const isTold =
        isFound ||
        damageIn(data).length > 0 ||
        wrong.some((name) => JSON.stringify(contents[name] ?? '').includes('refused: '))
      const outcome = wrong.length === 0 ? 'same' : isTold ? 'told' : 'silent'
      return { ...about, outcome, noticed: isTold, wrong }
    } finally {
      await app.dispose()
    }
  } catch (error) {
    return { ...about, outcome: 'closed', noticed: true, wrong: [(error as Error).message.slice(0, 200)] }
  } finally {
    await rm(data, { recursive: true, force: true, maxRetries: 5 })
  }
}
