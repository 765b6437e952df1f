import { addUsage, NO_USAGE, type Usage } from '../../shared/domain/usage'

/** Thrown inside a planner-executor loop when its tokens or its time are used up; never leaves it. */
export class BudgetSpent extends Error {}

/** What one task may cost. */
export type Budget = ReturnType<typeof openBudget>

/** `seconds` count from now, by the machine's clock, but for the time in which calls are held. */
export function openBudget(tokens: number, seconds: number, outer?: AbortSignal) {
  const timer = new AbortController()
  let restMs = seconds * 1000
  let since = performance.now()
  let heldCount = 0
  const run = () => {
    since = performance.now()
    return setTimeout(() => {
      timer.abort()
    }, restMs)
  }
  let handle = run()
  let cost = NO_USAGE
  const late = (): BudgetSpent => new BudgetSpent(`The ${seconds} seconds for the task were used up.`)
  return {
    /** Fires when the time is up or the caller gives up. */
    signal: outer ? AbortSignal.any([outer, timer.signal]) : timer.signal,
    /** Stops the time while a call is held for somebody who waits. */
    onHeld: (isHeld: boolean) => {
      heldCount += isHeld ? 1 : -1
      if (isHeld && heldCount === 1) {
        clearTimeout(handle)
        restMs -= performance.now() - since
      } else if (!isHeld && heldCount === 0) handle = run()
    },
    /** Adds up what a model call cost. */
    spend: (usage: Usage) => {
      cost = addUsage(cost, usage)
    },
    /** Everything spent so far. */
    spent: (): Usage => cost,
    /** @throws BudgetSpent when nothing is left */
    check() {
      if (timer.signal.aborted) throw late()
      if (cost.promptTokens + cost.completionTokens >= tokens)
        throw new BudgetSpent(`The ${tokens} tokens for the task were used up.`)
    },
    /** The same error with its reason when it came of the time being up, else as it was. */
    explain: (error: unknown): unknown => (timer.signal.aborted && !outer?.aborted ? late() : error),
    close: () => {
      clearTimeout(handle)
    },
  }
}
