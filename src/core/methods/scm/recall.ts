import type { Summary } from '../../memory/summaries/summary'
import { addUsage, NO_USAGE, type Trajectory, type Usage } from '../../../shared/domain/trajectory'
import { retellTrajectory } from '../../ground/prompt'
import { byScore, rankByCosine } from '../../retrieval/rank'
import type { ChatMessage } from '../../ground/ports'
import type { MethodContext, RecalledPart, RecallInput } from '../../ground/method'
import { readSettings } from '../../ground/settings'
import { SETTINGS } from './settings'
import { write } from '../../ground/writing'
import { enoughMessages, needMessages, YES_NO_FORM } from './messages'

/** Templates of the controller's two questions. */
export const NEED = 'scm-need'
export const ENOUGH = 'scm-enough'

/** How much the recency part of the activation fades with every attempt. */
const RECENCY_DECAY = 0.99

/** A turn of the stream that is to be shown. */
interface Turn {
  readonly summary: Summary
  readonly trajectory: Trajectory
  readonly raw: string
  readonly score: number
  readonly scoreKind: 'recency' | 'activation'
}

/** Asks the controller; what it cannot answer counts as `otherwise`. Usage is added to `spent`. */
async function ask(
  role: string,
  messages: readonly ChatMessage[],
  otherwise: boolean,
  cost: { usage: Usage },
  input: RecallInput,
  context: MethodContext,
): Promise<boolean> {
  const order = { role, messages, form: YES_NO_FORM, taskIndex: input.task.index, maxTokens: 24 }
  const output = await write(order, context, input.signal)
  cost.usage = addUsage(cost.usage, output.usage)
  return output.value ?? otherwise
}

async function turnOf(
  summary: Summary,
  score: number,
  scoreKind: Turn['scoreKind'],
  { present, bank }: { readonly present: RecallInput; readonly bank: MethodContext['bank'] },
): Promise<Turn | null> {
  const trajectory = await bank.trajectory(summary.trajectoryIds[0] ?? '')
  return trajectory && { summary, trajectory, raw: retellTrajectory(trajectory, present), score, scoreKind }
}

const asPart = ({ summary, trajectory, raw, score, scoreKind }: Turn, short: boolean): RecalledPart => ({
  text: short ? (summary.text ?? raw) : raw,
  item: {
    kind: short ? 'summary' : 'trajectory',
    id: short ? summary.id : trajectory.id,
    trajectoryId: trajectory.id,
    title: summary.title,
    score,
    scoreKind,
    reward: trajectory.reward,
  },
})

/** Which turns are shown by their summary: those the controller finds enough, then, least active first, until all fit. */
async function shorten(
  turns: readonly Turn[],
  cost: { usage: Usage },
  input: RecallInput,
  context: MethodContext,
): Promise<ReadonlySet<Turn>> {
  const { summaries, budget } = readSettings(SETTINGS, context.settings)
  const short = new Set<Turn>()
  if (!summaries || turns.length === 0) return short
  const options = input.signal ? { signal: input.signal } : {}
  const raw = await context.model.countTokens(
    turns.map((turn) => turn.raw),
    options,
  )
  const brief = await context.model.countTokens(
    turns.map(({ summary, raw: all }) => summary.text ?? all),
    options,
  )
  const total = (): number =>
    turns.reduce((sum, turn, i) => sum + ((short.has(turn) ? brief[i] : raw[i]) ?? 0), 0)
  // Flash memory comes last: it is the one turn that is always wanted.
  const rank = (turn: Turn): number => (turn.scoreKind === 'recency' ? Infinity : turn.score)
  const leastActiveFirst = turns
    .filter(({ summary }) => summary.text !== null)
    .sort((a, b) => (rank(a) < rank(b) ? -1 : 1))
  const template = context.prompts.text(ENOUGH)
  for (const turn of leastActiveFirst) {
    if (total() <= budget) return short
    const messages = enoughMessages(template, turn.summary.text ?? '', input.task.instruction)
    if (await ask(`scm-enough-${turn.summary.id}`, messages, true, cost, input, context)) short.add(turn)
  }
  for (const turn of leastActiveFirst) if (total() > budget) short.add(turn)
  return short
}

/** What SCM shows for a task, oldest attempt first, and what deciding it took. */
export async function recallTurns(
  input: RecallInput,
  context: MethodContext,
): Promise<{ parts: RecalledPart[]; usage: Usage }> {
  const { task, signal } = input
  const { bank, embedder, k, prompts } = context
  const { controller, flash, activation } = readSettings(SETTINGS, context.settings)
  const stream = await bank.items('summary', { environment: task.environment })
  const newest = stream.at(-1)
  if (k === 0 || !newest) return { parts: [], usage: NO_USAGE }
  const cost = { usage: NO_USAGE }
  const from = { present: input, bank }
  const chosenTurns: (Turn | null)[] = []
  if (flash) chosenTurns.push(await turnOf(newest, 1, 'recency', from))
  const older = flash ? stream.slice(0, -1) : stream
  const places = k - chosenTurns.length
  if (activation && places > 0 && older.length > 0) {
    const messages = needMessages(prompts.text(NEED), task.instruction, input.context)
    if (!controller || (await ask('scm-need', messages, true, cost, input, context))) {
      const age = new Map(stream.map(({ id }, i) => [id, stream.length - 1 - i]))
      const ranked = await rankByCosine(embedder, task.instruction, older, ({ title }) => title, signal)
      const active = ranked
        .map(({ item, score }) => ({ item, score: score + RECENCY_DECAY ** (age.get(item.id) ?? 0) }))
        .sort(byScore)
        .slice(0, places)
      for (const { item, score } of active) chosenTurns.push(await turnOf(item, score, 'activation', from))
    }
  }
  const order = new Map(stream.map(({ id }, i) => [id, i]))
  const turns = chosenTurns
    .filter((turn) => turn !== null)
    .sort((a, b) => (order.get(a.summary.id) ?? 0) - (order.get(b.summary.id) ?? 0))
  const short = await shorten(turns, cost, input, context)
  return { parts: turns.map((turn) => asPart(turn, short.has(turn))), usage: cost.usage }
}
