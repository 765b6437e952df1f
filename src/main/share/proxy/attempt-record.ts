import type { ChatMessage } from '../../../core/ground/chat'
import type { PromptParts, RecalledPart } from '../../../core/ground/method'
import { memoryMark } from '../../../core/ground/memory-mark'
import { recalledText, systemText } from '../../../core/ground/prompt'
import { sharedRun } from '../../../core/memory/items/features'
import { addUsage, NO_USAGE, type RecalledItem, type Trajectory } from '../../../shared/domain/trajectory'
import { probationOf } from '../../../core/verdict/verdict'
import { reasonsOf, type RuledVerdict } from '../../../shared/domain/verdict'
import type { Asked, ClientTerms, OpenedRequest, SettledAttempt } from './request'
import type { OpenAttempt } from './open-attempts'
import type { RecallInRequest } from './show-recalled'

export const nameOf = ({ kind, id }: Pick<RecalledItem, 'kind' | 'id'>): string => `${kind}/${id}`

/** What was recalled without what stands in the conversation already. */
export function withoutShown(parts: PromptParts, names: ReadonlySet<string>): PromptParts {
  const fresh = (own: readonly RecalledPart[]): RecalledPart[] =>
    own.filter(({ item }) => !names.has(nameOf(item)))
  return {
    ...parts,
    errorLessons: fresh(parts.errorLessons),
    successLessons: fresh(parts.successLessons),
    retrieved: fresh(parts.retrieved),
    ...(parts.documents && { documents: fresh(parts.documents) }),
  }
}

/** Characters of what followed a request that are kept with it. */
export const LONGEST = 2000

/** What was done; in a failure that the person's next words tell, these are the last of the story, so that they are retold with it. */
const storyOf = ({ rounds }: OpenAttempt, outcome: SettledAttempt['outcome'], next: string | null) =>
  rounds.map((round, i) =>
    outcome === 'failure' && next !== null && i === rounds.length - 1 && round.observation === null
      ? { ...round, observation: next.slice(0, LONGEST), from: 'user' as const }
      : round,
  )

/** The attempt as a trajectory of the memory. `next`: what the person wrote then. */
export const trajectoryOf = (
  attempt: OpenAttempt,
  { terms }: Asked,
  { outcome, by, next }: Pick<SettledAttempt, 'outcome' | 'by'> & { readonly next: string | null },
  now: Date,
): Trajectory => ({
  id: attempt.id,
  runId: sharedRun(attempt.client),
  memoryId: terms.memory.id,
  task: {
    id: attempt.goal ?? attempt.id,
    index: 0,
    environment: terms.environment,
    instruction: attempt.instruction,
    context: attempt.context,
    skills: [],
  },
  method: terms.method.info.id,
  model: attempt.model,
  seed: 0,
  recalled: [...attempt.recalled],
  rounds: storyOf(attempt, outcome, next),
  finish: 'completed',
  reward: outcome === 'success' ? 1 : 0,
  ...(outcome === 'unknown' && { ungraded: ungradedBy(attempt) }),
  ...(by === 'rule' && attempt.ruled && ruledFields(attempt.ruled)),
  usage: attempt.rounds.reduce((sum, { usage }) => addUsage(sum, usage), NO_USAGE),
  startedAt: attempt.startedAt,
  finishedAt: now.toISOString(),
})

/** What an attempt says that the rules judged. */
function ruledFields(ruled: RuledVerdict): Pick<Trajectory, 'scores' | 'probation'> {
  const probation = probationOf(ruled)
  const scores = [{ name: `By the rules: ${reasonsOf(ruled)}`, value: ruled.value === 'solved' ? 1 : 0 }]
  return { scores, ...(probation !== null && { probation }) }
}

/** What is recalled for. */
export const taskOf = ({ id, instruction }: OpenAttempt, { environment }: ClientTerms, index: number) => ({
  id,
  index,
  environment,
  instruction,
  skills: [],
  payload: null,
})

/** Why nobody judged it, with what the rules suppose. */
function ungradedBy({ ruled, ending }: OpenAttempt): string {
  if (ending === 'lost') return 'the server broke off'
  const because =
    ruled === null || ruled.state === 'open' ? '' : `; supposed ${ruled.value}: ${reasonsOf(ruled)}`
  return `nobody said how it ended${because}`
}

/** The messages of a program with what was recalled: documents of its first request behind its system prompt, the rest before each request. */
export function putIn(messages: readonly ChatMessage[], puts: OpenedRequest['puts']): ChatMessage[] {
  const recalls = new Map(puts.map(({ index, recall }) => [index, recall]))
  const documents = puts.flatMap(({ recall }) => recall.parts.documents ?? [])
  const system = messages.findIndex(({ role }) => role === 'system')
  const put = messages.flatMap((message, i): readonly ChatMessage[] => {
    const recall = recalls.get(i)
    if (recall && message.role === 'user') {
      const { parts, earlier, known } = recall
      return [...earlier, { role: 'user', content: recalledText(parts) + known + message.content }]
    }
    if (i === system && message.role === 'system' && documents.length > 0)
      return [{ role: 'system', content: systemText(message.content, { documents }) }]
    return [message]
  })
  return system < 0 && documents.length > 0
    ? [{ role: 'system', content: documents.map(({ text }) => text).join('\n\n') }, ...put]
    : put
}

/** What was recalled as one marked text before the person's own; empty for nothing. */
export function recallMark({ shown, known, parts }: RecallInRequest): string {
  const documents = (shown.documents ?? []).map(({ text }) => `${text}\n\n`).join('')
  const text = `${documents}${recalledText(parts)}${known}`.trim()
  return text === '' ? '' : `${memoryMark(text)}\n\n`
}
