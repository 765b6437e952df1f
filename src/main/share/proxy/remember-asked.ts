import { correctedIn } from '../../../core/memory/facts/corrected'
import { rememberedIn } from '../../../core/memory/facts/statement'
import { isComplaint } from '../../../core/verdict/person-signs'
import { createAgentMemory } from '../agent-memory'
import type { OpenAttempt } from './open-attempts'
import type { Asked } from './request'

/** How a program instructs its model in the person's name: that is no fact. */
const TO_MODEL = /^your?\b/i

/**
 * Keeps what a person's message asks to be remembered as facts, beside what programs wrote: a person sees them there and takes them back. Where a
 * person said otherwise in Loam itself, they wait; so does what a message says that the answer before it should have been. `earlier`: the person's
 * messages before it, oldest first.
 */
export async function rememberAsked(
  { instruction }: Pick<OpenAttempt, 'instruction'>,
  earlier: readonly string[],
  { client, terms: { memory } }: Pick<Asked, 'client' | 'terms'>,
  services: Parameters<typeof createAgentMemory>[1],
): Promise<void> {
  const statements = rememberedIn(instruction) ?? []
  const correction = statements.length === 0 ? correctedIn(earlier, instruction, isComplaint) : null
  const all = correction === null ? statements : [correction]
  if (all.some((one) => TO_MODEL.test(one))) return
  const { remember } = createAgentMemory(memory, services, { write: true, hold: correction !== null })
  for (const statement of all) await remember({ statement }, client)
}
