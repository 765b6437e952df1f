import { answerOf } from '../../shared/domain/ask'
import { BASELINE } from '../../shared/domain/experiment'
import type { FactForm } from '../../shared/domain/model-profile'
import type { Method, MethodContext, PromptParts, RecalledPart, RecallInput } from '../ground/method'
import { FACT_KIND, type Fact } from '../memory/facts/fact'
import { factParts, factsNear } from '../memory/facts/recall-facts'
import { overtakes } from '../memory/facts/slots'
import {
  asSentence,
  capital,
  isFact as isAnswerOf,
  sentencesIn,
  statementFrom,
  withoutLead,
} from '../memory/facts/statement'
import { aboutness, isAbout } from '../retrieval/aboutness'
import { messageWords, personSigns } from '../verdict/person-signs'
import { onlyAbout } from './about-parts'
import { WRITTEN_BY_A_PERSON } from './taught-attempt'

/** Characters of an answer that is shown beside its question like a fact; longer ones are shown as work that was done. */
const LONGEST_FACT = 240

/**
 * A method as asks use it, whatever it recalls: only what the ask is about, facts first, attempts as what came of them, `most` of both together. An attempt that was wrong is not
 * shown: small models repeat what they read. Runs keep the forms of their methods.
 */
export const forAsks = (method: Method, { most }: Pick<FactForm, 'most'>): Method => ({
  ...method,
  async recall(input, context) {
    const parts = await onlyAbout(await method.recall(input, context), input, context)
    if (method.info.id === BASELINE) return parts
    const near = await factsNear(input.task.instruction, context.bank, input.signal)
    const facts = await factParts(input, context, most, near)
    const factTexts = new Set(facts.map(({ text }) => text))
    const attempts = await Promise.all(
      parts.retrieved.map((part) => asKnown(part, input, context, near.facts)),
    )
    // Methods put what fits best last, next to the task; here the best is read first.
    const others = attempts
      .flatMap((part) => part ?? [])
      .toReversed()
      .filter(({ text }) => !factTexts.has(text))
      .slice(0, Math.max(0, most - facts.length))
    return { ...withoutFacts(parts), retrieved: [...facts, ...others] }
  },
})

const isFact = ({ item }: RecalledPart): boolean => item.kind === FACT_KIND

const withoutFacts = (parts: PromptParts): PromptParts => ({
  ...parts,
  errorLessons: parts.errorLessons.filter((part) => !isFact(part)),
  successLessons: parts.successLessons.filter((part) => !isFact(part)),
})

/**
 * A method that is shown, whatever else it recalls, the at most `most` facts that a request is about; the one that fits best comes last.
 *
 * @param everyday whether attempts are silent that the request is not about, and wrong ones that nobody said anything of, as in asks; not in a
 *   stream's own world
 */
export const withFacts = (
  method: Method,
  { most }: Pick<FactForm, 'most'>,
  everyday: boolean,
): Pick<Method, 'recall'> => ({
  async recall(input, context) {
    const nearest = await method.recall(input, context)
    const parts = everyday ? await onlyAbout(nearest, input, context) : nearest
    if (method.info.id === BASELINE) return parts
    const others = withoutFacts(parts)
    const near = await factsNear(input.task.instruction, context.bank, input.signal)
    const facts = (await factParts(input, context, most, near)).toReversed()
    const factTexts = new Set(facts.map(({ text }) => text))
    const placeOf = async (part: RecalledPart): Promise<RecalledPart | null> => {
      if (!everyday) return part
      if (part.item.reward === 0) return correctionOf(part, input, context)
      const fact = await asKnown(part, input, context, near.facts)
      return fact !== null && !factTexts.has(fact.text) ? part : null
    }
    const visible = (await Promise.all(parts.retrieved.map(placeOf))).flatMap((part) => part ?? [])
    const isOwn = (part: RecalledPart): boolean => parts.retrieved.includes(part)
    return {
      ...others,
      retrieved: visible.filter(isOwn),
      successLessons: [...others.successLessons, ...visible.filter((part) => !isOwn(part)), ...facts],
    }
  },
})

/** Whether a fact says otherwise since what an attempt at `question` came to at `at`. */
const isOvertaken = (question: string, statement: string, at: string, facts: readonly Fact[]): boolean => {
  return facts.some((fact) => fact.createdAt > at && overtakes(fact)({ question, statement }))
}

/** Whether a request is about an attempt, or a person pinned it. */
async function isNear(
  { item }: RecalledPart,
  question: string,
  { task, signal }: Pick<RecallInput, 'task' | 'signal'>,
  { bank, embedder }: Pick<MethodContext, 'bank' | 'embedder'>,
): Promise<boolean> {
  if (item.pinned === true) return true
  const total = bank.memorySource?.state.live ?? 1
  const [near = 0] = await aboutness(task.instruction, [question], embedder, total, signal)
  return isAbout(near)
}

/** The same work is asked for again with another version, day or ticket. */
const withoutNumbers = (text: string): string => text.replace(/\d+/g, ' ')

/**
 * A wrong attempt that a request is about, where it holds what a person said of it; of an answer that alone where it says what is right, since small
 * models repeat the wrong one. Null for others.
 */
async function correctionOf(
  part: RecalledPart,
  input: Pick<RecallInput, 'task' | 'signal'>,
  context: Pick<MethodContext, 'bank' | 'embedder'>,
): Promise<RecalledPart | null> {
  const { trajectoryId } = part.item
  const trajectory = trajectoryId === null ? null : await context.bank.trajectory(trajectoryId)
  const last = trajectory?.rounds.at(-1)
  if (!trajectory || last?.from !== 'user' || last.observation === null) return null
  const question = trajectory.task.instruction.trim()
  if (trajectory.rounds.some(({ action }) => action.kind === 'operation')) {
    const task = { ...input.task, instruction: withoutNumbers(input.task.instruction) }
    return (await isNear(part, withoutNumbers(question), { ...input, task }, context)) ? part : null
  }
  if (!(await isNear(part, question, input, context))) return null
  const right = sentencesIn(last.observation)
    .map(withoutLead)
    .filter((sentence) => !personSigns.complains(messageWords(sentence)))
    .join(' ')
  if (!isAnswerOf(question, right) || right === '') return part
  return { ...part, text: `${question} ${asSentence(capital(right))}` }
}

/** An attempt as it is shown to an ask; null for one that was wrong or that a later fact takes the place of, and for facts, which are looked for by themselves. */
async function asKnown(
  part: RecalledPart,
  input: Pick<RecallInput, 'task' | 'signal'>,
  context: Pick<MethodContext, 'bank' | 'embedder'>,
  facts: readonly Fact[],
): Promise<RecalledPart | null> {
  const { item } = part
  if (item.reward === 0 || isFact(part)) return null
  if (item.reward !== 1 || item.trajectoryId === null) return part
  const trajectory = await context.bank.trajectory(item.trajectoryId)
  if (!trajectory) return part
  const question = trajectory.task.instruction.trim()
  if (!(await isNear(part, question, input, context))) return null
  // Planned work is shown as its plan, and what was done in an environment in that environment's words.
  if (trajectory.cycles || trajectory.task.environment !== input.task.environment) return part
  const answer = answerOf({ trajectory })
  if (answer === null) return part
  const short = answer.length <= LONGEST_FACT && !answer.trim().includes('\n')
  const statement = statementFrom(question, answer)
  if (short && isOvertaken(question, statement, trajectory.finishedAt, facts)) return null
  const note = trajectory.scores?.find(({ name }) => name === WRITTEN_BY_A_PERSON)?.detail ?? ''
  const text = short ? `${statement} ${note}` : `${question}\n\n${answer.trim()}\n\n${note}`
  return { ...part, text: text.trim() }
}
