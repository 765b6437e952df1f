import type { QuestionFigures, QuestionStep } from '../domain/question-figures'
import type { Usage } from '../domain/usage'
import { finiteValues, mean, sum } from './mean'

/** A finished step of a run, as far as its figures need it. */
export interface FiguredStep {
  readonly usage: Usage
  readonly question?: QuestionStep | undefined
}

type Asked = FiguredStep & { readonly question: QuestionStep }

const meanOf = (steps: readonly Asked[], of: (step: Asked) => number): number => mean(steps.map(of)) ?? 0

function graded(steps: readonly Asked[]) {
  const grades = steps.flatMap(({ question }) => (question.grades ? [question.grades] : []))
  return {
    n: steps.length,
    graded: grades.length,
    em: mean(grades.map(({ em }) => em)),
    f1: mean(grades.map(({ f1 }) => f1)),
    pm: mean(finiteValues(grades.map(({ pm }) => pm))),
  }
}

/** Groups in order of their key; numbers by size, null last. */
function groups<K extends string | number | null>(
  steps: readonly Asked[],
  key: (step: Asked) => K,
): [K, Asked[]][] {
  const matchesMap = new Map<K, Asked[]>()
  for (const step of steps) matchesMap.set(key(step), [...(matchesMap.get(key(step)) ?? []), step])
  const order = (value: K): string | number => value ?? Number.POSITIVE_INFINITY
  return [...matchesMap].sort(([a], [b]) => (order(a) < order(b) ? -1 : order(a) > order(b) ? 1 : 0))
}

const callsIn = ({ question }: Asked): number => sum(question.tools.map(({ calls }) => calls))

/** What was called in all of them, most used first; milliseconds summed. */
function toolsOf(steps: readonly Asked[]) {
  const tools = new Map<string, { tool: string; calls: number; failed: number; ms: number }>()
  for (const use of steps.flatMap(({ question }) => question.tools)) {
    const so = tools.get(use.tool) ?? { tool: use.tool, calls: 0, failed: 0, ms: 0 }
    tools.set(use.tool, {
      tool: use.tool,
      calls: so.calls + use.calls,
      failed: so.failed + use.failed,
      ms: so.ms + use.ms,
    })
  }
  return [...tools.values()].sort((a, b) => b.calls - a.calls || (a.tool < b.tool ? -1 : 1))
}

/** Figures of a run's questions; null when it had none. */
export function questionFigures(all: readonly FiguredStep[]): QuestionFigures | null {
  const steps = all.filter((step): step is Asked => step.question !== undefined)
  if (steps.length === 0) return null
  const references = steps.filter(({ question }) => question.dataset !== null)
  const datasets = groups(references, ({ question }) => question.dataset ?? '').map(([dataset, group]) => ({
    dataset,
    ...graded(group),
  }))
  const whole = graded(steps)
  return {
    ...whole,
    macroF1: datasets.length === 0 ? whole.f1 : mean(finiteValues(datasets.map(({ f1 }) => f1))),
    datasets,
    levels: groups(steps, ({ question }) => question.level).map(([level, group]) => ({
      level,
      ...graded(group),
      promptTokens: meanOf(group, ({ usage }) => usage.promptTokens),
      completionTokens: meanOf(group, ({ usage }) => usage.completionTokens),
      toolCalls: meanOf(group, callsIn),
      tools: toolsOf(group).map(({ tool, calls }) => ({ tool, calls: calls / group.length })),
    })),
    tools: toolsOf(steps).map(({ ms, ...sum }) => ({ ...sum, ms: ms / sum.calls })),
    plansPerTask: meanOf(steps, ({ question }) => question.plans),
    subtasksPerTask: meanOf(steps, ({ question }) => question.subtasks),
  }
}
