import { BELIEF_KIND } from '../../memory/beliefs/belief'
import type { Embedder } from '../../ground/ports'
import type { RecallInput } from '../../ground/method'
import { placeOf } from '../../recall/acts'
import type { Beliefs } from '../../recall/beliefs'
import { stemsOf, type Proven } from '../../recall/proven'
import type { Candidate, Saying, Still } from '../../recall/candidates'
import { CASE_KIND } from '../../memory/cases/kind'
import { cosine } from '../../retrieval/cosine'
import { vectorsOf } from '../../retrieval/rank'
import { isStopWord, termsOf, TERM_WEIGHTS } from '../../retrieval/terms'

/** What a word counts that only the surroundings of a task name; one that the task itself says counts 1. */
const NAMED = 0.5
/** What own items say that no attempt has gone by yet, and what others say. */
const OWN_TRUST = 0.9
const OTHERS_TRUST = 0.75
/** What is left of a belief above doubt when things went worse since it was last borne out. */
const DOUBT = 0.5
/** Beliefs that are looked at closely, and letters of a sentence. */
const MOST = 24
const LONGEST_SENTENCE = 240
/** Characters of a token: rather few, so that an estimate is rather too high. */
const CHARACTERS_PER_TOKEN = 3.5
type Surroundings = Pick<RecallInput, 'task' | 'context' | 'world'>

/** What a task needs to be told of: its words and those of its surroundings, each as far as it is rare in its place. */
export function needsOf(
  { task, context, world }: Surroundings,
  beliefs: Beliefs,
): ReadonlyMap<string, number> {
  const needs = new Map<string, number>()
  const add = (text: string, worth: number): void => {
    for (const word of stemsOf(text)) {
      const need = worth * beliefs.rarity(task.environment, placeOf(world), word)
      if (need > 0 && !isStopWord(word) && !/^\d+$/.test(word))
        needs.set(word, Math.max(need, needs.get(word) ?? 0))
    }
  }
  add(context, NAMED)
  add(task.instruction, 1)
  return needs
}

/** The sentences of a text, as far as their author is trusted; long ones are prose, and say nothing of one thing. */
export const sayingsOf = (text: string, isOwn: boolean): Saying[] =>
  text
    .split('\n')
    .filter((line) => line.trim() !== '' && line.length <= LONGEST_SENTENCE)
    .map((line) => ({ words: stemsOf(line), p: isOwn ? OWN_TRUST : OTHERS_TRUST }))

/** What a line says, as it is believed when things go worse in its place since `doubtedSince`. */
const doubted = ({ sayings }: Pick<Proven, 'sayings'>, doubtedSince: string | null): Saying[] =>
  sayings.map(({ words, p, at }) => ({
    words,
    p: doubtedSince === null || at >= doubtedSince || p <= DOUBT ? p : DOUBT + (p - DOUBT) / 2,
  }))

/** What an item of the memory says: a past attempt the words that it went by, else those of what it did; any other its own sentences. */
export function readItem(
  { kind, trajectoryId, text, origin }: Still,
  beliefs: Beliefs,
  doubtedSince: string | null,
): Saying[] {
  if (kind !== CASE_KIND) return sayingsOf(text, origin.from === 'attempt' || origin.from === 'person')
  if (trajectoryId === null) return []
  const lines = beliefs.provenOf(trajectoryId)
  const acted = lines.length === 0 ? beliefs.actedIn(trajectoryId) : null
  return [...lines, ...(acted ? [{ sayings: [acted] }] : [])].flatMap((one) => doubted(one, doubtedSince))
}

/** What sayings are worth to a task. */
export function worthOf(sayings: readonly Saying[], needs: ReadonlyMap<string, number>): number {
  const best = new Map<string, number>()
  for (const { words, p } of sayings)
    for (const word of words) if (needs.has(word)) best.set(word, Math.max(p, best.get(word) ?? 0))
  return [...best].reduce((sum, [word, p]) => sum + p * (needs.get(word) ?? 0), 0)
}

/** The words that proved right in a task's place and speak of what it needs, as candidates. */
export async function provenCandidates(
  { task, world, signal }: RecallInput,
  beliefs: Beliefs,
  needs: ReadonlyMap<string, number>,
  target: Float32Array,
  embedder: Embedder,
  doubtedSince: string | null,
): Promise<Candidate[]> {
  const provens = beliefs
    .proven(task.environment, placeOf(world))
    .map((one, at) => ({ one, at, sayings: doubted(one, doubtedSince) }))
    .map((each) => ({ ...each, worth: worthOf(each.sayings, needs) }))
    .filter(({ worth }) => worth > 0)
    .sort((a, b) => b.worth - a.worth || b.at - a.at)
    .slice(0, MOST)
  const vectors = await vectorsOf(
    embedder,
    provens.map(({ one }) => one.text),
    signal,
  )
  return provens.map(({ one, sayings }, i) => {
    const vector = vectors[i] ?? new Float32Array()
    const { id, text, isOwn, at, witness } = one
    return {
      ...{ kind: BELIEF_KIND, id, title: text, text, trajectoryId: witness.attempt, reward: 1 },
      ...{ environment: task.environment, createdAt: at, pinned: false, byPerson: false, vector },
      origin: { from: isOwn ? 'attempt' : 'program', by: null },
      terms: new Map(termsOf(text).map(({ term, kind }) => [term, TERM_WEIGHTS[kind]])),
      sayings,
      ...{ judged: 0, helped: 0, place: 'advice', tokens: Math.ceil(text.length / CHARACTERS_PER_TOKEN) },
      meaning: cosine(target, vector) ?? 0,
    }
  })
}
