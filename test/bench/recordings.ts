import { setImmediate as nextTurn } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { playRecordings, type Recording } from '../../src/core/lab/recordings'
import { METHODS } from '../../src/core/methods'
import { builtInEncoder } from '../../src/main/embedders/built-in-encoder'
import { encoderPath } from '../../src/main/ground/model-file'
import { findResources } from '../../src/main/ground/resources'
import { gradedAttempts } from '../fixtures/foreign-attempts'

/**
 * `npm run recordings -- --graded db_graded_sessions.jsonl --tasks db_bench.json [--orders 5]`: what `loam experiment recordings` tells of a memory, on
 * LifelongAgentBench's graded sessions: of all models together, and of each alone, for which every task is new.
 */
const { values } = parseArgs({
  options: {
    graded: { type: 'string' },
    tasks: { type: 'string' },
    orders: { type: 'string', default: '5' },
  },
})
if (values.graded === undefined || values.tasks === undefined)
  throw new Error('npm run recordings -- --graded FILE --tasks FILE')
const print = (line: string): void => void process.stdout.write(`${line}\n`)
const embedder = builtInEncoder(encoderPath(findResources().models))
const learners = METHODS.flatMap(({ learner }) => learner ?? [])

async function report(name: string, recordings: readonly Recording[]): Promise<void> {
  print(
    `\n${name}: ${recordings.length} attempts, ${recordings.filter(({ lived }) => lived.reward === 1).length} solved`,
  )
  const figures = await playRecordings(recordings, {
    ...{ embedder, learners, k: 4, orders: Number(values.orders), seed: 1 },
    pause: async () => {
      await nextTurn()
    },
  })
  for (const { part, what, mean, low, high, n } of figures)
    print(`  ${part}: ${what} ${mean.toFixed(3)} [${low.toFixed(3)}, ${high.toFixed(3)}], n ${n}`)
}

const all = (await gradedAttempts(values.graded, values.tasks)).flatMap(({ model, lived }) => {
  const { reward, told } = lived
  return reward === null ? [] : [{ model, lived: { ...lived, reward }, text: told.split('\n')[0] ?? '' }]
})
await report('All models together', all)
for (const model of new Set(all.map((one) => one.model)))
  await report(
    model,
    all.filter((one) => one.model === model),
  )
