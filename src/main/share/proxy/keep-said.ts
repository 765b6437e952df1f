import type { Clock } from '../../../core/ground/ports'
import { rememberedIn } from '../../../core/memory/facts/statement'
import { memorySourceOf } from '../../items/memory-items'
import type { StoredMemory } from '../../memory-store/memory'
import { createAgentFacts } from '../agent-facts'
import { proposalsOf } from '../proposals'
import type { OpenAttempt } from './open-attempts'

const mayWrite = (): void => undefined

/**
 * Keeps what a message asks to be remembered, a fact each, as told by the program that brought it: what the person said otherwise in Loam stays until
 * they decide. Nothing for any other message.
 */
export async function keepSaid(
  { client, instruction }: Pick<OpenAttempt, 'client' | 'instruction'>,
  memory: StoredMemory,
  clock: Clock,
): Promise<void> {
  const statements = rememberedIn(instruction) ?? []
  if (statements.length === 0) return
  const source = memorySourceOf(memory)
  const { keep } = proposalsOf(memory, source, clock, false, mayWrite)
  const facts = createAgentFacts(memory, source, clock, null, { mayWrite, keep })
  for (const statement of statements) await facts.remember({ statement }, client)
}
