import { finiteValues, mean } from './mean'

/** What one attempt took; `rounds` and `toolCalls` null when they were not recorded. */
export interface AttemptCost {
  readonly rounds: number | null
  readonly toolCalls: number | null
  readonly promptTokens: number
  readonly completionTokens: number
}

/** Means per attempt. */
export interface CostPerTask {
  /** Rounds; null when none is known. */
  readonly steps: number | null
  readonly toolCalls: number | null
  /** Prompt and completion tokens, those of building shared out; null for no attempts. */
  readonly tokens: number | null
}

const tokensOf = ({ promptTokens, completionTokens }: AttemptCost): number => promptTokens + completionTokens

/**
 * Mean rounds, tool calls and tokens (prompt and completion) per attempt, over those where each is known. `building` is what a memory took that
 * was built for these attempts outside of any (BREW's search): every attempt bears the same share of it. Default 0.
 */
export const costPerTask = (attempts: readonly AttemptCost[], building = 0): CostPerTask => ({
  steps: mean(finiteValues(attempts.map(({ rounds }) => rounds))),
  toolCalls: mean(finiteValues(attempts.map(({ toolCalls }) => toolCalls))),
  tokens: mean(attempts.map((attempt) => tokensOf(attempt) + building / attempts.length)),
})

/** The part of a finished step that says what it cost. */
export interface CostedStep {
  readonly reward: 0 | 1
  /** Set when no attempt was made, because an earlier pass had solved the task. */
  readonly carried?: boolean | undefined
  readonly usage: { readonly promptTokens: number; readonly completionTokens: number }
  readonly rounds?: number | undefined
  readonly toolCalls?: number | undefined
}

/** What an attempt cost. */
export const attemptCost = ({ usage, rounds, toolCalls }: CostedStep): AttemptCost => ({
  promptTokens: usage.promptTokens,
  completionTokens: usage.completionTokens,
  rounds: rounds ?? null,
  toolCalls: toolCalls ?? null,
})

/** What solved and failed attempts cost apart (BREW's efficiency claim); null where there were none. Carried ones do not count. */
export function costsByOutcome(steps: readonly CostedStep[]) {
  const costOf = (reward: 0 | 1) => {
    const own = steps.filter((step) => step.reward === reward && step.carried !== true)
    return own.length === 0 ? null : { tasks: own.length, ...costPerTask(own.map(attemptCost)) }
  }
  return { solvedCost: costOf(1), failedCost: costOf(0) }
}
