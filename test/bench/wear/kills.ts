import { cp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Rng } from '../../../src/core/ground/random'
import type { LoamClient } from '../../../src/renderer/client-type'
import { checkDataFolder } from '../../../src/main/storage/doctor'
import { connectTo, startHeadless } from '../../main/headless-process'
import type { App } from '../../../src/main/app'
import { ASK, contentsOf, importLog, logText, openWorn, RUN, type Place } from './folder'

/** What a host is killed at; of the last five it is the program itself that is killed. */
export const WORKS = [
  ...(['ask', 'run', 'import', 'consolidation'] as const),
  ...(['command line', 'engine', 'trainer', 'tool server', 'proxy'] as const),
] as const
export type WorkKind = (typeof WORKS)[number]

/** What came of one kill. */
export interface Kill {
  readonly work: WorkKind
  readonly afterMs: number
  /** Whether the work was over when the host was killed. */
  readonly wasOver: boolean
  /** Lines of journals and asks that were whole after the kill and are not there any more, and what a client was told of and that is gone. */
  readonly lost: readonly string[]
  /** What is not as it should be once the folder was opened again: areas that read otherwise, files that the doctor names. */
  readonly wrong: readonly string[]
}

/** Milliseconds within which each work is killed. */
const WITHIN = { ask: 1500, run: 2500, import: 900, consolidation: 4000 } as const
/** Works at which the host is killed. */
export type HostWork = keyof typeof WITHIN
const ROWS = 300

/** The training of a soft prompt. */
export const training = (memory: string) =>
  ({
    ...{ memory, stream: 'house-rules-b', teacher: 2, student: 0, actions: 'recorded' },
    settings: { length: 8, steps: 16 },
  }) as never

/** Writes the log that is imported while something is killed. */
export async function writeSecondLog(folder: string): Promise<string> {
  const log = join(folder, 'second.jsonl')
  await writeFile(log, logText(ROWS, 'second'))
  return log
}

/** A new copy of the folder. */
export async function freshCopy({ template, folder }: Place): Promise<string> {
  const data = join(folder, 'killed')
  await rm(data, { recursive: true, force: true, maxRetries: 5 })
  await cp(template, data, { recursive: true })
  return data
}

/** Whole lines of every file that is only ever added to, by file. */
async function wholeLines(folder: string): Promise<Map<string, string[]>> {
  const names = await readdir(folder, { recursive: true })
  const kept = names.filter((name) => /journal[\\/]\d+\.jsonl$|ask\.jsonl$|events\.jsonl$/.test(name))
  const lines = new Map<string, string[]>()
  for (const name of kept)
    lines.set(name, (await readFile(join(folder, name), 'utf8')).split('\n').slice(0, -1))
  return lines
}

/** What a client was told of. */
interface Told {
  readonly askId?: string
  readonly runId?: string
}

/** Begins the work at a host, and answers what it acknowledged, and whether it is over. */
async function begin(
  client: LoamClient,
  work: HostWork,
  { folder, memory }: Place,
): Promise<Told & { readonly isOver: () => Promise<boolean> }> {
  const ofJob = (jobId: string) => async () =>
    (await client.jobs.list()).some(({ id, status }) => id === jobId && status !== 'running')
  if (work === 'ask') {
    const { id } = await client.asks.start(ASK)
    return { askId: id, isOver: async () => (await client.asks.get({ askId: id })).ask.status === 'done' }
  }
  if (work === 'run') {
    const { id } = await client.runs.start(RUN)
    return { runId: id, isOver: async () => (await client.runs.get({ runId: id })).status === 'done' }
  }
  if (work === 'import') {
    const log = await writeSecondLog(folder)
    return { isOver: ofJob((await client.items.import(importLog(log))).jobId) }
  }
  return { isOver: ofJob((await client.softPrompts.start(training(memory))).jobId) }
}

/** Starts a host on a copy of the folder, kills it with -9 at a time that `random` draws, opens the folder again, and looks. */
export async function killOnce(place: Place, work: HostWork, random: Rng): Promise<Kill> {
  const data = await freshCopy(place)
  const host = startHeadless(data)
  const afterMs = random.int(WITHIN[work])
  let reply: Told = {}
  let wasOver = false
  try {
    const early = host.ended.then(({ err }) => {
      throw new Error(`The host ended before it was killed: ${err}`)
    })
    early.catch(() => undefined)
    const { client, closed } = await connectTo(await Promise.race([host.url, early]))
    closed.catch(() => undefined)
    const job = await begin(client, work, place)
    reply = job
    await sleep(afterMs)
    wasOver = await job.isOver()
  } finally {
    host.child.kill('SIGKILL')
    await host.ended
  }
  return { work, afterMs, wasOver, ...(await lookAfter(data, place, work, reply)) }
}

/** Plays runs to their end that are not in the folder that the kill began with; what they earn has to be what an uninterrupted one earned. */
async function finishRuns({ runs }: App, expected: Record<string, unknown>): Promise<string[]> {
  const before = expected['runs'] as [string, string, number[]][]
  const wrong: string[] = []
  for (const { id, status, problem } of runs.list()) {
    if (before.some(([runId]) => runId === id)) continue
    if (status === 'paused') await runs.resume(id)
    else if (status !== 'done') wrong.push(`${id} is ${status}: ${problem?.cause ?? ''}`)
    const { rewards } = await runs.ended(id)
    if (rewards.join() !== before[0]?.[2].join()) wrong.push(`${id} earned ${rewards.join()}`)
  }
  return wrong
}

/** Opens a folder again in which something was killed, and compares it with what it was. */
export async function lookAfter(
  data: string,
  { folder, expected }: Place,
  work: WorkKind,
  { askId, runId }: Told = {},
): Promise<Pick<Kill, 'lost' | 'wrong'>> {
  const before = await wholeLines(data)
  const lost: string[] = []
  const wrong: string[] = []
  const app = await openWorn(data)
  try {
    await app.asks.settled()
    if (askId !== undefined && !app.asks.list({ text: '', deleted: false }).some(({ id }) => id === askId))
      lost.push(`ask ${askId}`)
    if (runId !== undefined && !app.runs.has(runId)) lost.push(`run ${runId}`)
    wrong.push(...(await finishRuns(app, expected)))
    if (work === 'import' || work === 'command line') {
      // What was cut goes on behind what came in, and nothing comes in twice.
      const report = await app.imports.run(importLog(join(folder, 'second.jsonl')), {})
      if (report.rows !== ROWS || report.imported + report.duplicates !== ROWS)
        wrong.push(`import: ${report.imported} + ${report.duplicates} of ${report.rows}`)
    }
    const contents = await contentsOf(app)
    // What the work itself adds to, besides the jobs that are told of.
    const grown = new Set(['jobs'])
    if (['ask', 'engine', 'tool server'].includes(work)) grown.add('asks')
    if (['run', 'engine', 'command line'].includes(work)) grown.add('runs')
    const mine = String(app.memories.resolve('mine'))
    if (['import', 'command line', 'proxy'].includes(work))
      for (const area of ['items', 'imports']) grown.add(`${area} of ${mine}`)
    for (const [area, value] of Object.entries(expected))
      if (!grown.has(area) && JSON.stringify(contents[area]) !== JSON.stringify(value)) wrong.push(area)
    for (const [area, value] of Object.entries(contents))
      if (typeof value === 'string' && value.startsWith('refused')) wrong.push(`${area} ${value}`)
  } finally {
    await app.dispose()
  }
  const after = await wholeLines(data)
  for (const [name, lines] of before) {
    const now = new Set(after.get(name) ?? [])
    lost.push(...lines.filter((line) => !now.has(line)).map(() => relative(data, name)))
  }
  const { findings } = await checkDataFolder({ path: data, repair: false, now: new Date(), version: '0' })
  wrong.push(
    ...findings
      .filter(({ of }) => of !== 'disk' && of !== 'locks')
      .map(({ place, problem }) => `${place}: ${problem}`),
  )
  return { lost, wrong }
}
