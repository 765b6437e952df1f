import { applyPlanEvent, type PlanCycle, type PlanEvent, type Subtask } from '../../shared/domain/plan'
import { NO_USAGE } from '../../shared/domain/usage'
import { BudgetSpent, openBudget, type Budget } from '../ground/budget'
import { newSubtask, noResult, runSubtask, TOO_LONG } from './executor'
import type { Finish } from '../../shared/domain/trajectory'
import type { LoopInput, LoopResult } from './planner-executor'

function endOf(
  { problem }: Subtask,
  maxSteps: number,
  budget: Budget,
): Pick<LoopResult, 'finish' | 'reason'> {
  if (problem === null) return { finish: 'completed', reason: null }
  const why = (): Finish => {
    if (problem === TOO_LONG) return 'context-overflow'
    if (problem === noResult(maxSteps)) return 'round-limit'
    try {
      budget.check()
      return 'invalid-action'
    } catch (error) {
      if (error instanceof BudgetSpent) return 'budget'
      throw error
    }
  }
  return { finish: why(), reason: problem }
}

/**
 * Memento's online and offline executors (table 5): one executor answers the question alone, without planner and cases, with the tools it is given
 * or with none. The attempt is one turn with the question as its only subtask and what the executor reports as the answer.
 *
 * Rejects as `runPlannerExecutor` does.
 */
export async function runExecutorAlone(input: LoopInput): Promise<LoopResult> {
  const { limits } = input
  const budget = openBudget(limits.tokenBudget, limits.timeBudget, input.signal)
  let cycles: PlanCycle[] = []
  const tell = (event: PlanEvent): void => {
    cycles = applyPlanEvent(cycles, event)
    input.onEvent?.(event)
  }
  const request = newSubtask(1, input.question)
  const turn: PlanCycle = {
    ...{ index: 0, reply: '', repaired: null, thought: null, answer: null, usage: NO_USAGE },
    subtasks: [{ ...request, status: 'working' }],
  }
  tell({ kind: 'planned', cycle: turn })
  try {
    const report = input.hear?.() ?? ''
    const ending = await runSubtask(request, {
      role: input.executor,
      systemPrompt: input.plannerPrompt,
      tools: input.tools,
      background: [input.recalled.trim(), input.context, report].filter((text) => text !== '').join('\n\n'),
      maxSteps: limits.maxSteps,
      toolText: limits.toolText,
      budget,
      called: 'The question',
      onCall: (call) => {
        tell({ kind: 'call', cycle: 0, subtaskId: request.id, call })
      },
    })
    const answer = ending.status === 'done' ? ending.result : null
    tell({ kind: 'planned', cycle: { ...turn, reply: answer ?? '', answer, subtasks: [ending] } })
    return { cycles, answer, ...endOf(ending, limits.maxSteps, budget), usage: budget.spent() }
  } finally {
    budget.close()
  }
}
