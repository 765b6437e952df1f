import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { canonicalJson } from '../../../src/core/ground/canonical-json'
import type { ChatMessage } from '../../../src/core/ground/ports'
import { createApp, type App } from '../../../src/main/app'
import type { Experience } from '../../../src/shared/domain/experience'
import { callsOf } from '../../../src/shared/domain/plan'
import type { SettingChanges } from '../../../src/shared/domain/setting'
import type { Trajectory } from '../../../src/shared/domain/trajectory'
import { writeRandomModel } from '../../models/random-model'
import { DEMO_MODEL, trajectoriesOf } from '../runs/rig-app'
import { longTest } from '../../torture'

// Engines start slowly on a busy machine.
vi.setConfig({ testTimeout: 240_000, hookTimeout: 120_000 })

let folder: string
let app: App
/** No one has trained it: the executor's form alone makes it call anything. It reads enough for all exemplars. */
let random: string
/** What every model was asked, in order. */
let asked: (readonly ChatMessage[])[] = []

const askedBy = (rules: string) => asked.filter(([system]) => system?.content.startsWith(rules) === true)
const exemplarsIn = ([system]: readonly ChatMessage[]) => system?.content.match(/^Task: /gm)?.length ?? 0

interface Lived {
  readonly attempts: readonly Trajectory[]
  readonly experiences: readonly Experience[]
}

/** Works through the first questions over files, in a memory of its own. */
async function live(seed: number, tasks: number, temperature: number, roles: object = {}): Promise<Lived> {
  asked = []
  const agent = { maxCycles: 2, maxSubtasks: 1, maxSteps: 3, allowed: 'all', grade: 'exact' }
  const settings = { agent, roles } as SettingChanges
  const { id } = await app.runDrafts.start({
    ...{
      stream: 'desk-questions',
      method: 'agent-kb',
      model: DEMO_MODEL,
      tasks,
      seed,
      temperature,
      settings,
    },
    maxTokens: 96,
  })
  const run = await app.runs.ended(id)
  expect(run).toMatchObject({ status: 'done', problem: null, done: tasks })
  const memory = await app.memories.open(run.config.memoryId)
  const experiences: Experience[] = []
  for (const entry of memory.experiences.entries()) {
    const stored = await memory.experiences.get(entry.id)
    if (stored) experiences.push(stored.experience)
  }
  return { attempts: await trajectoriesOf(app, id), experiences }
}

const answered = ({ cycles = [] }: Trajectory) => callsOf(cycles).filter(({ answer }) => answer !== null)

/** With one seed after the other, until tools answered in every attempt. */
async function untilCalled(tasks: number, roles: object): Promise<Lived> {
  for (let seed = 1; seed < 12; seed++) {
    const lived = await live(seed, tasks, 1, roles)
    if (lived.attempts.every((attempt) => answered(attempt).length > 0)) return lived
  }
  throw new Error('With none of the seeds tools were called in every attempt.')
}

describe.skipIf(!existsSync(DEMO_MODEL))('Agent KB on questions, on the real engine', () => {
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'loam-agent-kb-'))
    random = join(folder, 'random.gguf')
    writeRandomModel(random, {
      ...{ architecture: 'qwen2', vocabulary: DEMO_MODEL, template: null, seed: 4, context: 32_768 },
      loud: ['"', '{', '}', '}}'],
    })
    app = await createApp({ dataPath: join(folder, 'data'), host: 'memory', gpuLayers: 'cpu' })
    // What two servers can do is enough, and is read before every call.
    for (const { id } of await app.tools.servers())
      if (id !== 'documents' && id !== 'math') await app.tools.enable(id, false)
    const load = app.engine.loadModel.bind(app.engine)
    vi.spyOn(app.engine, 'loadModel').mockImplementation(async (input, options) => {
      const model = await load(input, options)
      const generate: typeof model.generate = (request, how) => {
        asked.push(request.messages)
        return model.generate(request, how)
      }
      return { ...model, generate }
    })
  })
  afterAll(async () => {
    await app.dispose()
    await rm(folder, { recursive: true, force: true, maxRetries: 5 })
  })
  beforeEach(() => {
    asked = []
  })

  longTest(
    'experiences hold the calls that were made, and what they taught is recalled and given to the planner',
    async () => {
      const { attempts, experiences } = await untilCalled(2, { executorModel: random })
      expect(experiences).toHaveLength(attempts.length)
      for (const attempt of attempts) {
        const experience = experiences.find(({ trajectoryId }) => trajectoryId === attempt.id)
        const calls = answered(attempt)
        expect(experience?.meta.tools).toEqual([...new Set(calls.map(({ tool }) => tool))])
        const done = experience?.steps.filter(({ tool }) => tool !== '') ?? []
        expect(done.map(({ tool, content, observation }) => [tool, content, observation])).toEqual(
          calls.map((call) => [call.tool, canonicalJson(call.arguments), call.answer?.text]),
        )
        expect(done.every(({ verb }) => verb !== 'other')).toBe(true)
        // What the two-agent prompt asked for was read.
        expect(experience?.origin).toBe('abstraction')
        expect(experience?.searchAgentPlan).not.toBe('')

        // A feedback stage after each plan without an answer, at most twice.
        const without = attempt.cycles?.filter(({ answer }) => answer === null) ?? []
        const stages = attempt.decisions?.filter(({ stage }) => stage === 'feedback') ?? []
        expect(stages).toHaveLength(Math.min(2, without.length))
        expect(stages.every(({ plan }) => plan !== '')).toBe(true)
        const advised = stages.filter(({ applied }) => applied).length
        expect(attempt.cycles?.filter(({ guidance }) => guidance !== undefined)).toHaveLength(advised)
      }
      // The second question was planned with the experience of the first.
      expect(attempts[1]?.decisions?.[0]?.retrieved.map(({ id }) => id)).toEqual([experiences[0]?.id])
      const written = askedBy('You turn the log')
      // What a random model writes may be refused once.
      expect(written.length).toBeGreaterThanOrEqual(attempts.length)
      expect(written.length).toBeLessThanOrEqual(2 * attempts.length)
      expect(written.every((messages) => exemplarsIn(messages) > 0)).toBe(true)
      for (const rules of ['Plan how to do', 'Adapt past', 'An attempt ran into trouble. Improve']) {
        const told = askedBy(rules)
        expect(told.length).toBeGreaterThan(0)
        // Tools of others can be put in the place of those at hand only where these are named.
        expect(told.every(([, task]) => task?.content.includes('Tools at hand: ') === true)).toBe(true)
      }
    },
  )

  longTest(
    'a writer that reads enough is shown all fifteen exemplars; of what it fails to write, the calls remain',
    async () => {
      const { attempts, experiences } = await untilCalled(1, { executorModel: random, writerModel: random })
      const written = askedBy('You turn the log')
      expect(written.length).toBeGreaterThanOrEqual(attempts.length)
      expect(new Set(written.map(exemplarsIn))).toEqual(new Set([15]))
      expect(experiences.map(({ steps }) => steps.filter(({ tool }) => tool !== '').length)).toEqual(
        attempts.map((attempt) => answered(attempt).length),
      )
    },
  )

  test('an attempt that called nothing gives nothing, and nobody is asked what it taught', async () => {
    const { attempts, experiences } = await live(1, 1, 0)
    expect(attempts[0]).toMatchObject({ finish: 'completed', cycles: expect.anything() as unknown })
    expect(attempts.flatMap(answered)).toEqual([])
    expect(experiences).toEqual([])
    expect(askedBy('You turn the log')).toEqual([])
  })
})
