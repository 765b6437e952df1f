/**
 * What the demo model can read: tasks of worlds it never saw, each with exactly the items it needs in its prompt, in the rendering of each kind of
 * memory, alone and among items that have nothing to do with it (oracle recall). Played through the app's own actor, environment and
 * engine, greedily on one thread.
 * Usage: tsx models/training/reading.ts [--model FILE] [--worlds 101,102] [--tasks 40] [--among 0,4,16] [--kinds case,lesson]
 */
import { parseArgs } from 'node:util'
import { runAttempt } from '../../src/core/agent/actor'
import {
  NOTHING_RECALLED,
  type Method,
  type PromptParts,
  type RecalledPart,
} from '../../src/core/ground/method'
import { createRng, type Rng } from '../../src/core/ground/random'
import { retell } from '../../src/core/ground/prompt'
import { none } from '../../src/core/methods/none/none'
import { workflowText } from '../../src/core/methods/awm/messages'
import { openWorldSeed, toEntry } from '../../src/core/tasks/house-rules/stream'
import { drawTask, type HouseRulesTask } from '../../src/core/tasks/house-rules/tasks'
import { createWorld, type World } from '../../src/core/tasks/house-rules/world'
import { EngineSupervisor } from '../../src/main/engine-client/supervisor'
import { withRounds } from '../../src/core/ground/replies/reply-environment'
import { createLabDbEnvironment, LAB_DB_MAX_ROUNDS } from '../../src/core/tasks/lab-db/environment'
import { createEmbeddedDatabases, createSqlJsEngine } from '../../src/main/adapters/environments/sqljs-engine'
import { labDbReader } from '../../src/core/tasks/lab-db/reader'
import { loadPrompts } from '../../src/main/ground/prompts'
import { attempt, factId, type ExpertAttempt } from './expert'
import { createExpertWorld, type ExpertWorld } from './expert-world'
import { cheatsheet, playbook, shownPlaybook, strategy } from './playbooks'
import {
  conceptDocument,
  experience,
  noteAbout,
  note,
  plan,
  successLesson,
  summary,
  workflow,
} from './writing'

/** What stands in a prompt: attempts as the kind renders them. `needed` are shown first here and shuffled among the others below. */
type Rendering = (
  attempts: readonly ExpertAttempt[],
  task: ExpertAttempt,
  rng: Rng,
) => Partial<Record<'errorLessons' | 'successLessons' | 'retrieved' | 'documents', readonly string[]>>

const errorText = (made: ExpertAttempt): string => successLesson(made, made).text

const RENDERINGS: Readonly<Record<string, Rendering>> = {
  case: (attempts) => ({ retrieved: attempts.map((made) => retell(made)) }),
  lesson: (attempts) => ({ successLessons: attempts.map((made) => successLesson(made, made).text) }),
  'error lesson': (attempts) => ({ errorLessons: attempts.map(errorText) }),
  workflow: (attempts) => ({ successLessons: attempts.map((made) => workflowText(workflow(made))) }),
  summary: (attempts) => ({ retrieved: attempts.map((made) => summary(made).text) }),
  note: (attempts) => ({
    retrieved: attempts.map((made) => `${retell(made)}\n${noteAbout(note(made))}`),
  }),
  experience: (attempts) => ({ retrieved: attempts.map((made) => experience(made).text) }),
  plan: (attempts, task) => ({
    successLessons: [
      plan(
        task,
        attempts.flatMap(({ facts }) => facts),
      ).text,
    ],
  }),
  document: (attempts) => {
    const names = [...new Set(attempts.map((made) => `${made.worldName} ${made.table}`))]
    return {
      documents: names.map((name) => {
        const own = attempts.filter((made) => `${made.worldName} ${made.table}` === name)
        return conceptDocument(
          own[0] as ExpertAttempt,
          own.flatMap(({ facts }) => facts),
        ).text
      }),
    }
  },
  strategy: (attempts) => ({ retrieved: attempts.map((made) => strategy([made]).text) }),
  cheatsheet: (attempts) => ({ retrieved: [cheatsheet(attempts.flatMap(({ facts }) => facts)).text] }),
  bullet: (attempts, _, rng) => {
    const { errorLessons, successLessons } = shownPlaybook(playbook(rng, attempts))
    return {
      errorLessons: errorLessons.map(({ text }) => text),
      successLessons: successLessons.map(({ text }) => text),
    }
  },
}
const SINGLE = Object.keys(RENDERINGS)

const mixed: Rendering = (attempts, task, rng) => {
  const all = attempts.map((made) =>
    RENDERINGS[rng.pick(SINGLE.filter((kind) => kind !== 'plan'))]?.([made], task, rng),
  )
  const of = (place: 'errorLessons' | 'successLessons' | 'retrieved' | 'documents'): string[] =>
    all.flatMap((parts) => parts?.[place] ?? [])
  return {
    errorLessons: of('errorLessons'),
    successLessons: of('successLessons'),
    retrieved: of('retrieved'),
    documents: of('documents'),
  }
}

const part = (text: string): RecalledPart => ({
  text,
  item: { kind: 'case', id: text, trajectoryId: null, title: '', score: null, scoreKind: '', reward: 1 },
})

const everything = (world: World): Set<string> =>
  new Set(
    world.tables.flatMap(({ kind }) =>
      [...kind.statuses, kind.who, kind.place, kind.amount, kind.date, kind.flag].map((key) =>
        factId(world.name, key),
      ),
    ),
  )

/** The fewest attempts found on the task's table that show, together, every fact it needs; none of them is the task. */
function perfect(expert: ExpertWorld, world: World, task: HouseRulesTask, rng: Rng): ExpertAttempt[] {
  const tables = world.tables.filter(({ kind }) => kind.table === task.table.name)
  const drawn = Array.from({ length: 300 }, () => drawTask(rng, world, { tables })).filter(
    ({ instruction }) => instruction !== task.instruction,
  )
  let open = new Set(task.facts.map(({ key }) => key))
  const chosen: ExpertAttempt[] = []
  while (open.size > 0) {
    const covers = ({ facts }: HouseRulesTask): number => facts.filter(({ key }) => open.has(key)).length
    const best = drawn.reduce((a, b) => (covers(b) > covers(a) ? b : a))
    if (covers(best) === 0) throw new Error(`Nothing shows ${[...open].join()}.`)
    chosen.push(attempt(expert, best, everything(world), false))
    open = new Set([...open].filter((key) => !best.facts.some((fact) => fact.key === key)))
  }
  return chosen
}

/** Attempts on other tables, a third of them in another world. */
function irrelevant(
  expert: ExpertWorld,
  [world, other]: readonly [World, World],
  task: HouseRulesTask,
  count: number,
  rng: Rng,
): ExpertAttempt[] {
  return Array.from({ length: count }, () => {
    const from = rng.chance(1 / 3) ? other : world
    const tables = from.tables.filter(({ kind }) => kind.table !== task.table.name)
    return attempt(expert, drawTask(rng, from, { tables }), everything(from), false)
  })
}

const { values } = parseArgs({
  options: {
    model: { type: 'string', default: 'models/loam-demo.gguf' },
    worlds: { type: 'string', default: '101,102' },
    tasks: { type: 'string', default: '40' },
    among: { type: 'string', default: '0,4,16' },
    kinds: { type: 'string', default: [...SINGLE, 'mixed'].join() },
  },
})
const prompts = await loadPrompts(new URL('../../resources/prompts', import.meta.url).pathname)
const expert = createExpertWorld(await createEmbeddedDatabases())
const environment = createLabDbEnvironment(await createSqlJsEngine(), {
  systemPrompt: withRounds(prompts.text('lab-db'), LAB_DB_MAX_ROUNDS),
})
const supervisor = new EngineSupervisor()
const model = await supervisor.loadModel({ path: values.model, gpuLayers: 'cpu', threads: 1 })
const worlds = values.worlds.split(',').map(Number)
const rows = new Map<string, { solved: number; played: number; overflowed: number; tokens: number }>()
for (const number of worlds) {
  const world = createWorld(openWorldSeed(number))
  const other = createWorld(openWorldSeed(number + 500))
  for (let n = 0; n < Number(values.tasks); n++) {
    const rng = createRng(`reading/${number}/${n}`)
    const drawn = drawTask(rng, world)
    const needed = perfect(expert, world, drawn, rng)
    const others = irrelevant(expert, [world, other], drawn, 16, rng)
    const read = labDbReader.read(JSON.parse(JSON.stringify(toEntry(drawn, n))) as Record<string, unknown>, {
      index: n,
      source: 'reading',
    })
    if ('reason' in read) throw new Error(read.reason)
    const ideal = attempt(expert, drawn, new Set(), false)
    for (const kind of values.kinds.split(','))
      for (const among of values.among.split(',').map(Number)) {
        const own = createRng(`reading/${number}/${n}/${kind}/${among}`)
        const items = own.sample([...needed, ...others.slice(0, among)], needed.length + among)
        const shown = (kind === 'mixed' ? mixed : RENDERINGS[kind])?.(items, ideal, own) ?? {}
        const parts: PromptParts = {
          ...NOTHING_RECALLED,
          errorLessons: (shown.errorLessons ?? []).map(part),
          successLessons: (shown.successLessons ?? []).map(part),
          retrieved: (shown.retrieved ?? []).map(part),
          documents: (shown.documents ?? []).map(part),
        }
        const method: Method = { ...none, recall: () => Promise.resolve(parts) }
        const made = await runAttempt({
          id: 'reading',
          runId: 'reading',
          memoryId: 'reading',
          task: { ...read, index: n, environment: 'lab-db' },
          environment,
          method,
          context: { model, prompts, settings: {}, k: 0, seed: 1 } as never,
          clock: { now: () => new Date() },
          temperature: 0,
          maxTokens: 256,
        })
        const key = `${kind}\t${among}`
        const row = rows.get(key) ?? { solved: 0, played: 0, overflowed: 0, tokens: 0 }
        rows.set(key, {
          solved: row.solved + made.reward,
          played: row.played + 1,
          overflowed: row.overflowed + Number(made.finish === 'context-overflow'),
          tokens: row.tokens + made.usage.promptTokens,
        })
      }
  }
  process.stderr.write(`world ${number} done\n`)
}
for (const [key, { solved, played, overflowed, tokens }] of rows)
  process.stdout.write(
    `${key}\t${(solved / played).toFixed(3)}\t${solved}/${played}\toverflowed ${overflowed}\t${Math.round(tokens / played)} tokens\n`,
  )
await supervisor.dispose()
