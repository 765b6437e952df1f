import { addUsage, NO_USAGE, type Usage } from '../../shared/domain/usage'
import type { DeclaredConstraint } from './constraint'
import type { ChatMessage, GenerateResult, LanguageModel } from './ports'
import type { Sampling } from './chat'
import type { Budget } from './budget'

/** Planner or executor: a model and how it is asked. */
export interface AgentRole {
  readonly model: LanguageModel
  /** Fast replies at once; slow first thinks in words, at most `thinkTokens` of them (Memento's table 6). */
  readonly thinking: 'fast' | 'slow'
  readonly thinkTokens: number
  readonly maxTokens: number
  readonly temperature: number
  /** How tokens are drawn where the temperature is above 0. Default: the program's own. */
  readonly sampling?: Sampling
  /** The seed of the next model call of the attempt. */
  nextSeed(): number
  /** Which call of the attempt the next one is; asked for after its seed. Default: not told. */
  about?(): { readonly task: string; readonly call: number }
  readonly onToken?: (text: string) => void
}

/** A reply, and the thought before it; null with fast thinking. */
export interface Asked {
  readonly reply: GenerateResult
  readonly thought: string | null
  readonly usage: Usage
}

const THINK =
  'Before you reply: think it through in a few plain sentences. What is known, what is missing, and what is the best next move? Do not write the reply yet.'

/** The dialog with one more thing said by the user; two in a row become one, since many chat templates want turns. */
export function say(messages: readonly ChatMessage[], content: string): ChatMessage[] {
  const last = messages.at(-1)
  if (last?.role !== 'user') return [...messages, { role: 'user', content }]
  return [...messages.slice(0, -1), { ...last, content: `${last.content}\n\n${content}` }]
}

/**
 * The form, where the model can be held to it. Most servers have JSON schemas and no grammars; who asks reads replies that are off their form, and
 * asks again.
 */
const heldBy = ({ can }: LanguageModel, constraint: DeclaredConstraint): DeclaredConstraint | null => {
  if (can === undefined || can.constraint === 'grammar') return constraint
  return can.constraint === 'none' || constraint.kind === 'gbnf' ? null : constraint
}

/**
 * Asks for a reply in a given form. Slow thinking is a call of its own without a form, whose text then stands before the
 * reply: that way it works with every model, also those that a form would keep from thinking.
 *
 * Rejects with BudgetSpent, with what the model rejects with, and with an AbortError when the budget's signal fires.
 */
export async function ask(
  role: AgentRole,
  messages: readonly ChatMessage[],
  constraint: DeclaredConstraint | null,
  budget: Budget,
): Promise<Asked> {
  const options = {
    signal: budget.signal,
    onHeld: budget.onHeld,
    ...(role.onToken && { onToken: role.onToken }),
  }
  const call = async (
    askedMessages: readonly ChatMessage[],
    maxTokens: number,
    form: DeclaredConstraint | null,
  ) => {
    budget.check()
    const result = await role.model.generate(
      {
        messages: askedMessages,
        temperature: role.temperature,
        stopLoops: true,
        ...(role.sampling && { sampling: role.sampling }),
        seed: role.nextSeed(),
        maxTokens,
        ...(role.about && { about: role.about() }),
        ...(form && { constraint: form }),
      },
      options,
    )
    budget.spend(result.usage)
    return result
  }
  let usage = NO_USAGE
  let thought: string | null = null
  let askedRequest = messages
  if (role.thinking === 'slow') {
    const question = say(messages, THINK)
    const thinking = await call(question, role.thinkTokens, null)
    usage = addUsage(usage, thinking.usage)
    thought = thinking.text.trim()
    askedRequest = [
      ...question,
      { role: 'assistant', content: thought },
      { role: 'user', content: 'Now write the reply, in its form and nothing else.' },
    ]
  }
  const reply = await call(askedRequest, role.maxTokens, constraint && heldBy(role.model, constraint))
  return { reply, thought, usage: addUsage(usage, reply.usage) }
}
