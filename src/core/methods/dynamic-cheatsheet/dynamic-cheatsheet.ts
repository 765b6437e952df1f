import { NO_USAGE, type Trajectory } from '../../../shared/domain/trajectory'
import {
  hasActed,
  NOTHING_LEARNED,
  NOTHING_RECALLED,
  type Learned,
  type Method,
  type MethodContext,
  type PromptParts,
  type RecalledPart,
  type RecallInput,
} from '../../ground/method'
import type { MemoryStore, MemoryEvent } from '../../ground/ports'
import { retellingOf } from '../../ground/prompt'
import { hash32 } from '../../ground/random'
import { readSettings } from '../../ground/settings'
import { failedWriting, write } from '../../ground/writing'
import type { Cheatsheet } from '../../memory/cheatsheets/cheatsheet'
import { learnedFrom } from '../../memory/items/learned-from'
import { rankByCosine } from '../../retrieval/rank'
import { CHEATSHEET_FORM, CURATE, curateMessages, SYNTHESIZE, synthesizeMessages } from './messages'
import { PAPER } from './paper'
import { SETTINGS } from './settings'

/** Tokens the curator may write. */
const MAX_TOKENS = 480

const partOf = (sheet: Pick<Cheatsheet, 'id' | 'content' | 'version' | 'trajectoryIds'>): RecalledPart => ({
  text: sheet.content,
  item: {
    kind: 'cheatsheet',
    id: sheet.id,
    trajectoryId: sheet.trajectoryIds[0] ?? null,
    title: `Cheatsheet, version ${sheet.version}`,
    score: null,
    scoreKind: 'recency',
    reward: null,
  },
})

const keptAs = (memory: Cheatsheet, holdings: readonly Cheatsheet[]): MemoryEvent[] => [
  { kind: 'memory-added', memory },
  ...holdings
    .filter(({ pinned }) => pinned !== true)
    .map(({ id }): MemoryEvent => ({ kind: 'memory-dropped', memoryId: id, at: memory.createdAt })),
]

/** DC-Cu: after the attempt the curator writes the cheatsheet anew. */
async function curate(trajectory: Trajectory, context: MethodContext, signal?: AbortSignal) {
  const { environment, index } = trajectory.task
  const holdings = await context.bank.items('cheatsheet', { environment })
  const before = holdings.at(-1)
  const messages = curateMessages(
    context.prompts.text(CURATE),
    before?.content ?? '',
    retellingOf(trajectory),
  )
  const order = {
    role: CURATE,
    messages,
    form: CHEATSHEET_FORM,
    taskIndex: index,
    maxTokens: MAX_TOKENS,
    quotes: true,
  }
  const output = await write(order, context, signal)
  const { usage } = output
  if (output.value === null)
    return { events: [failedWriting(trajectory, CURATE, [trajectory.id], output)], usage }
  const version = (before?.version ?? 0) + 1
  const memory = { ...learnedFrom('cheatsheet', trajectory), content: output.value, version }
  return { events: keptAs(memory, holdings), usage }
}

/** Solved attempts among which similar ones are looked for: the newest. */
const LOOKED_AMONG = 200

/** Beyond these, what was written for attempts that never ended is forgotten. */
const MOST_UNKEPT = 50

/** What was written before an attempt that has not been committed yet, by memory and id; a host that stops has none of it, and begins the attempt again. */
const unkept = new WeakMap<MemoryStore, Map<string, string>>()

/** DC-RS: before the attempt the curator writes the cheatsheet anew from the solved attempts most like the task. It is kept with the attempt. */
async function synthesize(input: RecallInput, context: MethodContext): Promise<PromptParts> {
  const { task, signal } = input
  const { environment, index } = task
  const { similar } = readSettings(SETTINGS, context.settings)
  const before = (await context.bank.items('cheatsheet', { environment })).at(-1)
  const visits = await context.bank.recentSuccesses(LOOKED_AMONG, { environment })
  if (visits.length === 0) return NOTHING_RECALLED
  const words = (product: Trajectory): string => product.task.instruction
  const ranked = await rankByCosine(context.embedder, task.instruction, visits.toReversed(), words, signal)
  const near = ranked
    .slice(0, similar)
    .toReversed()
    .map(({ item }) => item)
  const messages = synthesizeMessages(
    context.prompts.text(SYNTHESIZE),
    before?.content ?? '',
    near.map(retellingOf),
    { instruction: task.instruction, context: input.context },
  )
  const order = {
    role: SYNTHESIZE,
    messages,
    form: CHEATSHEET_FORM,
    taskIndex: index,
    maxTokens: MAX_TOKENS,
    quotes: true,
  }
  const { value, usage } = await write(order, context, signal)
  if (value === null) return { ...NOTHING_RECALLED, ...(before && { retrieved: [partOf(before)] }), usage }
  const id = `cheatsheet-${hash32(`${before?.id ?? environment}/${task.id}/${index}/${value}`).toString(16)}`
  const texts = unkept.get(context.bank) ?? new Map<string, string>()
  if (texts.size >= MOST_UNKEPT) texts.clear()
  unkept.set(context.bank, texts)
  texts.set(id, value)
  const [madeProduct] = near.toReversed()
  const version = (before?.version ?? 0) + 1
  return {
    ...NOTHING_RECALLED,
    retrieved: [partOf({ id, content: value, version, trajectoryIds: madeProduct ? [madeProduct.id] : [] })],
    usage,
  }
}

/** The cheatsheet that was written before the attempt becomes the one in use. */
async function keep(trajectory: Trajectory, { bank }: MethodContext): Promise<Learned> {
  const id = trajectory.recalled.find(({ kind }) => kind === 'cheatsheet')?.id ?? ''
  const texts = unkept.get(bank)
  const content = texts?.get(id)
  if (!hasActed(trajectory) || content === undefined) return NOTHING_LEARNED
  texts?.delete(id)
  const holdings = await bank.items('cheatsheet', { environment: trajectory.task.environment })
  const version = (holdings.at(-1)?.version ?? 0) + 1
  const memory = { ...learnedFrom('cheatsheet', trajectory), id, content, version }
  return { events: keptAs(memory, holdings), usage: NO_USAGE }
}

/**
 * Dynamic Cheatsheet (Suzgun et al. 2025, arXiv 2504.07952). Cumulative (DC-Cu): the generator solves a task with the cheatsheet in front of
 * it, x~ = Gen(x, M); afterwards the curator writes it anew, M' = Cur(M, x, y~). With retrieval and synthesis (DC-RS) the curator writes it
 * before the attempt, for this task: R = Retr(x, attempts, k), M' = Cur(M, x, R), x~ = Gen(x, M').
 *
 * Simplified: the curator is told the environment's verdict, where the paper has it judge the attempt itself, and so DC-RS retrieves solved
 * attempts only; one cheatsheet per environment.
 */
export const dynamicCheatsheet: Method = {
  info: {
    id: 'dynamic-cheatsheet',
    title: 'Cheatsheet',
    description:
      'Keeps one text of what has proved useful, shows it with every task and writes it anew afterwards.',
    source: 'Dynamic Cheatsheet (2025), cumulative and with retrieval',
    usesK: false,
    defaultK: 0,
    colour: 6,
    keeps: ['cheatsheet'],
    recalls: [{ kind: 'cheatsheet', what: 'the one of the environment', place: 'task' }],
  },
  settings: SETTINGS,
  paper: PAPER,
  prompts: () => [CURATE, SYNTHESIZE],
  async recall(input, context) {
    if (readSettings(SETTINGS, context.settings).form === 'retrieval') return synthesize(input, context)
    const sheet = (await context.bank.items('cheatsheet', { environment: input.task.environment })).at(-1)
    return sheet ? { ...NOTHING_RECALLED, retrieved: [partOf(sheet)] } : NOTHING_RECALLED
  },
  learn(trajectory, context, signal) {
    const { form, every } = readSettings(SETTINGS, context.settings)
    if (form === 'retrieval') return keep(trajectory, context)
    if (!hasActed(trajectory) || (trajectory.task.index + 1) % every !== 0)
      return Promise.resolve(NOTHING_LEARNED)
    return curate(trajectory, context, signal)
  },
}
