import { statesOf } from '../../../src/shared/feed'
import { readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import { UNJUDGED } from '../../../src/core/agent/straight'
import type { App } from '../../../src/main/app'
import type { AskDetail } from '../../../src/shared/domain/ask'
import { plannedSteps } from '../../../src/shared/domain/plan'
import type { Trajectory } from '../../../src/shared/domain/trajectory'
import { writeRandomModel, type Architecture } from '../../models/random-model'
import {
  answerPermissions,
  askAndWait,
  DEMO_MODEL,
  hasDemoModel,
  hasTools,
  passProbe,
  RIGHT,
  useAsksRig,
  type AsksRig,
} from './rig'
import { withToolsOf } from '../app-in-temp'
import { TORTURE, longTestWhere } from '../../torture'

const openRig = useAsksRig({ host: 'headless' })
// Some seeds are tried until something is called.
vi.setConfig({ testTimeout: 400_000 })
const VOCABULARY = resolve('models/loam-demo.gguf')
const needs = test.skipIf(!hasDemoModel || !hasTools)
const rarely = test.skipIf(!TORTURE || !hasDemoModel || !hasTools)

/** A model that no one has trained: its forms alone make it call anything. It knows no tools of its own. */
function randomModel({ folder }: AsksRig, architecture: Architecture, seed: number): string {
  const path = join(folder, `${architecture}-${seed}.gguf`)
  const loud = ['"', '{']
  writeRandomModel(path, { architecture, vocabulary: VOCABULARY, template: null, seed, loud })
  return path
}

/**
 * Models with random weights, each of which likes other tools. `first` are seeds with which they were seen to call what is wanted; where a
 * processor rounds otherwise, others are tried after them.
 */
const MODEL = {
  straight: {
    code: (rig: AsksRig) => randomModel(rig, 'gemma', 1),
    stock: (rig: AsksRig) => randomModel(rig, 'gemma', 1),
  },
  plan: {
    code: (rig: AsksRig) => randomModel(rig, 'qwen2', 4),
    stock: (rig: AsksRig) => randomModel(rig, 'qwen2', 3),
  },
  ...{ temperature: 1, first: { code: 20, stock: 21 } },
} as const
const WAYS = ['straight', 'plan'] as const

interface Called {
  readonly tool: string
  readonly given: Readonly<Record<string, unknown>>
  readonly answer: string
}

/** What was called in an attempt, with what came of it. */
const callsOf = ({ rounds, cycles }: Trajectory): Called[] =>
  cycles
    ? cycles.flatMap(({ subtasks }) =>
        subtasks.flatMap(({ calls }) =>
          calls.map((call) => ({ tool: call.tool, given: call.arguments, answer: call.answer?.text ?? '' })),
        ),
      )
    : rounds.flatMap(({ call, observation }) =>
        call ? [{ tool: call.name, given: call.arguments, answer: observation ?? '' }] : [],
      )

/** Asks with one seed after the other until something is called that is wanted. */
async function untilCalled(
  app: App,
  input: Parameters<typeof askAndWait>[1],
  wanted: (call: Called) => boolean,
): Promise<{ readonly detail: AskDetail; readonly call: Called; readonly attempt: number }> {
  const from = input.seed ?? 1
  for (let seed = from; seed < from + 60; seed++) {
    const detail = await askAndWait(app, { maxTokens: 160, ...input, seed })
    expect(detail.ask.problem).toBeNull()
    const last = detail.attempts.at(-1)
    const call = last && callsOf(last.trajectory).find(wanted)
    if (last && call) return { detail, call, attempt: last.index }
  }
  throw new Error('Nothing of the kind was called with any of the seeds.')
}

const addStock = (app: App) =>
  app.tools.save(
    {
      id: 'stock',
      enabled: true,
      at: {
        kind: 'process',
        command: process.execPath,
        args: [resolve('test/fixtures/mcp/stock-server.mjs')],
        secrets: [],
      },
    },
    {},
    true,
  )

test.skipIf(!hasDemoModel)(
  'what fails in the engine stands in the log under the id of its ask, in the lines of both processes',
  async () => {
    const rig = await openRig()
    const path = randomModel(rig, 'gemma', 1)
    // An architecture that nobody knows, of a file that is whole.
    await writeFile(
      path,
      Buffer.from((await readFile(path, 'latin1')).replaceAll('gemma', 'gemmx'), 'latin1'),
    )
    const { ask } = await askAndWait(rig.app, { text: 'Hm?', model: path })
    expect(ask.problem).not.toBeNull()
    await rig.app.logger.flush()
    const log = await readFile(join(rig.folder, 'data', 'logs', 'loam.jsonl'), 'utf8')
    const lines = log
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { trails?: string[]; pid: number; message: string })
      .filter(({ trails }) => trails?.includes(ask.id))
    const pids = new Set(lines.map(({ pid }) => pid))
    expect(lines.map(({ message }) => message)).toContain('An ask failed')
    expect(pids.has(process.pid)).toBe(true)
    expect(pids.size).toBe(2)
  },
)

const file = (name: string, text: string) => ({ name, base64: Buffer.from(text).toString('base64') })

// Plans, where `npm run torture` plays them; they have tests of their own below.
describe.each(TORTURE ? WAYS : WAYS.slice(0, 1))('asked %s, on the real engine', (way) => {
  const builtIn = way === 'straight' ? needs : rarely
  builtIn('calls a built-in tool, which does its work on a file that was dropped in', async () => {
    const rig = await openRig()
    const { app } = rig
    const { detail, attempt } = await untilCalled(
      app,
      {
        text: 'What is in the folder?',
        files: [file('costs.csv', 'item,euro\nink,40\n')],
        ...{ way, model: MODEL[way].code(rig), temperature: MODEL.temperature, tools: ['code'] },
        seed: MODEL.first.code,
      },
      ({ tool, answer }) => tool === 'list_files' && answer.includes('costs.csv (17 bytes)'),
    )
    expect(detail.attempts[attempt]?.trajectory.task.context).toContain('costs.csv')
    // The folder of every try is a copy of its own.
    const given = await app.asks.readFile(detail.ask.id, { attempt, turn: 0 }, 'costs.csv')
    expect(Buffer.from(given.base64, 'base64').toString()).toBe('item,euro\nink,40\n')
  })

  needs('calls a server of one’s own once a person allows it, and goes on where they do not', async () => {
    const rig = await openRig()
    const { app } = rig
    await addStock(app)
    let allow = false
    const asked = answerPermissions(app, () => (allow ? 'once' : 'no'))
    const input = {
      text: 'How much paper is there?',
      ...{ way, model: MODEL[way].stock(rig), temperature: MODEL.temperature, tools: ['stock'] },
      seed: MODEL.first.stock,
    }
    const refused = await untilCalled(app, input, ({ answer }) => answer.includes('did not allow'))
    expect(asked[0]).toMatchObject({ server: 'stock', from: 'The ask “How much paper is there?”' })
    allow = true
    // With the seed that called it, it is called again.
    const seed = refused.detail.attempts[refused.attempt]?.trajectory.seed ?? 1
    const allowed = await untilCalled(app, { ...input, seed }, ({ answer }) => /pieces|ordered/.test(answer))
    expect(['look_up_stock', 'order']).toContain(allowed.call.tool)
    expect(asked.some(({ tool }) => tool === allowed.call.tool)).toBe(true)
    // It ends by an answer or by saying why there is none; it never breaks off.
    for (const { detail, attempt } of [refused, allowed]) {
      const { finish, question, reason } = detail.attempts[attempt]?.trajectory ?? {}
      expect(finish === 'completed' ? question?.answer : reason).toBeTruthy()
    }
  })
})

needs(
  'what was said while a permission waits is heard in the next step; an answer is judged by the model that gave it',
  async () => {
    const rig = await openRig()
    const { app } = rig
    await addStock(app)
    let id = ''
    // Once a try: a tool that changes something is asked about again after an answer was read.
    const tries = new Set<number>()
    answerPermissions(app, () => {
      const at = app.asks.get(id).attempts.length
      if (!tries.has(at)) app.asks.steer(id, 'Say it in dozens.')
      tries.add(at)
      return 'run'
    })
    const model = MODEL.straight.stock(rig)
    const { id: first } = await app.askDrafts.start({
      ...{ model, seed: 2, temperature: MODEL.temperature },
      ...{ text: 'How much paper is there?', maxTokens: 160, tools: ['stock'] },
    })
    id = first
    await app.asks.settled()
    const heard = () =>
      app.asks
        .get(id)
        .attempts.at(-1)
        ?.trajectory.rounds.some((round) => round.heard !== undefined)
    for (let seed = 2; seed < 60 && heard() !== true; seed++) {
      await app.askDrafts.branch(id, { attempt: 0, step: 0, edit: null }, { seed })
      await app.asks.settled()
    }
    const steered = app.asks.get(id).attempts.at(-1)
    expect(steered?.trajectory.rounds.map((round) => round.heard).filter(Boolean)).toEqual([
      'Say it in dozens.',
    ])
    if (!steered) throw new Error('There is an attempt.')

    await passProbe(app, model, 'roles')
    const judged = await app.asks.judge(id, steered.index)
    expect(judged.attempts[steered.index]?.judgement).toMatchObject({ by: 'model', judge: 'gemma-1' })
    await app.asks.settled()
    expect(app.asks.get(id).attempts[steered.index]?.judgement?.learned).toHaveLength(1)
  },
)

longTestWhere(hasDemoModel && hasTools)(
  'an ask with every tool there is fits into what the demo model reads, by a shorter reply or without tools',
  async () => {
    const { app } = await openRig()
    const tools = (await app.tools.servers()).map(({ id }) => id)
    const { attempts } = await askAndWait(app, { text: 'What is 17 times 23?', tools, temperature: 0 })
    expect(attempts[0]?.trajectory).toMatchObject({ finish: 'completed' })
    const { ask, attempts: long } = await askAndWait(app, {
      text: 'word '.repeat(3000),
      tools,
      temperature: 0,
    })
    expect(ask.problem).toBeNull()
    expect(long[0]?.trajectory).toMatchObject({
      finish: 'completed',
      reason: expect.stringMatching(
        /fewer tools leave more room\. So it answered without tools\./,
      ) as unknown,
    })
  },
)

rarely('a planned answer that was cut is named as cut, and no judge takes it for right', async () => {
  const { app } = await openRig()
  const { ask } = await askAndWait(app, {
    ...{ text: 'What is in the folder?', way: 'plan', temperature: 1.5, maxTokens: 64, tools: ['code'] },
  })
  const newest = () => app.asks.get(ask.id).attempts.at(-1)
  for (let seed = 2; seed < 40 && newest()?.trajectory.finish !== 'output-limit'; seed++) {
    await app.askDrafts.branch(ask.id, { attempt: 0, step: 0, edit: null }, { seed })
    await app.asks.settled()
  }
  const cut = newest()
  expect(cut?.trajectory).toMatchObject({
    finish: 'output-limit',
    reason: 'The final answer was cut at its length limit.',
    question: { answer: expect.stringMatching(/./) as unknown },
  })
  await passProbe(app, DEMO_MODEL, 'roles')
  await app.asks.judge(ask.id, cut?.index ?? 0)
  await app.asks.settled()
  expect(newest()?.judgement).toMatchObject({ verdict: 'wrong', note: cut?.trajectory.reason })
})

needs(
  'planned work is begun again from any of its steps; judged, it becomes a task that is replayed, and a run’s attempt at it as well',
  async () => {
    const { app } = await openRig()
    const { ask } = await askAndWait(app, {
      text: 'What is in the folder?',
      files: [file('costs.csv', 'ink,40\n')],
      // With this seed it plans twice, one step each.
      ...{ way: 'plan', temperature: 1.5, maxTokens: 96, tools: ['code'], seed: 11 },
    })
    const again = async (step: number, edit: string | null, attempt = 0) => {
      await app.askDrafts.branch(ask.id, { attempt, step, edit }, {})
      await app.asks.settled()
      const { problem } = app.asks.get(ask.id).ask
      expect(problem).toBeNull()
      return app.asks.get(ask.id).attempts.at(-1)
    }
    const first = app.asks.get(ask.id).attempts[0]?.trajectory.cycles ?? []
    const steps = plannedSteps(first).length
    for (const step of TORTURE ? [0, 1, Math.floor(steps / 2), steps - 1] : [steps - 1]) {
      const cycles = (await again(step, null))?.trajectory.cycles ?? []
      const place = plannedSteps(first)[step]
      const kept = first.slice(0, place?.cycle).map(({ reply }) => reply)
      expect(cycles.slice(0, kept.length).map(({ reply }) => reply)).toEqual(kept)
    }
    const told = await again(1, 'RESULT: A list of costs.')
    expect(told?.trajectory.cycles?.[0]?.subtasks[0]).toMatchObject({
      status: 'done',
      result: 'A list of costs.',
    })
    const ended = await again(0, 'FINAL ANSWER: costs.csv')
    expect(ended?.trajectory).toMatchObject({ finish: 'completed', question: { answer: 'costs.csv' } })

    // A person says what was right of the first try; the ask becomes a task.
    await app.asks.teach(ask.id, 0, { ...RIGHT, verdict: 'wrong', answer: 'costs.csv', wrongAt: 1 })
    await app.asks.settled()
    const why = await app.whyFailed.explain({ kind: 'ask', askId: ask.id, attempt: 0 })
    expect(why).toMatchObject({ expected: 'costs.csv', badStep: { step: 1, name: 'step 1 of plan 1' } })
    const { streams } = await app.askHistory.toStreams('My asks', ask.spec.memoryId)
    expect(streams).toMatchObject([{ tasks: 1, environment: 'qa' }])
    // What all tools say of themselves would be most of what is read, three times.
    await withToolsOf(app, 'code')
    const run = await app.runDrafts.start({
      ...{ stream: streams[0]?.id ?? '', method: 'case-bank', memoryId: ask.spec.memoryId, maxTokens: 96 },
      settings: { agent: { maxCycles: 2, maxSubtasks: 1, maxSteps: 2 } },
    })
    expect(await app.runs.ended(run.id)).toMatchObject({ status: 'done', done: 1 })
    const place = { kind: 'run' as const, runId: run.id, index: 0 }
    const of = await app.whyFailed.explain(place)
    expect(of.cannotReplay).toBeNull()
    const same = await app.whyFailed.replay(place, { kind: 'nothing' })
    expect(same.replays[0]).toMatchObject({ given: of.given, recalled: of.recalled })
    const without = await app.whyFailed.replay(place, { kind: 'memory' })
    expect(without.replays[1]).toMatchObject({ recalled: 0 })
  },
)

needs(
  'writing that is stopped ends; the ask is tried again, branched from a step, and all of it is kept',
  async () => {
    const rig = await openRig()
    const { app } = rig
    const model = randomModel(rig, 'qwen2', 3)
    const { id } = await app.askDrafts.start({
      text: 'Tell me a story.',
      model,
      maxTokens: 3000,
      temperature: 1,
      // Some seeds have this model end at once.
      seed: 3,
    })
    const watching = new AbortController()
    let shown = ''
    for await (const { ask, live } of statesOf(app.asks.watch(id, { signal: watching.signal }))) {
      shown = live?.streaming ?? ''
      if (shown.length > 20 || !['waiting', 'working'].includes(ask.status)) watching.abort()
    }
    expect(shown.length).toBeGreaterThan(20)
    await app.asks.stop(id)
    await app.asks.settled()
    // What was written is kept as an answer, and gone on with to the letter.
    const stopped = app.asks.get(id)
    expect(stopped).toMatchObject({ ask: { status: 'stopped', problem: null }, live: null })
    const written = stopped.attempts[0]?.trajectory.rounds[0]?.completion ?? ''
    expect(stopped.attempts[0]?.trajectory).toMatchObject({ finish: 'stopped', ungraded: UNJUDGED })
    expect(written.startsWith(shown)).toBe(true)
    await app.askDrafts.branch(id, { attempt: 0, step: 0, edit: null, goOn: true }, {})
    await expect.poll(() => app.asks.get(id).live?.streaming.length ?? 0).toBeGreaterThan(written.length + 5)
    await app.asks.stop(id)
    await app.asks.settled()
    const more = app.asks.get(id).attempts[1]
    expect(more?.from).toMatchObject({ goOn: true })
    expect(more?.trajectory.rounds[0]?.completion.startsWith(written)).toBe(true)
    expect(more?.trajectory.rounds[0]?.completion.length).toBeGreaterThan(written.length)

    // Tried again with another model and tools, then from a step on in a person's words.
    const { ask } = await askAndWait(app, {
      text: 'Add up the costs.',
      files: [file('costs.csv', 'ink,40\npen,2\n')],
      ...{ tools: ['code'], maxTokens: 64 },
    })
    await app.asks.retry(ask.id)
    await app.asks.settled()
    const edit = 'read_file {"path":"costs.csv"}'
    await app.askDrafts.branch(ask.id, { attempt: 1, step: 0, edit }, { model, seed: 4 })
    await app.asks.settled()
    const { attempts } = app.asks.get(ask.id)
    expect(attempts.map(({ trajectory }) => trajectory.model)).toEqual([
      'Loam demo',
      'Loam demo',
      'Babel qwen2',
    ])
    expect(attempts[2]?.trajectory.rounds[0]).toMatchObject({
      call: { name: 'read_file' },
      observation: expect.stringContaining('pen,2') as unknown,
    })
    // Whoever tries again wants something else.
    expect(attempts[1]?.trajectory.seed).not.toBe(attempts[0]?.trajectory.seed)
    await app.asks.teach(ask.id, 2, { ...RIGHT, verdict: 'wrong', answer: '42 euro' })
    await app.asks.settled()
    expect(app.asks.get(ask.id).attempts[2]?.judgement?.learned).toHaveLength(2)
    const before = app.asks.get(ask.id)
    const again = await rig.reopen()
    expect(again.asks.get(ask.id)).toEqual(before)
  },
)
