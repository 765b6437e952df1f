import { openEpisode } from '../../core/ground/environment'
import { learnFromAttempt, learningOf } from '../../core/ground/learn-from-attempt'
import { correctedAttempt, judgedAttempt } from '../../core/agent/taught-attempt'
import { FACT_KIND } from '../../core/memory/facts/fact'
import { MEMORY_KINDS } from '../../core/memory'
import type { MemorySource } from '../../core/memory/items/kind'
import type { LanguageModel } from '../../core/ground/ports'
import { NO_USAGE, type Round } from '../../shared/domain/trajectory'
import { findMethod } from '../../core/methods'
import { specOf, type AskAttempt, type AskInfo, type AskVerdict } from '../../shared/domain/ask'
import type { ItemRef } from '../../shared/domain/item'
import { LoamError } from '../../shared/errors'
import type { Host } from '../host/host'
import type { Memories } from '../memories/memories'
import type { StoredMemory } from '../memory-store/memory'
import { memorySourceOf } from '../items/memory-items'
import { keepFact } from '../../core/memory/facts/new-fact'
import { ATTEMPT, intoProject, isHeld } from '../../core/memory/items/projects'
import type { AskState } from './ask-record'
import { FIXED_SEED } from './ask-defaults'
import { contextOf, taskOfWorld, type AskNeeds } from './play-ask'
import { factOfVerdict } from './remember'
import { cannotAct, inWorldForm, writerOf } from './environment-form'

/** The attempt that stands for what a person said it should have been. */
export const correctedId = ({ id }: Pick<AskVerdict, 'id'>): string => `${id}-corrected`

/** A judged attempt, to be learned from. */
export interface Lesson {
  readonly ask: AskInfo
  readonly attempt: AskAttempt
  readonly judgement: AskVerdict
  /** The rounds that acting out the person's answer came to; null where nothing is acted in or no answer was given. */
  readonly actedOut: readonly Round[] | null
}

/**
 * Teaches the memory what a person judged: the attempt with its verdict, and, where they said what the answer should have been, that
 * as a success of its own. Done twice it is done once. Answers the items that came of it.
 */
export async function learnFromAsk(
  { ask, attempt, judgement, actedOut }: Lesson,
  model: LanguageModel,
  host: Host,
  needs: AskNeeds,
  signal: AbortSignal,
): Promise<ItemRef[]> {
  const context = await contextOf(ask, model, host, needs)
  const { bank } = context
  const learn = learningOf(findMethod(ask.spec.method), () => context)
  const attempts = [judgedAttempt(attempt.trajectory, judgement, judgement.id)]
  const { answer, note } = judgement
  if (answer !== null)
    attempts.push(
      correctedAttempt(attempt.trajectory, { answer, note }, correctedId(judgement), actedOut ?? undefined),
    )
  // What was kept since the message asked for it is no answer to learn from.
  if (attempt.facts.length > 0) return []
  const fact = factOfVerdict(ask, attempt, judgement, correctedId(judgement))
  for (const trajectory of attempts) {
    // A Loam that was killed in between has told the memory already.
    if (await bank.trajectory(trajectory.id)) continue
    const factEvents =
      fact?.trajectoryIds[0] === trajectory.id ? keepFact(fact, await bank.items(FACT_KIND)).events : []
    await learnFromAttempt(trajectory, learn, bank, { signal, named: (events) => [...events, ...factEvents] })
  }
  return itemsFrom(memorySourceOf(bank), new Set(attempts.map(({ id }) => id)))
}

/** What an attempt of an ask, as it was judged, has taught: items, and the attempts they were learned from. */
export interface Taught {
  /** The memory that was taught. */
  readonly memoryId: string
  readonly items: readonly ItemRef[]
}

/** What the verdicts on an ask have taught so far. */
export const lessonsOf = ({ ask, attempts }: Pick<AskState, 'ask' | 'attempts'>): Taught[] =>
  attempts.flatMap((attempt) => {
    const { judgement, trajectory } = attempt
    const offerFacts = attempt.offers.flatMap(({ fact }) => (fact === null ? [] : [fact]))
    const facts = [...attempt.facts, ...offerFacts]
    const { memoryId } = specOf(ask, attempt)
    const own = facts.length === 0 ? [] : [...facts, { kind: ATTEMPT, id: trajectory.id }]
    if (!judgement?.learned) return own.length === 0 ? [] : [{ memoryId, items: own }]
    const tries = [judgement.id, correctedId(judgement)].map((id) => ({ kind: ATTEMPT, id }))
    return [{ memoryId, items: [...own, ...judgement.learned, ...tries] }]
  })

/** Opens a memory; null for one that was thrown away. Rejects as opening does for every other reason. */
export const openIfThere = (memories: Pick<Memories, 'open'>, id: string): Promise<StoredMemory | null> =>
  memories.open(id).catch((error: unknown) => {
    if (error instanceof LoamError && error.code === 'NOT_FOUND') return null
    throw error
  })

/** Moves what an ask has taught into a project; null: all projects share it. */
export async function moveTaught(
  teachings: readonly Taught[],
  project: string | null,
  { memories }: Pick<AskNeeds, 'memories'>,
  at: string,
): Promise<void> {
  for (const { memoryId, items } of teachings) {
    const memory = await openIfThere(memories, memoryId)
    if (memory === null) continue
    const there = items.filter((item) => isHeld(memory.memorySource.state, item))
    await memory.commit(intoProject(there, project, at))
  }
}

/** The live items that were made from some attempts, newest first; those that merely changed, or come and go with attempts, are not among them. */
async function itemsFrom(source: MemorySource, ids: ReadonlySet<string>): Promise<ItemRef[]> {
  const matches: ItemRef[] = []
  for (const kind of MEMORY_KINDS) {
    const heads = [...(await kind.heads(source))]
    // What was just learned is at the end.
    for (const head of heads.slice(-40).reverse()) {
      if (head.gone !== null || (await kind.isDrawn?.(source, head.id)) === true) continue
      const text = await kind.read(source, head.id)
      if (text?.trajectoryIds[0] !== undefined && ids.has(text.trajectoryIds[0]))
        matches.push({ kind: kind.info.id, id: head.id })
    }
  }
  return matches
}

/**
 * Acts out in an ask's world what a person says should have been done, so that the memory keeps it in the world's own words.
 * @throws LoamError `BAD_INPUT` when the world refuses it or does not know such actions
 */
export async function actOut(
  { spec }: AskInfo,
  answer: string,
  model: LanguageModel,
  needs: AskNeeds,
): Promise<Round[] | null> {
  if (spec.world === null) return null
  const task = await taskOfWorld(spec.world, needs)
  const write = writerOf(task)
  const environment = await needs.environments.acting(task.environment)
  const episode = await openEpisode(
    environment,
    { ...task, instruction: spec.text },
    { model, seed: spec.seed ?? FIXED_SEED },
  )
  const rounds: Round[] = []
  const play = async (completion: string) => {
    const outcome = await episode.step(completion)
    const { action, observation } = outcome
    rounds.push({ index: rounds.length, completion, action, observation, usage: NO_USAGE })
    return outcome
  }
  try {
    const outcome = await play(inWorldForm(task, answer))
    if (!outcome.done) {
      if (outcome.failed === true) throw cannotAct(`The world refused it: ${outcome.observation}`)
      const rows = /^\s*\[.*\]\s*$/s.test(outcome.observation) ? outcome.observation.trim() : '[]'
      await play(write.end(rows))
    }
    return rounds
  } finally {
    episode.close()
  }
}
