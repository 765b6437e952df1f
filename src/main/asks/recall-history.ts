import { forAsks } from '../../core/agent/ask-recall'
import { closedAnswer, saysSame, type ClosedAnswer } from '../../core/agent/closed-answer'
import type { MethodContext } from '../../core/ground/method'
import type { MemoryStore } from '../../core/ground/ports'
import { FACT_KIND } from '../../core/memory/facts/fact'
import { openPast } from '../../core/memory/items/held-before'
import { narrowedBank, scopedBank } from '../../core/memory/items/scoped-bank'
import { suggestedMethod } from '../../core/methods'
import { rankByCosine } from '../../core/retrieval/rank'
import { encoderFor } from '../../core/retrieval/calibration'
import { QUESTION_ENVIRONMENT } from '../../core/tasks'
import { answerOf, type AskAttempt, type AskDetail, type AskInfo } from '../../shared/domain/ask'
import { USUAL_FACT_FORM } from '../../shared/domain/model-profile'
import type { PastRecall, RecallHistory, RecallOutcome } from '../../shared/domain/recall-history'
import type { Host } from '../host/host'
import { memorySourceOf } from '../items/memory-items'
import type { StoredMemory } from '../memory-store/memory'
import { countedTries } from './ask-curve'
import { FIXED_SEED } from './ask-defaults'
import { judgedAsk } from './judged-tasks'
import { PLAIN_QUESTION } from './play-ask'

/** Facts and attempts that are nearest to a request, of each so many, among which one that was not shown is looked for. */
const NEAREST = 10

interface Judged {
  readonly ask: AskInfo
  readonly attempt: AskAttempt
  readonly reference: string
}

/**
 * What the judged asks of a memory's past would be shown now of what it held before each: facts, and attempts as the recommended method finds them. No model
 * works for it. An answer is compared as in replays (`closedAnswer`), so what cannot be compared is left out, with the reason.
 */
export async function recallHistory(
  details: readonly AskDetail[],
  memory: StoredMemory,
  host: Host,
  signal?: AbortSignal,
): Promise<RecallHistory> {
  const { usable, unusable } = sorted(details, memory.id)
  const past = await openPast(memorySourceOf(memory))
  const lookIn = await openLook(memory, host)
  const asks: PastRecall[] = []
  for (const one of usable) {
    signal?.throwIfAborted()
    const { startedAt } = one.attempt.trajectory
    const bank = narrowedBank(scopedBank(memory, one.ask.folder), past(startedAt))
    asks.push(await recallOf(one, lookIn(bank), signal))
  }
  return { asks, unusable }
}

/** The judged asks of a memory in the order in which they were asked, and why nothing can be said of others. */
function sorted(details: readonly AskDetail[], memoryId: string) {
  const reasons = new Map<string, number>()
  const usable: Judged[] = []
  for (const detail of details) {
    for (const attempt of countedTries(detail)) {
      if (attempt.trajectory.memoryId !== memoryId) continue
      const one = judgedAsk(detail, attempt)
      const why =
        typeof one === 'string' ? one : one?.ask.spec.world ? 'they were acted in an environment' : null
      if (why !== null) reasons.set(why, (reasons.get(why) ?? 0) + 1)
      else if (one !== null && typeof one !== 'string') usable.push(one)
    }
  }
  const unusable = [...reasons].map(([why, count]) => ({ why, count }))
  const timeOf = ({ attempt }: Judged): string => attempt.trajectory.startedAt
  return { usable: usable.sort((a, b) => (timeOf(a) < timeOf(b) ? -1 : 1)), unusable }
}

/** What the recommended method looks with in a part of a memory: everything but a model, which finding alone needs none of. */
async function openLook(memory: StoredMemory, host: Host): Promise<(bank: MemoryStore) => MethodContext> {
  const { info } = suggestedMethod('run')
  const embedder = await encoderFor(info, await host.embedder(), memory)
  const prompts = await host.prompts()
  return (bank) => ({
    ...{ bank, embedder, prompts, settings: {}, k: info.defaultK, seed: FIXED_SEED },
    get model(): never {
      throw new Error('Finding what fits needs no model.')
    },
  })
}

async function recallOf(
  { ask, attempt, reference }: Judged,
  context: MethodContext,
  signal?: AbortSignal,
): Promise<PastRecall> {
  const { text } = ask.spec
  const target = closedAnswer(text, reference)
  if (target === null) throw new Error('Only answers that can be compared are looked at.')
  const method = forAsks(suggestedMethod('run'), USUAL_FACT_FORM)
  const task = { ...attempt.trajectory.task, instruction: text, payload: PLAIN_QUESTION }
  const { retrieved } = await method.recall({ task, context: '', ...(signal && { signal }) }, context)
  const items = retrieved.map(({ text: words, item: { kind, id, title } }) => ({
    ...{ kind, id, title },
    says: saysSame(words, target),
  }))
  const outcome: RecallOutcome = items.some(({ says }) => says)
    ? 'right'
    : items.length > 0
      ? 'other'
      : (await isNear(text, target, context, signal))
        ? 'missed'
        : 'silent'
  const { startedAt } = attempt.trajectory
  return {
    askId: ask.id,
    attempt: attempt.index,
    title: ask.title,
    at: startedAt,
    reference,
    shown: items,
    outcome,
  }
}

/** Whether one of what is nearest to a request says what was right, whatever keeps it from being shown. */
async function isNear(
  text: string,
  target: ClosedAnswer,
  { bank, embedder }: Pick<MethodContext, 'bank' | 'embedder'>,
  signal?: AbortSignal,
): Promise<boolean> {
  const facts = await bank.items(FACT_KIND)
  const ranked = await rankByCosine(embedder, text, facts, ({ statement }) => statement, signal)
  if (ranked.slice(0, NEAREST).some(({ item }) => saysSame(item.statement, target))) return true
  const [vector] = await embedder.embed([text], signal ? { signal } : {})
  if (!vector) return false
  const solved = { environment: QUESTION_ENVIRONMENT, reward: 1 } as const
  for (const { case: near } of await bank.find(text, vector, NEAREST, solved)) {
    const trajectory = await bank.trajectory(near.trajectoryId)
    const answer = trajectory && answerOf({ trajectory })
    if (answer && saysSame(answer, target)) return true
  }
  return false
}
