import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { hasActed } from '../../../src/core/ground/method'
import { rolesIn } from '../../../src/core/agent/roles'
import { METHODS } from '../../../src/core/methods'
import { ENVIRONMENTS } from '../../../src/core/tasks'
import { replayJournal } from '../../../src/main/journal/replay'
import { createApp, type App } from '../../../src/main/app'
import { findResources } from '../../../src/main/ground/resources'
import { trajectorySchema } from '../../../src/shared/domain/trajectory'
import { ARCHITECTURES, writeRandomModel, type Architecture } from '../../models/random-model'
import { TEMPLATES } from '../../models/templates'
import { trajectoriesOf } from '../runs/rig-app'
import { TORTURE } from '../../torture'

vi.setConfig({ testTimeout: 600_000, hookTimeout: 300_000 })

const VOCABULARIES = resolve('../shared/data/real/vocab')
/** Models with random weights say anything; the whole of it is `npm run torture`, a small part belongs to every test run. */
const SEED = Number(process.env['LOAM_TORTURE_SEED'] ?? 1)
/** The shapes that are played here; several may be played side by side, each with results of its own. */
const WANTED = (process.env['LOAM_TORTURE_SHAPES'] ?? ARCHITECTURES.join()).split(',')
/** A line per cell that was played; what stands there already is not played again. */
const RESULTS = process.env['LOAM_TORTURE_RESULTS']

const SHAPES: Readonly<Record<Architecture, { readonly vocabulary: string; readonly template: string }>> = {
  llama: { vocabulary: 'ggml-vocab-gpt-2.gguf', template: TEMPLATES['Llama 3.1'] },
  qwen2: { vocabulary: 'ggml-vocab-gpt-2.gguf', template: TEMPLATES['Qwen, Hermes'] },
  qwen3: { vocabulary: 'ggml-vocab-falcon.gguf', template: TEMPLATES['Qwen3-Coder'] },
  gemma: { vocabulary: 'ggml-vocab-phi-3.gguf', template: TEMPLATES['Gemma'] },
  phi3: { vocabulary: 'ggml-vocab-phi-3.gguf', template: TEMPLATES['Phi 3'] },
}

const ALL = ARCHITECTURES.flatMap((architecture, a) =>
  METHODS.flatMap(({ info, prepare }, m) =>
    ENVIRONMENTS.map((module, e) => ({
      architecture,
      method: info.id,
      environment: module.id,
      stream: module.sample,
      replies: module.play === 'acting' ? ((a + m + e) % 2 === 0 ? 'tools' : 'any') : null,
      /** Every other one that asks for tools is of a model without a template: a grammar holds its calls, so it acts. */
      bare: (a + m + e) % 4 === 0,
      /** In one of three, every role that the environment has asks a model of another shape, and the actor thinks. */
      roles: (a + m + e) % 3 === 0 ? rolesIn(module) : [],
      other: ARCHITECTURES[(a + 1) % ARCHITECTURES.length] ?? architecture,
      tasks: prepare ? 4 : TORTURE ? 2 : 1,
      seed: SEED + a * 1000 + m * 10 + e,
    })),
  ),
)
type Cell = (typeof ALL)[number]
/** One of every other architecture, each in another environment with another method. */
const FEW = ARCHITECTURES.filter((_, a) => a % 2 === 0).flatMap((name, a) =>
  ALL.filter(({ architecture }) => architecture === name).slice(a * 18, a * 18 + 1),
)

interface Event {
  readonly kind: string
}

/** What a cell came to. */
interface Played {
  readonly shape: Architecture
  readonly environment: string
  readonly method: string
  readonly roles: number
  readonly attempts: number
  readonly rounds: number
  readonly acted: number
  /** Attempts that never acted and that something was kept from all the same. */
  readonly learned: number
  readonly solved: number
  readonly finishes: Readonly<Record<string, number>>
}

const nameOf = ({
  architecture,
  environment,
  method,
}: Pick<Cell, 'architecture' | 'environment' | 'method'>) => `${architecture} ${environment} ${method}`

const played: Played[] =
  RESULTS !== undefined && existsSync(RESULTS)
    ? readFileSync(RESULTS, 'utf8')
        .split('\n')
        .flatMap((line) => (line.endsWith('}') ? [JSON.parse(line) as Played] : []))
    : []
const before = new Set(played.map(({ shape, ...one }) => nameOf({ architecture: shape, ...one })))
const CELLS = (TORTURE ? ALL : FEW).filter(
  (cell) => WANTED.includes(cell.architecture) && !before.has(nameOf(cell)),
)

/** Everything a memory's journal records. */
async function journalOf(memoryId: string): Promise<Event[]> {
  const events: Event[] = []
  await replayJournal<Event>(join(folder, 'data', 'spaces', memoryId, 'journal'), {
    parse: (value) => value as Event,
    onRecord: (record) => void events.push(...record.events),
  })
  return events
}

/** What is nothing learned: the attempt itself, that a text about it was not kept, and that it counted as a failed try of a document. */
const NOT_LEARNED: ReadonlySet<string> = new Set(['trajectory-added', 'writing-failed', 'node-scored'])

/** What was learned from an attempt. */
const learnedFrom = (events: readonly Event[], trajectoryId: string): string[] =>
  events.flatMap((event) =>
    !NOT_LEARNED.has(event.kind) && JSON.stringify(event).includes(`"${trajectoryId}"`) ? [event.kind] : [],
  )

let folder: string
let app: App
/** The file of such a model, which is written when it is first asked for. */
function modelOf(architecture: Architecture, bare = false): string {
  const path = join(folder, 'models', `${architecture}${bare ? '-bare' : ''}.gguf`)
  const { vocabulary, template } = SHAPES[architecture]
  if (!existsSync(path))
    writeRandomModel(path, {
      architecture,
      vocabulary: join(VOCABULARIES, vocabulary),
      template: bare ? null : template,
      // Else a text within a form would go on to the limit, and no attempt would ever act.
      loud: ['"', '"}', '",', '}', ')'],
      seed: SEED + ARCHITECTURES.indexOf(architecture),
    })
  return path
}

/** Plays a cell and holds every attempt to what must be so of models that say anything. */
async function play(cell: Cell): Promise<Played> {
  const { architecture, method, environment, stream, replies, tasks, seed, roles, other } = cell
  const own = Object.fromEntries(roles.map((role) => [`${role}Model`, modelOf(other)]))
  const { id } = await app.runDrafts.start({
    stream,
    method,
    model: modelOf(architecture, cell.bare),
    contextSize: 4096,
    k: 2,
    tasks,
    seed,
    temperature: 1,
    maxTokens: 64,
    settings: {
      agent: { maxCycles: 2, maxSubtasks: 2, maxSteps: 2, thinkTokens: 16, allowed: 'all' },
      brew: { train: 1, evaluation: 1, width: 1, depth: 1, iterations: 1 },
      ...(roles.length > 0 && { roles: { ...own, actorThinking: 'on', thoughtTokens: 16 } }),
      ...(replies !== null && {
        [environment]: { replies, ...(environment === 'tool-use' && { rounds: 8 }) },
      }),
    },
  })
  const run = await app.runs.ended(id)
  expect(run).toMatchObject({ status: 'done', problem: null, done: tasks })
  const attempts = (await trajectoriesOf(app, id)).filter(({ runId }) => runId === id)
  expect(attempts.length).toBeGreaterThanOrEqual(tasks)
  const events = await journalOf(run.config.memoryId)
  const finishes: Record<string, number> = {}
  let acted = 0
  const learned: string[] = []
  for (const trajectory of attempts) {
    expect(trajectorySchema.safeParse(trajectory).success).toBe(true)
    expect([trajectory.finish, trajectory.reward]).toEqual([trajectory.finish, 0])
    finishes[trajectory.finish] = (finishes[trajectory.finish] ?? 0) + 1
    if (hasActed(trajectory)) acted++
    else learned.push(...learnedFrom(events, trajectory.id))
  }
  expect(learned).toEqual([])
  return {
    ...{ shape: architecture, environment, method, roles: roles.length, attempts: attempts.length, finishes },
    ...{
      rounds: attempts.reduce((sum, { rounds }) => sum + rounds.length, 0),
      acted,
      learned: learned.length,
    },
    solved: attempts.reduce((sum, { reward }) => sum + reward, 0),
  }
}

describe.skipIf(!existsSync(VOCABULARIES) || CELLS.length === 0)(
  'models that say anything, on the real engine (needs real vocabularies)',
  () => {
    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), 'loam-babel-'))
      await mkdir(join(folder, 'models'))
      if (RESULTS !== undefined) await mkdir(dirname(RESULTS), { recursive: true })
      app = await createApp({
        dataPath: join(folder, 'data'),
        host: 'memory',
        resources: findResources(),
        gpuLayers: 'cpu',
      })
    })
    afterAll(async () => {
      await app.dispose()
      await rm(folder, { recursive: true, force: true })
    })

    it.each(CELLS)('$architecture, $method in $environment ($replies, $roles)', async (cell) => {
      const result = await play(cell)
      played.push(result)
      if (RESULTS !== undefined) appendFileSync(RESULTS, `${JSON.stringify(result)}\n`)
    })
  },
)
