import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { METHODS } from '../../src/core/methods'
import { createApp } from '../../src/main/app'

/**
 * What each method learns for what it costs: tasks solved beyond those of no memory, by tokens that were evaluated and by seconds, recall, learning and
 * writing counted in. One stream, one model, one seed after the other. Prints a table and, as its last line, one JSON object.
 * Usage: `tsx test/bench/learning-cost.bench.ts [--tasks N] [--seeds 5,6] [--stream NAME] [--methods a,b]`
 */
const option = (name: string, otherwise: string): string => {
  const at = process.argv.indexOf(name)
  return at < 0 ? otherwise : (process.argv[at + 1] ?? otherwise)
}
const STREAM = option('--stream', 'house-rules-a')
const TASKS = Number(option('--tasks', '60'))
const SEEDS = option('--seeds', '5').split(',').map(Number)
const CHOICE = option('--methods', '')
  .split(',')
  .filter((one) => one !== '')

interface Sum {
  solved: number
  tasks: number
  tokens: number
  seconds: number
  problem: string | null
}

const folder = await mkdtemp(join(tmpdir(), 'loam-learning-cost-'))
const app = await createApp({ dataPath: join(folder, 'data'), host: 'memory', gpuLayers: 'cpu' })
const sums = new Map<string, Sum>()
try {
  for (const { info } of METHODS) {
    if (CHOICE.length > 0 && info.id !== 'none' && !CHOICE.includes(info.id)) continue
    const sum: Sum = { solved: 0, tasks: 0, tokens: 0, seconds: 0, problem: null }
    sums.set(info.id, sum)
    for (const seed of SEEDS)
      try {
        const run = await app.runDrafts.start({
          ...{ stream: STREAM, method: info.id, seed, tasks: TASKS, temperature: 0, maxTokens: 128 },
        })
        const { problem } = await app.runs.ended(run.id)
        if (problem) sum.problem = problem.cause
        for (const { reward, usage, ms } of app.runs.steps(run.id)) {
          sum.solved += reward
          sum.tasks++
          sum.tokens += usage.promptTokens - usage.reusedTokens + usage.completionTokens
          sum.seconds += ms / 1000
        }
      } catch (error) {
        sum.problem = error instanceof Error ? error.message : String(error)
      }
  }
} finally {
  await app.dispose()
  await rm(folder, { recursive: true, force: true })
}
const none = sums.get('none')
const rate = ({ solved, tasks }: Sum): number => solved / Math.max(1, tasks)
const rows = [...sums].map(([method, sum]) => {
  const gain = (rate(sum) - (none ? rate(none) : 0)) * sum.tasks
  return {
    ...{ method, tasks: sum.tasks, solved: sum.solved, tokens: sum.tokens, seconds: Math.round(sum.seconds) },
    moreSolved: Number(gain.toFixed(1)),
    perMillionTokens: Number(((gain / Math.max(1, sum.tokens)) * 1e6).toFixed(1)),
    perMinute: Number(((gain / Math.max(1, sum.seconds)) * 60).toFixed(2)),
    ...(sum.problem !== null && { problem: sum.problem }),
  }
})
rows.sort((a, b) => b.perMillionTokens - a.perMillionTokens)
for (const row of rows)
  console.log(
    `| ${row.method} | ${row.tasks} | ${row.solved} | ${row.tokens} | ${row.seconds} | ${row.moreSolved} | ${row.perMillionTokens} | ${row.perMinute} |${row.problem ? ` ${row.problem}` : ''}`,
  )
console.log(JSON.stringify({ bench: 'learning-cost', stream: STREAM, tasks: TASKS, seeds: SEEDS, rows }))
