import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdir, open, readFile, stat, utimes, writeFile } from 'node:fs/promises'
import { cpus } from 'node:os'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import type { LlamaContext, LlamaModel, Token } from 'node-llama-cpp'
import { z } from 'zod'
import { rename, rm } from '../../ground/steady-files'
import { namesIn } from '../../ground/names-in'
import { sealed, unsealed } from '../../ground/sealed'
import type { PromptReuse } from '../../../shared/domain/model'
import type { Place } from './precedence'
import { REUSE_STEP, type PooledSequence, type SequencePool } from './sequence-pool'

/** A prefix shorter than this, or read quicker, is not worth a file. */
const LEAST_TOKENS = 256
const LEAST_MS = 150
/** How often prompts part from each other behind a prefix before it is kept. */
const PARTINGS = 2
const MOST_PARTINGS = 256
/** Limits of the folder: bytes of one state and of all, how many, and how long one is kept that nobody uses, in ms. */
const MOST_BYTES = 256 * 1024 * 1024
const MOST_FOLDER_BYTES = 1024 * 1024 * 1024
const MOST_STATES = 32
const MOST_AGE_MS = 7 * 24 * 3_600_000
/** A state is loaded where that takes at most this share of reading. */
const PAYS_BELOW = 0.5

const noteSchema = z.object({
  format: z.literal(1),
  /** What the state was made with. */
  key: z.string(),
  tokens: z.number().int().min(1),
  /** SHA-256 of the prefix's tokens. */
  prefix: z.string(),
  bytes: z.number().int().min(1),
  /** CRC-32 of the state. */
  crc: z.number(),
  /** What reading the prefix took a token, and what writing the state took. */
  msPerToken: z.number(),
  saveMs: z.number(),
})
interface Kept extends z.infer<typeof noteSchema> {
  readonly name: string
  /** What loading took; null while it was not loaded here. */
  loadMs: number | null
}

/**
 * What a model worked out of the long beginnings that many prompts share, kept in files, so that the first prompt after a start need not read
 * them. Files are found by model, machine, settings and tokens, and checked before they are loaded; one that is damaged is removed, and one with
 * which the engine ended is not tried again.
 */
export type PrefixStates = Awaited<ReturnType<typeof openPrefixStates>>

/** Opens the folder for a model, whose file is `path`. `leastMs`: prefixes that are read quicker are not kept; default 150. */
export async function openPrefixStates(
  folder: string,
  path: string,
  model: LlamaModel,
  context: LlamaContext,
  { leastMs = LEAST_MS }: { readonly leastMs?: number } = {},
) {
  const key = await keyOf(path, model, context)
  const states = new Map<string, Kept>()
  const partings = new Map<string, number>()
  await tidy(folder)
  for (const name of await namesIn(folder)) {
    const note = name.endsWith('.json') ? await readNote(join(folder, name)) : null
    if (note?.key === key) states.set(note.prefix, { ...note, name: name.slice(0, -5), loadMs: null })
  }
  const file = (name: string, ending: 'json' | 'trying' | 'state'): string =>
    join(folder, `${name}.${ending}`)
  const drop = async ({ name, prefix }: Kept): Promise<void> => {
    states.delete(prefix)
    for (const ending of ['json', 'trying', 'state'] as const) await rm(file(name, ending), { force: true })
  }

  /** The longest state that a prompt begins with, where loading it is cheaper than reading on. */
  function bestFor(prompt: readonly Token[], reused: number, msPerToken: number | null): Kept | null {
    const fitting = [...states.values()]
      .filter(({ tokens }) => tokens > reused && tokens <= prompt.length - 2)
      .sort((a, b) => b.tokens - a.tokens)
    return (
      fitting.find(
        (one) =>
          // Reading what was written goes without a measure yet: at most as long as writing took.
          (one.loadMs ?? one.saveMs) < PAYS_BELOW * (one.tokens - reused) * (msPerToken ?? one.msPerToken) &&
          prefixOf(prompt, one.tokens) === one.prefix,
      ) ?? null
    )
  }

  return {
    /**
     * Loads what is kept of a prompt into a sequence that holds `reused` of its tokens, where that pays. `msPerToken`: what reading takes now;
     * null where it is not known. Answers how many tokens the sequence holds then.
     */
    async load(
      { sequence, ...pooled }: PooledSequence,
      prompt: readonly Token[],
      reused: number,
      msPerToken: number | null,
    ): Promise<number> {
      const best = pooled.isLoose ? null : bestFor(prompt, reused, msPerToken)
      if (!best) return reused
      const began = performance.now()
      try {
        // Whoever ends the engine by being loaded leaves no note, and is not tried again.
        await rename(file(best.name, 'json'), file(best.name, 'trying'))
        if ((await crcOf(file(best.name, 'state'))) !== best.crc) throw new Error('It is damaged.')
      } catch {
        await drop(best)
        return reused
      }
      try {
        await sequence.loadStateFromFile(file(best.name, 'state'), { acceptRisk: true })
        if (prefixOf(sequence.contextTokens, sequence.contextTokens.length) !== best.prefix)
          throw new Error('It is of another prompt.')
      } catch {
        await drop(best)
        await sequence.clearHistory()
        return 0
      }
      await rename(file(best.name, 'trying'), file(best.name, 'json'))
      const now = new Date()
      await utimes(file(best.name, 'json'), now, now).catch(() => undefined)
      best.loadMs = performance.now() - began
      return best.tokens
    },
    /**
     * Notes that a prompt parted from what a sequence held behind its first tokens, all of which it holds still; keeps them once prompts did
     * so often. A person who waits is not kept waiting for a large file.
     */
    async parted({ sequence }: PooledSequence, msPerToken: number | null): Promise<void> {
      const tokens = sequence.contextTokens
      if (tokens.length < LEAST_TOKENS || msPerToken === null || tokens.length * msPerToken < leastMs) return
      const prefix = prefixOf(tokens, tokens.length)
      if (states.has(prefix)) return
      const count = (partings.get(prefix) ?? 0) + 1
      partings.delete(prefix)
      partings.set(prefix, count)
      const [oldest] = partings.keys()
      if (partings.size > MOST_PARTINGS && oldest !== undefined) partings.delete(oldest)
      if (count < PARTINGS) return
      const name = `${key.slice(0, 8)}-${prefix.slice(0, 24)}`
      const place = file(name, 'state')
      const saving = `${place}.${process.pid}`
      try {
        await mkdir(folder, { recursive: true, mode: 0o700 })
        const began = performance.now()
        const { fileSize: bytes } = await sequence.saveStateToFile(saving)
        const saveMs = performance.now() - began
        if (bytes > MOST_BYTES) throw new Error('It is too large.')
        const crc = await crcOf(saving)
        await rename(saving, place)
        const note = {
          format: 1 as const,
          key,
          tokens: tokens.length,
          prefix,
          bytes,
          crc,
          msPerToken,
          saveMs,
        }
        await writeFile(file(name, 'json'), sealed(note))
        states.set(prefix, { ...note, name, loadMs: null })
        await tidy(folder)
      } catch {
        // A cache: without it the prefix is read.
        await rm(saving, { force: true })
        partings.set(prefix, -MOST_PARTINGS)
      }
    },
  }
}

const prefixOf = (tokens: readonly Token[], length: number): string =>
  createHash('sha256')
    .update(new Uint8Array(Uint32Array.from(tokens.slice(0, length)).buffer))
    .digest('hex')

/**
 * Cuts a sequence back to what it can keep of a prompt, and loads what is kept of it on the disk; answers how many tokens are there then. Only
 * runs keep and load: what a person asks, or another program, stays out of these files, as a temporary ask promises.
 */
export async function adapted(
  pool: SequencePool,
  states: PrefixStates | null,
  pooled: PooledSequence,
  {
    prompt,
    reuse,
    place,
    msPerToken,
  }: {
    readonly prompt: readonly Token[]
    readonly reuse: PromptReuse
    readonly place: Place
    readonly msPerToken: number | null
  },
): Promise<number> {
  const { exact } = pooled
  const reused = await pool.adapt(pooled, prompt, reuse)
  if (!states || pooled.isLoose || pooled.lane !== 'run') return reused
  // A dialog that goes on parts from nothing: only its last few tokens are read again.
  if (reused > 0 && reused + REUSE_STEP < exact) await place.step(() => states.parted(pooled, msPerToken))
  pooled.exact = await place.step(() => states.load(pooled, prompt, reused, msPerToken))
  return pooled.exact
}

/** What a state depends on beside its tokens: the model's file, how it is worked out, and by what. */
async function keyOf(path: string, model: LlamaModel, context: LlamaContext): Promise<string> {
  return createHash('sha256')
    .update(await fileParts(path))
    .update(
      JSON.stringify([
        model.llama.llamaCppRelease,
        model.llama.gpu,
        model.gpuLayers,
        context.flashAttention,
        context.kvCacheKeyType,
        cpus()[0]?.model,
      ]),
    )
    .digest('hex')
}

/** Bytes at the beginning and the end of a model that tell it from others, as its size and time do. */
const TOLD_BY = 1024 * 1024

async function fileParts(path: string): Promise<Buffer> {
  const { size, mtimeMs } = await stat(path)
  const file = await open(path, 'r')
  try {
    const [head, tail] = [Buffer.alloc(Math.min(TOLD_BY, size)), Buffer.alloc(Math.min(TOLD_BY, size))]
    await file.read(head, 0, head.length, 0)
    await file.read(tail, 0, tail.length, size - tail.length)
    return Buffer.concat([Buffer.from(`${size} ${mtimeMs}`), head, tail])
  } finally {
    await file.close()
  }
}

async function crcOf(path: string): Promise<number> {
  let crc = 0
  for await (const piece of createReadStream(path, { highWaterMark: 1024 * 1024 }))
    crc = crc32(piece as Buffer, crc)
  return crc
}

async function readNote(path: string): Promise<z.infer<typeof noteSchema> | null> {
  try {
    return noteSchema.parse(unsealed(await readFile(path, 'utf8')))
  } catch {
    return null
  }
}

/** Files that nobody finished are taken for left behind after so long, in ms. */
const UNFINISHED_MS = 60_000

/** Removes what is beyond the folder's limits, the longest unused first, and what belongs to no note. */
async function tidy(folder: string): Promise<void> {
  const names = await namesIn(folder)
  const about = async (name: string) => {
    const info = await stat(join(folder, name)).catch(() => null)
    return { name, bytes: info?.size ?? 0, at: info?.mtimeMs ?? 0 }
  }
  const now = Date.now()
  const [notes, others] = [names.filter((name) => name.endsWith('.json')), new Set(names)]
  const states = (await Promise.all(notes.map(about))).sort((a, b) => b.at - a.at)
  let [bytes, count] = [0, 0]
  for (const { name, at } of states) {
    const state = await about(name.replace(/json$/, 'state'))
    bytes += state.bytes
    count += 1
    if (state.bytes === 0 || count > MOST_STATES || bytes > MOST_FOLDER_BYTES || now - at > MOST_AGE_MS)
      continue
    others.delete(name)
    others.delete(state.name)
  }
  for (const name of others)
    if (
      notes.includes(name) ||
      notes.includes(name.replace(/state$/, 'json')) ||
      now - (await about(name)).at > UNFINISHED_MS
    )
      await rm(join(folder, name), { force: true })
}
