import { existsSync, mkdirSync, readFileSync, readdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import MiniSearch from 'minisearch'
import { createRng } from '../../src/core/ground/random'
import { ALPHA, fuse } from '../../src/core/retrieval/fuse'
import { INDEX_TUNING, openCaseIndex } from '../../src/main/adapters/lancedb/case-index'

/** A row that is searched. */
export interface BenchRow {
  readonly n: number
  readonly text: string
  readonly vector: Float32Array
}
export type BenchQuery = Omit<BenchRow, 'n'>

/** Rows of one system: each search answers numbers of rows, best first. */
export interface BenchSystem {
  fill(rows: readonly BenchRow[]): Promise<void>
  add(row: BenchRow): Promise<void>
  /** The `DEPTH` best by words. */
  words(query: BenchQuery): Promise<number[]>
  /** The `K` best by meaning. */
  meaning(query: BenchQuery): Promise<number[]>
  /** The `K` best of both, `DEPTH` rows of each. */
  hybrid(query: BenchQuery): Promise<number[]>
  close(): Promise<void>
}

export const K = 10
export const DEPTH = 100
export const DIMENSION = 256
const CLUSTERS = 100
const NOISE = 0.9

/** Rows of 15 to 45 words and questions of 12, drawn by their frequency in this project's documents, stop words among them; vectors in clusters. */
export function benchCorpus(root: string) {
  const rng = createRng('search bench')
  const docs = join(root, 'docs')
  const prose = readdirSync(docs)
    .filter((name) => name.endsWith('.md'))
    .map((name) => readFileSync(join(docs, name), 'utf8'))
    .join('\n')
  const all = prose.toLowerCase().match(/[a-z]{2,}/g) ?? []
  const gauss = (): number => Math.sqrt(-2 * Math.log(1 - rng.next())) * Math.cos(2 * Math.PI * rng.next())
  const centers = Array.from({ length: CLUSTERS }, () => Float32Array.from({ length: DIMENSION }, gauss))
  const vector = (): Float32Array => {
    const center = rng.pick(centers)
    const raw = center.map((value) => value + NOISE * gauss())
    const norm = Math.hypot(...raw)
    return raw.map((value) => value / norm)
  }
  const text = (length: number): string => Array.from({ length }, () => rng.pick(all)).join(' ')
  return {
    row: (n: number): BenchRow => ({ n, text: `${text(15 + rng.int(31))} item${n}`, vector: vector() }),
    query: (): BenchQuery => ({ text: text(12), vector: vector() }),
  }
}

/** Reciprocal ranks of two lists. */
function reciprocalRanks(lists: readonly (readonly number[])[]): number[] {
  const sums = new Map<number, number>()
  for (const list of lists)
    for (const [rank, n] of list.entries()) sums.set(n, (sums.get(n) ?? 0) + 1 / (60 + rank))
  return [...sums]
    .sort((a, b) => b[1] - a[1] || b[0] - a[0])
    .slice(0, K)
    .map(([n]) => n)
}

async function openLoam(folder: string): Promise<BenchSystem> {
  const at = join(folder, 'loam')
  const isThere = existsSync(at)
  mkdirSync(at, { recursive: true })
  const note = {
    format: 4,
    embedder: { id: 'bench', dimension: DIMENSION },
    appliedSeq: 0,
    cases: 0,
    trajectories: 0,
  } as const
  const index = await openCaseIndex(
    {
      folder: at,
      dimension: DIMENSION,
      createdAt: () => '',
      note: () => note,
      tuning: { ...INDEX_TUNING, idleMs: 0 },
    },
    !isThere,
  )
  const caseRow = ({ n, text, vector }: BenchRow) =>
    ({
      id: `c${n}`,
      state: text,
      vector,
      environment: 'bench',
      reward: 1,
      createdAt: '',
      deleted: false,
    }) as const
  const numbers = (hits: readonly { readonly id: string }[]): number[] =>
    hits.map(({ id }) => Number(id.slice(1)))
  return {
    async fill(rows) {
      for (let start = 0; start < rows.length; start += 1000)
        await index.add(rows.slice(start, start + 1000).map(caseRow))
      await index.tidy()
    },
    add: (row) => index.add([caseRow(row)]),
    words: async ({ text }) => numbers(await index.match(text, DEPTH, {})),
    meaning: async ({ vector }) => numbers(await index.nearest(vector, K, {})),
    async hybrid({ text, vector }) {
      const candidates = await index.candidates({ text, vector, depth: DEPTH, filter: {} })
      return numbers(fuse({ mode: 'hybrid', ...candidates, vector, alpha: ALPHA }).slice(0, K))
    },
    close: () => index.close(),
  }
}

interface Statement {
  run(...values: unknown[]): void
  all(...values: unknown[]): number[]
  pluck(): Statement
}
interface Database {
  exec(sql: string): void
  pragma(text: string): void
  prepare(sql: string): Statement
  transaction(job: (rows: readonly BenchRow[]) => void): (rows: readonly BenchRow[]) => void
  close(): void
}

function openSqlite(folder: string, peer: NodeJS.Require): BenchSystem {
  const Sqlite = peer('better-sqlite3') as new (path: string) => Database
  const database = new Sqlite(join(folder, 'sqlite.db'))
  ;(peer('sqlite-vec') as { load(target: Database): void }).load(database)
  database.pragma('journal_mode=WAL')
  database.pragma('synchronous=FULL')
  database.exec(`create virtual table if not exists v using vec0(id integer primary key, e float[${DIMENSION}] distance_metric=cosine);
    create virtual table if not exists f using fts5(t, content='')`)
  const putVector = database.prepare('insert into v(id,e) values(?,?)')
  const putText = database.prepare('insert into f(rowid,t) values(?,?)')
  const bytes = ({ vector }: BenchQuery): Buffer =>
    Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength)
  const put = database.transaction((rows) => {
    for (const row of rows) {
      putVector.run(BigInt(row.n), bytes(row))
      putText.run(row.n, row.text)
    }
  })
  const near = database.prepare('select id from v where e match ? and k = ?').pluck()
  const match = database.prepare('select rowid from f where f match ? order by rank limit ?').pluck()
  const byWords = ({ text }: BenchQuery): number[] =>
    match.all([...new Set(text.match(/[a-z0-9]+/g))].map((word) => `"${word}"`).join(' OR '), DEPTH)
  return {
    fill: async (rows) => put(rows),
    add: async (row) => put([row]),
    words: async (query) => byWords(query),
    meaning: async (query) => near.all(bytes(query), K),
    hybrid: async (query) => reciprocalRanks([byWords(query), near.all(bytes(query), DEPTH)]),
    close: async () => database.close(),
  }
}

interface Graph {
  initIndex(most: number): void
  setEf(ef: number): void
  addPoint(vector: readonly number[], n: number): void
  searchKnn(vector: readonly number[], k: number): { readonly neighbors: number[] }
}

/** In memory alone: what it costs to open it again is not measured. */
function openMiniSearch(most: number, peer: NodeJS.Require): BenchSystem {
  const { HierarchicalNSW } = peer('hnswlib-node') as {
    HierarchicalNSW: new (space: string, size: number) => Graph
  }
  const texts = new MiniSearch<{ id: number; text: string }>({ fields: ['text'] })
  const graph = new HierarchicalNSW('cosine', DIMENSION)
  graph.initIndex(most)
  graph.setEf(128)
  const add = ({ n, text, vector }: BenchRow): void => {
    texts.add({ id: n, text })
    graph.addPoint([...vector], n)
  }
  const byWords = ({ text }: BenchQuery): number[] =>
    texts
      .search(text)
      .slice(0, DEPTH)
      .map(({ id }) => id as number)
  const near = ({ vector }: BenchQuery, k: number): number[] => graph.searchKnn([...vector], k).neighbors
  return {
    fill: async (rows) => rows.forEach(add),
    add: async (row) => add(row),
    words: async (query) => byWords(query),
    meaning: async (query) => near(query, K),
    hybrid: async (query) => reciprocalRanks([byWords(query), near(query, DEPTH)]),
    close: async () => undefined,
  }
}

/** How each system is opened. Peers are there where `npm install --prefix test/bench/peers` was run; MiniSearch is never read from disk. */
export function benchSystems(
  root: string,
): Record<string, (folder: string, most: number) => Promise<BenchSystem>> {
  const peers = join(root, 'test', 'bench', 'peers')
  const peer = createRequire(join(peers, 'package.json'))
  return {
    loam: openLoam,
    ...(existsSync(join(peers, 'node_modules')) && {
      sqlite: async (folder: string) => openSqlite(folder, peer),
      'minisearch+hnswlib': async (_: string, most: number) => openMiniSearch(most, peer),
    }),
  }
}
