import { presentAttempts } from '../../../core/agent/earlier-turns'
import { knownText, knownTurns } from '../../../core/agent/known-facts'
import type { ChatMessage } from '../../../core/ground/chat'
import { NOTHING_RECALLED, type PromptParts, type RecalledPart } from '../../../core/ground/method'
import type { MemoryStore } from '../../../core/ground/ports'
import { CASE_KIND } from '../../../core/memory/cases/kind'
import { FACT_KIND } from '../../../core/memory/facts/fact'
import { USUAL_FACT_FORM, type ModelProfile } from '../../../shared/domain/model-profile'
import type { Task } from '../../../shared/domain/task'

/** What is recalled as it stands in a request. */
export interface RecallInRequest {
  /** What stands there as methods show it. */
  readonly parts: PromptParts
  /** Turns before the task. */
  readonly earlier: readonly ChatMessage[]
  /** Facts as a list before the task; empty for none. */
  readonly known: string
  /** All of it, each with its text. */
  readonly shown: PromptParts
}

export const NOTHING_IN_REQUEST: RecallInRequest = {
  ...{ parts: NOTHING_RECALLED, earlier: [], known: '', shown: NOTHING_RECALLED },
}

/** A fact, or what a person said is right of an attempt, which stands where facts do. */
const isFact = ({ item }: RecalledPart): boolean => item.kind === FACT_KIND || item.kind === CASE_KIND

/**
 * What was recalled, in the forms that are known of the model that reads it, else in the usual ones. Where the request offers tools,
 * attempts stay retold: as turns they would show calls as text.
 */
export async function showRecalled(
  parts: PromptParts,
  {
    profile,
    tools = [],
  }: { readonly profile: ModelProfile | null; readonly tools?: readonly unknown[] | undefined },
  task: Pick<Task, 'environment' | 'instruction'>,
  bank: Pick<MemoryStore, 'trajectory'>,
): Promise<RecallInRequest> {
  const form = profile?.facts.choice ?? profile?.facts.form ?? USUAL_FACT_FORM
  const attemptForm = profile?.attempts.choice ?? profile?.attempts.form
  const attempts = (tools.length > 0 ? null : attemptForm) ?? 'text'
  // Methods put what fits best last.
  const facts = [...parts.errorLessons, ...parts.successLessons]
    .filter(isFact)
    .toReversed()
    .slice(0, form.most)
  const rest = {
    ...parts,
    errorLessons: parts.errorLessons.filter((part) => !isFact(part)),
    successLessons: parts.successLessons.filter((part) => !isFact(part)),
  }
  const presented = await presentAttempts(rest, { attempts }, task, bank)
  const own = { ...NOTHING_RECALLED, retrieved: facts }
  return {
    parts: presented.parts,
    earlier: [...presented.earlier, ...knownTurns(own, form)],
    known: knownText(own, form),
    shown: { ...presented.shown, successLessons: [...presented.shown.successLessons, ...facts] },
  }
}
