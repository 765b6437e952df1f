import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createRng } from '../../src/core/ground/random'
import type { GenerateResult, LanguageModel } from '../../src/core/ground/chat'
import { caseBank } from '../../src/core/methods/case-bank/case-bank'
import { createGateway } from '../../src/main/api/gateway-http'
import { createKeyRing } from '../../src/main/api/program-keys'
import { startProxyHttp } from '../../src/main/api/proxy-http'
import { createApp } from '../../src/main/app'
import { openAttemptFiles } from '../../src/main/share/proxy/attempt-files'
import { createMemoryProxy } from '../../src/main/share/proxy/memory-proxy'
import { openTerms } from '../../src/main/share/proxy/client-terms'
import { PROXY_MODES } from '../../src/shared/domain/sharing'
import type { StoredMemory } from '../../src/main/memory-store/memory'
import { startMadeUpUpstream } from '../fixtures/made-up-upstream'
import { attempt } from '../main/memory-store/fixtures'

// What the memory proxy adds to a request: the whole round trip over HTTP to a model that answers at once, by mode, at 1k and 100k cases.
const SIZES = (process.env['LOAM_PROXY_SIZES'] ?? '1000,100000').split(',').map(Number)
const SAMPLES = 200
const PER_COMMIT = 200
const rng = createRng('proxy bench')
const words = Array.from({ length: 600 }, () =>
  Array.from({ length: 2 + rng.int(3) }, () => rng.pick(['ba', 'ke', 'lo', 'mi', 'ru', 'ta', 'vo'])).join(''),
)
const textOf = (n: number): string =>
  Array.from({ length: 12 }, () => rng.pick(words)).join(' ') + ` order ${n}`

/** A model without any work of its own. */
const atOnce = (real: LanguageModel): LanguageModel => ({
  ...real,
  generate: () =>
    Promise.resolve({
      text: 'Done.',
      finish: 'stop',
      usage: { promptTokens: 10, completionTokens: 2, reusedTokens: 0, ms: 0 },
    } as unknown as GenerateResult),
  countTokens: (texts) => Promise.resolve(texts.map((text) => Math.ceil(text.length / 4))),
})

function percentiles(samples: readonly number[]): { p50: number; p95: number } {
  const sorted = [...samples].sort((a, b) => a - b)
  const at = (share: number): number =>
    Number((sorted[Math.floor(share * (sorted.length - 1))] ?? 0).toFixed(2))
  return { p50: at(0.5), p95: at(0.95) }
}

/** One request, to its answer's end. */
async function send(origin: string, headers: Readonly<Record<string, string>>, i: number): Promise<void> {
  const answer = await fetch(`${origin}/v1/chat/completions`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'loam', messages: [{ role: 'user', content: `Task: ${textOf(i)}` }] }),
  })
  const reply = await answer.text()
  if (!answer.ok) throw new Error(reply)
}

/** Milliseconds of requests, one after another, once a few have warmed the way. */
async function timesOf(origin: string, headers: Readonly<Record<string, string>>): Promise<number[]> {
  const samples: number[] = []
  for (let i = 0; i < SAMPLES + 20; i++) {
    const startTime = performance.now()
    await send(origin, headers, i)
    if (i >= 20) samples.push(performance.now() - startTime)
  }
  return samples
}

/** Clients that ask at a time, each one request after another. */
const CLIENTS = 8

/** Requests a second of several clients at a time. */
async function throughputOf(origin: string, headers: Readonly<Record<string, string>>): Promise<number> {
  const begun = performance.now()
  let count = 0
  const client = async (): Promise<void> => {
    while (performance.now() - begun < THROUGHPUT_MS) {
      await send(origin, headers, count++)
    }
  }
  await Promise.all(Array.from({ length: CLIENTS }, client))
  return Number(((count * 1000) / (performance.now() - begun)).toFixed(1))
}
const THROUGHPUT_MS = 5_000

const folder = await mkdtemp(join(tmpdir(), 'loam-proxy-bench-'))
const app = await createApp({ dataPath: join(folder, 'data'), host: 'memory' })
const figures: Record<string, unknown> = {}
const termsFor = async (mode: (typeof PROXY_MODES)[number], memory: StoredMemory, path: string) =>
  openTerms(
    { mode, environment: 'lab-db' },
    {
      open: () => Promise.resolve(memory),
      memory: path,
      defaultMethod: caseBank.info.id,
      prompts: await app.prompts(),
    },
  )
try {
  const model = atOnce(await app.loadModel(app.demoModel))
  const path = join(folder, 'space')
  const memory = await app.memories.open(path)
  let count = 0
  for (const size of SIZES) {
    while (count < size) {
      const events = []
      for (let n = 0; n < PER_COMMIT && count < size; n++) events.push(...attempt(++count, textOf(count)))
      await memory.commit(events)
    }
    await memory.tidy()
    for (const mode of PROXY_MODES) {
      const proxy = createMemoryProxy(app)
      const terms = await termsFor(mode, memory, path)
      const keys = createKeyRing(
        'bench',
        () => Promise.resolve([]),
        () => false,
      )
      const served = { models: () => Promise.resolve([]), modelNamed: () => Promise.resolve(model) }
      const server = await startProxyHttp(
        { proxy, keys, termsOf: () => Promise.resolve(terms), embedder: app.embedder, ...served },
        0,
      )
      const samples = await timesOf(`http://127.0.0.1:${server.port}`, {
        authorization: `Bearer ${keys.key}`,
      })
      await server.close()
      const recalls = mode === 'both' || mode === 'recall'
      if (proxy.requests().some(({ recalled }) => recalled.length > 0) !== recalls)
        throw new Error(`Mode ${mode} recalled what it should not, or nothing.`)
      figures[`${mode}${size}`] = percentiles(samples)
      process.stdout.write(`${size} cases, mode ${mode}: ${JSON.stringify(figures[`${mode}${size}`])} ms\n`)
    }
    // The same requests to a server of somebody else's: straight, and through the gateway.
    const upstream = await startMadeUpUpstream()
    const direct = percentiles(await timesOf(upstream.url, {}))
    const directPerS = await throughputOf(upstream.url, {})
    for (const mode of ['record', 'both'] as const) {
      const attemptFiles = openAttemptFiles(join(folder, `attempts-${mode}-${size}`))
      const proxy = createMemoryProxy({ ...app, attemptFiles })
      const terms = await termsFor(mode, memory, path)
      const keys = createKeyRing(
        'bench',
        () => Promise.resolve([]),
        () => false,
      )
      const termsOf = () => Promise.resolve(terms)
      const about = { base: new URL(upstream.url), key: null, dialect: null }
      const gateway = createGateway({ proxy, upstream: about, termsOf, model: () => Promise.resolve(model) })
      const served = { models: () => Promise.resolve([]), modelNamed: () => Promise.resolve(model) }
      const server = await startProxyHttp(
        { proxy, keys, termsOf, embedder: app.embedder, gateway, ...served },
        0,
      )
      const origin = `http://127.0.0.1:${server.port}`
      const own = { 'x-loam-key': keys.key }
      const through = percentiles(await timesOf(origin, own))
      const perS = await throughputOf(origin, own)
      await server.close()
      const ratio = Number((through.p50 / direct.p50).toFixed(2))
      const sideBySide = { clients: CLIENTS, directPerS, perS, share: Number((perS / directPerS).toFixed(3)) }
      const addedP50 = Number((through.p50 - direct.p50).toFixed(2))
      const figure = { direct, through, addedP50, ratio, sideBySide }
      figures[`gateway-${mode}${size}`] = figure
      process.stdout.write(`${size} cases, gateway ${mode}: ${JSON.stringify(figure)}\n`)
    }
    await upstream.close()
  }
  process.stdout.write(
    JSON.stringify({ unit: 'ms', samples: SAMPLES, k: caseBank.info.defaultK, ...figures }) + '\n',
  )
} finally {
  await app.dispose()
  await rm(folder, { recursive: true, force: true, maxRetries: 5 })
}
