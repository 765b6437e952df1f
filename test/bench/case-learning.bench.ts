import { openLearner } from '../../src/core/memory/cases/learner'
import { traitsOf } from '../../src/core/memory/cases/relations'
import { createRng } from '../../src/core/ground/random'
import { memoryHistory, learnerOptions, MECHANISMS, randomHistory } from '../core/memory/cases/stream'

// What one write costs a learned case bank (its update, without the commit), and one read, with 10,000 stored pairs of task and case:
// by the clock, and in processor time, which other work on the machine does not lengthen.
const PAIRS = 10_000
const K = 4
const SAMPLES = 200
const SELECTORS = [
  'parametric',
  'parametric, relations alone',
  'soft Q, network',
  'soft Q, table',
  'episodic control',
]

function times(samples: readonly number[]): { p50: number; p95: number; mean: number } {
  const sorted = [...samples].sort((a, b) => a - b)
  const at = (share: number): number =>
    Number((sorted[Math.floor(share * (sorted.length - 1))] ?? 0).toFixed(2))
  const mean = samples.reduce((sum, each) => sum + each, 0) / samples.length
  return { p50: at(0.5), p95: at(0.95), mean: Number(mean.toFixed(2)) }
}

/** Clock and processor, in milliseconds each. */
function stopwatch(): () => { clock: number; processor: number } {
  const [begun, used] = [performance.now(), process.cpuUsage()]
  return () => {
    const { user, system } = process.cpuUsage(used)
    return { clock: performance.now() - begun, processor: (user + system) / 1000 }
  }
}

type Measured = ReturnType<ReturnType<typeof stopwatch>>
const both = (of: readonly Measured[]) => ({
  clock: times(of.map(({ clock }) => clock)),
  processor: times(of.map(({ processor }) => processor)),
})

const figures: Record<string, unknown> = {}
const history = randomHistory(PAIRS / K + SAMPLES)
for (const name of SELECTORS) {
  const create = MECHANISMS[name]
  if (!create) throw new Error(`There is no selector called ${name}.`)
  const { bank, writes } = memoryHistory(history.slice(0, PAIRS / K))
  const learner = await openLearner(learnerOptions(bank, create))
  const begun = performance.now()
  await learner.catchUp()
  const fromJournalMs = Math.round(performance.now() - begun)
  const write: Measured[] = []
  const read: Measured[] = []
  for (const next of history.slice(PAIRS / K)) {
    const { case: written, vector } = next
    const traits = traitsOf(written.state, 'Table visits(id INT)', vector)
    const asked = stopwatch()
    learner.rank(traits, written.environment, createRng(written.id))
    read.push(asked())
    writes.push(next)
    const arrived = stopwatch()
    await learner.catchUp()
    write.push(arrived())
  }
  figures[name] = { write: both(write), read: both(read), fromJournalMs }
  process.stdout.write(`${name}: ${JSON.stringify(figures[name])}\n`)
}
process.stdout.write(JSON.stringify({ unit: 'ms', pairs: PAIRS, ...figures }) + '\n')
