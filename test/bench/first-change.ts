import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { createRng } from '../../src/core/ground/random'
import { changesOf, PARTS, readEntries, type Entry } from '../../models/training/tune/tasks'
import { createApp, type App } from '../../src/main/app'
import type { SettingChanges } from '../../src/shared/domain/setting'
import { memoryOfSolutions } from './solved-tasks'

/**
 * `npm run first-change -- MODEL.gguf DB_BENCH.json [--orders 1,2,3] [--methods none,case-bank] [--only methods,gold,corrected]
 * [--part all]`: what memory does for a small model on the changes of LifelongAgentBench (those whose solution is one INSERT, UPDATE or DELETE without a SELECT), as difference to none on the same tasks: with what each method
 * learns on its way, with solutions of other tasks in memory, and with each task's own solution among all. `--part held-out`: the changes alone that the
 * recipe in models/training/tune never shows.
 */
const { values, positionals } = parseArgs({
  options: {
    orders: { type: 'string', default: '1,2,3' },
    methods: { type: 'string', default: 'none,replay,case-bank,case-bank-q,loam' },
    only: { type: 'string', default: 'methods,gold,corrected' },
    tasks: { type: 'string', default: '1000' },
    part: { type: 'string', default: 'all' },
  },
  allowPositionals: true,
})
const [model, published] = positionals.map((path) => resolve(path))
if (model === undefined || published === undefined) throw new Error('Which model, and which db_bench.json?')
const methods = values.methods.split(',')
const orders = values.orders.split(',').map(Number)
const print = (line: string): void => void process.stdout.write(`${line}\n`)

const part = PARTS.find((one) => one === values.part)
if (part === undefined) throw new Error(`Which part? ${PARTS.join(', ')}`)
const entries = changesOf(await readEntries(published), part).slice(0, Number(values.tasks))

const folder = await mkdtemp(join(tmpdir(), 'loam-first-change-'))
const streamOf = async (name: string, some: readonly Entry[]): Promise<string> => {
  const path = join(folder, `${name}.json`)
  await writeFile(path, JSON.stringify(Object.fromEntries(some.map((entry, i) => [i, entry]))))
  return path
}
const inOrder = (order: number): Entry[] => {
  const rng = createRng(`order ${order}`)
  return rng.sample(entries, entries.length)
}

/** Plays a stream; answers the rewards, task by task. */
async function play(app: App, stream: string, method: string, memoryId: string | null = null) {
  const began = performance.now()
  // What is in a memory from the start is shown to every task.
  const settings: SettingChanges = memoryId === null ? {} : { presentation: { unaided: 0 } }
  const { id } = await app.runDrafts.start({ stream, method, model, memoryId, maxTokens: 128, settings })
  const run = await app.runs.ended(id)
  if (run.status !== 'done') throw new Error(run.problem?.cause ?? run.status)
  const unaided = app.runs.steps(id).filter((step) => step.unaided === true).length
  return { rewards: run.rewards, unaided, seconds: (performance.now() - began) / 1000 }
}

/** Which tasks were solved, in the order of the stream: runs apart can be laid side by side. */
const eachTask = (rewards: readonly number[]): string => `  task by task ${rewards.join('')}`

const solved = (rewards: readonly number[]): number => rewards.reduce((sum, reward) => sum + reward, 0)

/** Tasks that one solved and the other did not, both ways; nothing of that where none was not played. */
function tell(what: string, one: Awaited<ReturnType<typeof play>>, none: readonly number[] | null): void {
  const won = one.rewards.filter((reward, i) => reward > (none?.[i] ?? 0)).length
  const lost = one.rewards.filter((reward, i) => reward < (none?.[i] ?? 0)).length
  const against = none ? `, none ${solved(none)} (+${won} -${lost})` : ''
  print(
    `${what}: ${solved(one.rewards)} of ${one.rewards.length}${against}; ${one.unaided} without memory, ${one.seconds.toFixed(0)} s`,
  )
  print(eachTask(one.rewards))
}

const app = await createApp({ dataPath: join(folder, 'data'), host: 'memory', gpuLayers: 'cpu' })
try {
  await app.saveSettings({ threads: 1 })
  const parts = values.only.split(',')
  const [firstOrder = 1] = orders
  const all = inOrder(firstOrder)
  if (parts.includes('methods'))
    for (const order of orders) {
      const stream = await streamOf(`order-${order}`, inOrder(order))
      const none = methods.includes('none') ? (await play(app, stream, 'none')).rewards : null
      if (none) {
        print(`order ${order}, none: ${solved(none)} of ${none.length}`)
        print(eachTask(none))
      }
      for (const method of methods.filter((one) => one !== 'none'))
        tell(`order ${order}, ${method}`, await play(app, stream, method), none)
    }
  if (parts.includes('gold')) {
    const some = await streamOf('some', all.slice(18))
    const { tasks } = await app.streams.load(await streamOf('others', all.slice(0, 18)))
    const none = await play(app, some, 'none')
    const memory = await memoryOfSolutions(app, tasks, await app.loadModel(app.demoModel))
    tell('solutions of 18 other tasks', await play(app, some, 'case-bank', memory), none.rewards)
  }
  if (parts.includes('corrected')) {
    const stream = await streamOf('all', all)
    const { tasks } = await app.streams.load(stream)
    const none = await play(app, stream, 'none')
    const memory = await memoryOfSolutions(app, tasks, await app.loadModel(app.demoModel))
    tell('its own solution among all', await play(app, stream, 'case-bank', memory), none.rewards)
  }
} finally {
  await app.dispose()
  await rm(folder, { recursive: true, force: true, maxRetries: 5 })
}
