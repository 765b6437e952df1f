import { rememberedIn } from '../../../core/memory/facts/statement'
import { createAgentMemory } from '../agent-memory'
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
  services: Parameters<typeof createAgentMemory>[1],
): Promise<void> {
  const statements = rememberedIn(instruction) ?? []
  if (statements.some((one) => TO_MODEL.test(one))) return
  const { remember } = createAgentMemory(memory, services, { write: true })
  for (const statement of statements) await remember({ statement }, client)
}
