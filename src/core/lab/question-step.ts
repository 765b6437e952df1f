import { callsOf } from '../../shared/domain/plan'
import type { QuestionStep } from '../../shared/domain/question-figures'
import type { Trajectory } from '../../shared/domain/trajectory'

/** What a run keeps of an attempt at a question; undefined for other attempts. */
export function questionStepOf({ question, cycles = [], ungraded }: Trajectory): QuestionStep | undefined {
  if (!question) return undefined
  const tools = new Map<string, QuestionStep['tools'][number]>()
  for (const { tool, answer } of callsOf(cycles)) {
    const record = tools.get(tool) ?? { tool, calls: 0, failed: 0, ms: 0 }
    tools.set(tool, {
      tool,
      calls: record.calls + 1,
      failed: record.failed + (answer?.failed === false ? 0 : 1),
      ms: record.ms + (answer?.wallMs ?? 0),
    })
  }
  const { level, dataset, grades } = question
  return {
    level,
    dataset,
    grades: grades && ungraded === undefined ? { em: grades.em, f1: grades.f1, pm: grades.pm } : null,
    plans: cycles.filter(({ subtasks }) => subtasks.length > 0).length,
    subtasks: cycles.reduce((sum, { subtasks }) => sum + subtasks.length, 0),
    tools: [...tools.values()],
  }
}
