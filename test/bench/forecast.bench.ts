import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createApp } from '../../src/main/app'
import { readPace } from '../../src/main/soft-prompts/pace'

/**
 * How far what a training is said to take is from what it took, in operations and not in time: planned from a memory's attempts, and guessed before
 * there are any. Prints one JSON line. Usage: `tsx test/bench/forecast.bench.ts [--tasks N] [--steps N] [--stream NAME]`
 */
const option = (name: string, otherwise: string): string => {
  const at = process.argv.indexOf(name)
  return at < 0 ? otherwise : (process.argv[at + 1] ?? otherwise)
}
const TASKS = Number(option('--tasks', '30'))
const STEPS = Number(option('--steps', '6'))
const STREAM = option('--stream', 'house-rules-a')

const folder = await mkdtemp(join(tmpdir(), 'loam-forecast-'))
const dataPath = join(folder, 'data')
const app = await createApp({ dataPath, host: 'memory', gpuLayers: 'cpu' })
try {
  const run = await app.runDrafts.start({ stream: STREAM, method: 'case-bank', seed: 5, tasks: TASKS })
  await app.runs.ended(run.id)
  const { memoryId: memory, model } = app.runs.record(run.id).config
  const rows: Record<string, unknown>[] = []
  for (const student of [0, 4]) {
    const input = {
      ...{ memory, stream: STREAM, model, teacher: 4, student, backend: 'cpu' as const, use: false },
      settings: { steps: STEPS, length: 16 },
    }
    const before = (await readPace(dataPath, 1)).operationsPerMs
    const plan = await app.softPromptTraining.plan(input as never)
    const guessMs = await app.softPromptTraining.forecast(model, { length: 16, student, steps: STEPS })
    const { file } = await app.softPromptTraining.consolidate(input as never)
    const after = (await readPace(dataPath, 1)).operationsPerMs
    const operations = after * file.info.outcome.wallMs
    rows.push({
      ...{ student, attempts: plan.attempts.length, operations: Math.round(operations / 1e9) },
      planToTruth: Number(((plan.time.trainingMs * before) / operations).toFixed(2)),
      guessToTruth: Number(((guessMs * before) / operations).toFixed(2)),
    })
  }
  console.log(JSON.stringify({ bench: 'forecast', stream: STREAM, tasks: TASKS, steps: STEPS, rows }))
} finally {
  await app.dispose()
  await rm(folder, { recursive: true, force: true })
}
