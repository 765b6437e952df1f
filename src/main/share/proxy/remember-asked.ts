import type { Clock } from '../../../core/ground/ports'
import { rememberedIn } from '../../../core/memory/facts/statement'
import { createAgentFacts } from '../agent-facts'
import { proposalsOf } from '../proposals'
import type { OpenAttempt } from './open-attempts'
import type { Asked } from './request'

/** How a program instructs its model in the person's name: that is no fact. */
const TO_MODEL = /^your?\b/i

/**
 * Keeps what a person's message asks to be remembered as facts, beside what programs wrote: a person sees them there and takes them back. Where a
 * person said otherwise in Loam itself, they wait.
 */
export async function rememberAsked(
  { instruction }: Pick<OpenAttempt, 'instruction'>,
  { client, terms: { memory } }: Pick<Asked, 'client' | 'terms'>,
  clock: Clock,
): Promise<void> {
  const statements = rememberedIn(instruction) ?? []
  const source = memory.memorySource
  if (source === undefined || statements.some((one) => TO_MODEL.test(one))) return
  const mayWrite = (): void => undefined
  const { keep } = proposalsOf(memory, source, clock, false, mayWrite)
  const facts = createAgentFacts(memory, source, clock, null, { mayWrite, keep })
  for (const statement of statements) await facts.remember({ statement }, `memory proxy for ${client}`)
}
