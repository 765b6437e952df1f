/**
 * Writes what a small model is tuned on: prompts as the product writes them for database tasks of LifelongAgentBench, with the published solutions as
 * replies. Half of them hold memory, which fits or does not, in several forms.
 * Usage: tsx models/training/tune/prompts.ts MODEL.gguf DB_BENCH.json [--out models/training/work/tune] [--seed 1] [--longest 1400]
 */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { runAttempt } from '../../../src/core/agent/actor'
import { learningOf, learnFromAttempt } from '../../../src/core/ground/learn-from-attempt'
import type { ChatMessage, LanguageModel } from '../../../src/core/ground/chat'
import {
  NOTHING_RECALLED,
  type Method,
  type MethodContext,
  type PromptParts,
  type RecalledPart,
} from '../../../src/core/ground/method'
import { createRng, type Rng } from '../../../src/core/ground/random'
import { LAB_DB } from '../../../src/core/tasks/lab-db/environment'
import { writeAction } from '../../../src/core/tasks/lab-db/actions'
import { findMethod } from '../../../src/core/methods'
import { EngineModel } from '../../../src/main/adapters/llama/llama-model'
import { LlamaRuntime } from '../../../src/main/adapters/llama/llama-runtime'
import { createApp, type App } from '../../../src/main/app'
import type { SettingChanges } from '../../../src/shared/domain/setting'
import type { Task } from '../../../src/shared/domain/task'
import { NO_USAGE, type Trajectory } from '../../../src/shared/domain/trajectory'
import { readEntries, tuningTasks, type Entry } from './tasks'

const { values, positionals } = parseArgs({
  options: {
    out: { type: 'string', default: 'models/training/work/tune' },
    seed: { type: 'string', default: '1' },
    longest: { type: 'string', default: '1400' },
  },
  allowPositionals: true,
})
const [model, published] = positionals.map((path) => resolve(path))
if (model === undefined || published === undefined) throw new Error('Which model, and which db_bench.json?')
const print = (line: string): void => void process.stdout.write(`${line}\n`)

/** Remarks as a small model writes them for lessons: some right, some empty, some wrong. */
const REMARKS = [
  'Copy values from the task as they stand, and name the table and its columns as they are shown.',
  'A change needs one statement. Answer [] when it is done.',
  'Every condition of the task belongs into WHERE.',
  'The task was solved by the database.',
  'Use SELECT to look at all rows before you answer.',
  'The final answer is [(1, 100), (2, 200)].',
  'Status words are written in capitals.',
]

type Form = 'none' | 'turns' | 'text' | 'lessons' | 'lessons and turns'
type Fit = 'alike' | 'other' | 'its own'

interface Draw {
  readonly form: Form
  readonly fit: Fit
  readonly k: number
}

/** None for every second task; where there is memory, that of like tasks is the most common. */
function draw(rng: Rng, index: number): Draw {
  const form =
    index % 2 === 0 ? 'none' : rng.pick(['turns', 'turns', 'text', 'lessons', 'lessons and turns'] as const)
  const roll = rng.next()
  const fit = roll < 0.5 ? 'alike' : roll < 0.9 ? 'other' : 'its own'
  return { form, fit, k: 1 + rng.int(form === 'text' ? 3 : 2) }
}

/** A call of the model: what it read, and what it is to reply. */
interface Call {
  readonly messages: readonly ChatMessage[]
  readonly reply: string
}

/** Stands where a model stands, and replies with the published solution and what the database said. */
function solver(sql: string, calls: Call[]): LanguageModel {
  return {
    ...{ name: 'Solutions', path: 'solutions', contextSize: 8192 },
    generate({ messages, about }) {
      const seen = messages.at(-1)?.content ?? ''
      const isQuestion = /^\s*(?:SELECT|WITH|SHOW)\b/i.test(sql)
      const reply =
        (about?.call ?? 0) === 0
          ? writeAction('execute_sql', { sql })
          : writeAction('answer', { answer: isQuestion ? seen : '[]' })
      calls.push({ messages: [...messages], reply })
      return Promise.resolve({ text: reply, usage: NO_USAGE, finish: 'end' })
    },
    countTokens: (texts) => Promise.resolve(texts.map(({ length }) => Math.ceil(length / 3))),
  }
}

const lesson = (text: string, title: string): RecalledPart => ({
  text,
  item: { kind: 'lesson', id: title, trajectoryId: null, title, score: null, scoreKind: '', reward: null },
})

/** Recalls what was drawn for a task, with the product's own case bank. */
function recalling(drawn: Draw, rng: Rng, others: readonly Task[]): Method {
  const caseBank = findMethod('case-bank')
  const about = rng.pick(others)
  return {
    ...findMethod('none'),
    async recall(input, context): Promise<PromptParts> {
      if (drawn.form === 'none') return NOTHING_RECALLED
      const { instruction } = drawn.fit === 'other' ? about : input.task
      const settings = { ...context.settings, 'case-bank': { ownTask: drawn.fit === 'its own' } }
      const parts = await caseBank.recall(
        { ...input, task: { ...input.task, instruction } },
        { ...context, settings, k: drawn.k },
      )
      if (!drawn.form.startsWith('lessons')) return parts
      const lessons = rng.sample(REMARKS, drawn.k).map((text, i) => lesson(text, `remark ${i}`))
      const recipes = parts.retrieved.map(({ text, item }) => lesson(text, item.id))
      const successLessons = rng.chance(0.5) ? lessons : recipes
      return {
        ...NOTHING_RECALLED,
        successLessons,
        retrieved: drawn.form === 'lessons' ? [] : parts.retrieved,
      }
    },
  }
}

const folder = await mkdtemp(join(tmpdir(), 'loam-tune-'))
const app: App = await createApp({ dataPath: join(folder, 'data'), host: 'memory', gpuLayers: 'cpu' })
const engine = await EngineModel.load(new LlamaRuntime(() => undefined), {
  ...{
    path: model,
    gpuLayers: 'cpu',
    gpuBackend: 'auto',
    flashAttention: 'auto',
    cacheType: 'f16',
    contextSize: 4096,
    sequences: 1,
    threads: 1,
  },
  ...{ measuredThreads: null, wantsSpeed: false, softPrompt: null, prefixStates: null },
})

/** Characters of an answer that is still worth learning: longer ones only copy rows. */
const LONGEST_ANSWER = 240

/** A dialog's tokens, and for each whether it is learned: all replies that were asked for, but no answer of many rows. */
function sampleOf(all: readonly Call[]): { readonly ids: number[]; readonly learn: number[] } {
  const calls = all.filter(({ reply }, i) => i === 0 || reply.length <= LONGEST_ANSWER)
  const last = calls.at(-1)
  if (!last) return { ids: [], learn: [] }
  const whole = engine.tokenize(last.messages, last.reply)
  const ids = [...whole.prompt, ...whole.reply]
  const learn = ids.map(() => 0)
  for (const { messages, reply } of calls) {
    const { prompt, reply: tokens } = engine.tokenize(messages, reply)
    tokens.forEach((token, i) => {
      if (ids[prompt.length + i] === token) learn[prompt.length + i] = 1
    })
  }
  return { ids, learn }
}

try {
  const entries = tuningTasks(await readEntries(published))
  const stream = join(folder, 'tuning.json')
  await writeFile(stream, JSON.stringify(Object.fromEntries(entries.map((entry, i) => [i, entry]))))
  const { tasks } = await app.streams.load(stream)
  const { id: memoryId } = await app.memories.create('Solutions')
  const bank = await app.memories.open(memoryId)
  const environment = await app.environments.acting(LAB_DB)
  const shared = { bank, embedder: await app.embedder(), prompts: await app.prompts(), k: 2, seed: 1 }
  const play = async (task: Task, method: Method, settings: SettingChanges) => {
    const calls: Call[] = []
    const { sql } = (task.payload as Entry).answer_info
    const context: MethodContext = { ...shared, settings, model: solver(sql ?? '', calls) }
    const attempt: Trajectory = await runAttempt({
      ...{ id: `solution-${task.id}`, runId: 'solutions', memoryId, task, environment, method, context },
      ...{ clock: app.clock, temperature: 0, maxTokens: 128 },
    })
    return { attempt, calls, context }
  }

  const solvedTasks: Task[] = []
  for (const task of tasks) {
    const { attempt, context } = await play(task, findMethod('none'), {})
    if (attempt.reward !== 1) continue
    solvedTasks.push(task)
    await learnFromAttempt(
      attempt,
      learningOf(findMethod('case-bank'), () => context),
      bank,
    )
  }
  print(`${solvedTasks.length} of ${tasks.length} tasks are solved by their solutions`)

  const rng = createRng(`tune ${values.seed}`)
  const lines: string[] = []
  const counts = new Map<string, number>()
  for (const [i, task] of rng.sample(solvedTasks, solvedTasks.length).entries()) {
    const drawn = draw(rng, i)
    const attempts = drawn.form === 'text' ? 'text' : 'turns'
    const settings = { presentation: { attempts, replies: 'held', unaided: 0 } }
    const kind = drawn.form === 'none' ? 'none' : `${drawn.form}, ${drawn.fit}`
    let sample: ReturnType<typeof sampleOf> | null = null
    // What is too long is tried again with one item, which may be another.
    for (const k of [drawn.k, 1, 1, 1]) {
      const { calls } = await play(task, recalling({ ...drawn, k }, rng, solvedTasks), settings)
      sample = sampleOf(calls)
      if (sample.ids.length <= Number(values.longest)) break
      sample = null
    }
    if (!sample) continue
    counts.set(kind, (counts.get(kind) ?? 0) + 1)
    lines.push(JSON.stringify({ kind, task: task.instruction, ...sample }))
  }
  await mkdir(values.out, { recursive: true })
  await writeFile(join(values.out, 'prompts.jsonl'), `${lines.join('\n')}\n`)
  print(`${lines.length} prompts: ${[...counts].map(([kind, count]) => `${kind} ${count}`).join('; ')}`)
} finally {
  await engine.dispose()
  await app.dispose()
  await rm(folder, { recursive: true, force: true, maxRetries: 5 })
}
