import type { AgentResult, StraightEvents } from '../../core/agent/straight'
import { UNJUDGED } from '../../core/agent/straight'
import { attemptId } from '../../core/ground/identity'
import { learnFromAttempt } from '../../core/ground/learn-from-attempt'
import { NOTHING_LEARNED } from '../../core/ground/method'
import type { MemoryStore } from '../../core/ground/ports'
import { FACT_KIND, type Fact } from '../../core/memory/facts/fact'
import { correctedFact, keepFact, rememberedFact } from '../../core/memory/facts/new-fact'
import { isFact, rememberedIn } from '../../core/memory/facts/statement'
import { scopedBank } from '../../core/memory/items/scoped-bank'
import { QUESTION_ENVIRONMENT } from '../../core/tasks'
import type { AskAttempt, AskInfo, AskVerdict } from '../../shared/domain/ask'
import { BASELINE } from '../../shared/domain/experiment'
import type { ItemRef } from '../../shared/domain/item'
import { NO_USAGE, type Trajectory } from '../../shared/domain/trajectory'
import type { Host } from '../host/host'
import type { KeepFact } from './fact-offers'
import type { Memories } from '../memories/memories'

/** Who answers where no model was asked. */
const ANSWERED_BY = 'Loam'

/** What an ask asks to be remembered, a sentence each; null for any other ask, and where nothing is to be remembered. */
export const toRemember = ({ spec }: AskInfo): string[] | null =>
  spec.world === null && spec.remember && spec.method !== BASELINE ? rememberedIn(spec.text) : null

/** Keeps what a person asks to be remembered, a fact each, and says so. No model is asked. */
export async function remember(
  { ask, index }: { readonly ask: AskInfo; readonly index: number },
  statements: readonly string[],
  host: Pick<Host, 'clock'>,
  memories: Memories,
  events: StraightEvents,
): Promise<AgentResult> {
  const memory = await memories.open(ask.spec.memoryId)
  const bank = scopedBank(memory, ask.folder)
  const at = host.clock.now().toISOString()
  const id = attemptId(ask.id, index)
  const answer = `I will remember: ${statements.join(' ')}`
  events.started?.({ context: '', recalled: [] })
  const trajectory: Trajectory = {
    ...{ id, runId: ask.id, memoryId: memory.id, method: ask.spec.method, model: ANSWERED_BY, seed: 0 },
    task: {
      ...{ id: ask.id, index, environment: QUESTION_ENVIRONMENT, skills: [] },
      ...{ instruction: ask.spec.text, context: '' },
    },
    recalled: [],
    rounds: [
      {
        ...{ index: 0, completion: answer, observation: null, usage: NO_USAGE },
        action: { kind: 'answer', content: answer },
      },
    ],
    finish: 'completed',
    question: { level: null, dataset: null, answer, grades: null },
    ...{ reward: 0, ungraded: UNJUDGED, usage: NO_USAGE, startedAt: at, finishedAt: at },
  }
  await learnFromAttempt(trajectory, () => Promise.resolve(NOTHING_LEARNED), bank)
  const facts: ItemRef[] = []
  for (const [i, statement] of statements.entries()) {
    const origin = { runId: ask.id, trajectoryId: id, environment: QUESTION_ENVIRONMENT, at }
    facts.push(await keep(rememberedFact(statement, { ...origin, id: `fact-${id}-${i}` }), bank))
  }
  return { trajectory, fitted: null, facts }
}

/** Keeps what a message told in passing, once the person says so. */
export async function keepOffered(
  { id: runId, folder }: AskInfo,
  { memoryId, statement, ...origin }: Parameters<KeepFact>[1],
  { clock }: Pick<Host, 'clock'>,
  memories: Memories,
): Promise<ItemRef> {
  const at = clock.now().toISOString()
  const bank = scopedBank(await memories.open(memoryId), folder)
  return keep(rememberedFact(statement, { ...origin, runId, environment: QUESTION_ENVIRONMENT, at }), bank)
}

const keep = async (fact: Fact, bank: MemoryStore): Promise<ItemRef> => {
  const { id, events } = keepFact(fact, await bank.items(FACT_KIND))
  if (events.length > 0) await bank.commit(events)
  return { kind: FACT_KIND, id }
}

/**
 * The fact that a person's correction of an ask says; null where it says none: a letter, an answer in an environment, one
 * about files, or to a later message, whose words lean on those before.
 */
export function factOfVerdict(
  { spec, id: runId, given: files }: AskInfo,
  { turn, trajectory }: Pick<AskAttempt, 'turn' | 'trajectory'>,
  { by, answer, at }: Pick<AskVerdict, 'by' | 'answer' | 'at'>,
  correctionId: string,
): Fact | null {
  const { instruction } = trajectory.task
  if (by !== 'person' || answer === null || spec.world !== null || turn > 0 || files.length > 0) return null
  if (spec.method === BASELINE || !isFact(instruction, answer)) return null
  return correctedFact(instruction, answer, {
    ...{
      id: `fact-${correctionId}`,
      runId,
      trajectoryId: correctionId,
      environment: QUESTION_ENVIRONMENT,
      at,
    },
  })
}
