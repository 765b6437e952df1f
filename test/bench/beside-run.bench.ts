import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createApp, type App } from '../../src/main/app'

/**
 * The first token of an ask while a run goes on with the same model, against an idle machine, in one process and on one engine; and whether the
 * run came to the same as one that nobody disturbed. Prints one JSON line. Usage: `tsx test/bench/beside-run.bench.ts [--asks N] [--iterations N]`
 */
const option = (name: string, otherwise: number): number => {
  const at = process.argv.indexOf(name)
  return at < 0 ? otherwise : Number(process.argv[at + 1])
}
const ASKS = option('--asks', 50)
const ITERATIONS = option('--iterations', 5)
const STREAM = 'house-rules-a'
const ASK = { text: 'Harbor: Count the bookings with price over 32.', world: { stream: STREAM, index: 3 } }

const at = (values: readonly number[], share: number): number => {
  const sorted = [...values].sort((a, b) => a - b)
  return Math.round(sorted[Math.floor(share * (sorted.length - 1))] ?? Number.NaN)
}

/** ms until the first token of an ask, and until it is answered. */
async function askOnce(app: App): Promise<number> {
  const began = performance.now()
  const { id } = await app.askDrafts.start(ASK)
  let first = 0
  while (first === 0) {
    const { live, ask } = app.asks.get(id)
    if ((live?.streaming ?? '') !== '' || (live?.rounds.length ?? 0) > 0) first = performance.now() - began
    else if (ask.status === 'done') throw new Error('It was answered before it was seen.')
    else await sleep(1)
  }
  await app.asks.settled()
  return first
}

const startRun = (app: App) =>
  app.runDrafts.start({
    ...{ stream: STREAM, method: 'case-bank', seed: 5, temperature: 0.8 },
    protocol: { iterations: ITERATIONS, passes: 1, retest: 0 },
  })

/** Everything that a run wrote, and its rewards. */
const contentOf = async (app: App, runId: string): Promise<string> =>
  JSON.stringify(
    await Promise.all(
      app.runs
        .steps(runId)
        .map(async ({ index, reward, carried }) => [
          reward,
          carried === true
            ? []
            : (await app.runs.trajectory(runId, index)).rounds.map(({ completion }) => completion),
        ]),
    ),
  )

const folder = await mkdtemp(join(tmpdir(), 'loam-beside-bench-'))
const app = await createApp({ dataPath: join(folder, 'data'), host: 'memory', gpuLayers: 'cpu' })
try {
  // The first one loads the model.
  await askOnce(app)
  const idle: number[] = []
  for (let i = 0; i < ASKS; i++) idle.push(await askOnce(app))

  const run = await startRun(app)
  const beside: number[] = []
  let over = 0
  while (beside.length < ASKS && app.runs.head(run.id).status !== 'done') {
    await sleep(50)
    const ms = await askOnce(app)
    if (app.runs.head(run.id).status === 'done') over++
    else beside.push(ms)
  }
  const { done: doneWith } = await app.runs.ended(run.id)
  const alone = await startRun(app)
  await app.runs.ended(alone.id)
  console.log(
    JSON.stringify({
      bench: 'beside-run',
      tasks: doneWith,
      asks: { idle: idle.length, beside: beside.length, afterTheRun: over },
      idleMs: { p50: at(idle, 0.5), p95: at(idle, 0.95) },
      besideMs: { p50: at(beside, 0.5), p95: at(beside, 0.95) },
      ratio: Number((at(beside, 0.5) / at(idle, 0.5)).toFixed(2)),
      p95Ratio: Number((at(beside, 0.95) / at(idle, 0.95)).toFixed(2)),
      sameRun: (await contentOf(app, run.id)) === (await contentOf(app, alone.id)),
    }),
  )
} finally {
  await app.dispose()
  await rm(folder, { recursive: true, force: true })
}
