import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { createApp, type App } from '../../src/main/app'
import type { Trajectory } from '../../src/shared/domain/trajectory'

/**
 * What share of the prompt tokens of case-bank runs is answered from what the engine still holds, counted in tokens and not in time; and where the rest
 * goes. Prints one JSON line. Usage: `tsx test/bench/prefix.bench.ts [--model FILE.gguf] [--stream NAME] [--tasks N] [--forms text,turns]`
 */
const option = (name: string, otherwise: string): string => {
  const at = process.argv.indexOf(name)
  return at < 0 ? otherwise : (process.argv[at + 1] ?? otherwise)
}
const STREAM = option('--stream', 'house-rules-a')
const TASKS = Number(option('--tasks', '40'))
const FORMS = option('--forms', 'text,turns').split(',')
const MODEL = option('--model', '')
const METHOD = option('--method', 'case-bank')
const ROUNDS = Number(option('--rounds', '0'))

const share = (part: number, whole: number): number => Number((part / Math.max(1, whole)).toFixed(3))

/** Tokens of all prompts, those that were reused, and where the others stood. */
function countTokens(attempts: readonly Trajectory[]) {
  let [prompt, reused, first, firstReused, later, laterReused, written] = [0, 0, 0, 0, 0, 0, 0]
  for (const { rounds } of attempts)
    rounds.forEach(({ usage }, i) => {
      prompt += usage.promptTokens
      reused += usage.reusedTokens
      if (i === 0) {
        first += usage.promptTokens
        firstReused += usage.reusedTokens
      } else {
        later += usage.promptTokens
        laterReused += usage.reusedTokens
        written += rounds[i - 1]?.usage.completionTokens ?? 0
      }
    })
  const calls = attempts.reduce((sum, { rounds }) => sum + rounds.length, 0)
  return {
    ...{ calls, promptTokens: prompt, reusedTokens: reused, share: share(reused, prompt) },
    firstRounds: { tokens: first, share: share(firstReused, first) },
    laterRounds: { tokens: later, share: share(laterReused, later) },
    /** Of all prompt tokens: what is read anew in first rounds, in later ones, and how much of the latter the model had written itself. */
    anew: {
      first: share(first - firstReused, prompt),
      later: share(later - laterReused, prompt),
      written: share(written, prompt),
    },
    solved: attempts.filter(({ reward }) => reward === 1).length,
  }
}

async function play(app: App, attempts: string) {
  const run = await app.runDrafts.start({
    ...{ stream: STREAM, method: METHOD, seed: 5, tasks: TASKS, temperature: 0 },
    ...(MODEL !== '' && { model: resolve(MODEL), contextSize: 4096, maxTokens: 64 }),
    settings: {
      presentation: { attempts },
      ...(ROUNDS > 0 && { 'tool-use': { rounds: ROUNDS } }),
    },
  })
  await app.runs.ended(run.id)
  const steps = app.runs.steps(run.id)
  return countTokens(await Promise.all(steps.map(({ index }) => app.runs.trajectory(run.id, index))))
}

const folder = await mkdtemp(join(tmpdir(), 'loam-prefix-bench-'))
const app = await createApp({ dataPath: join(folder, 'data'), host: 'memory', gpuLayers: 'cpu' })
try {
  const results: Record<string, unknown> = {}
  for (const form of FORMS) results[form] = await play(app, form)
  console.log(
    JSON.stringify({
      bench: 'prefix',
      model: MODEL === '' ? 'demo' : MODEL,
      stream: STREAM,
      method: METHOD,
      tasks: TASKS,
      ...results,
    }),
  )
} finally {
  await app.dispose()
  await rm(folder, { recursive: true, force: true })
}
