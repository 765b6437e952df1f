import { LooseJson } from '../../ground/replies/loose-json'
import { takeThoughts } from '../../ground/replies/thoughts'
import { isRecord } from '../../ground/record'

/** How `dialogText` begins what the agent wrote, and what it was answered. */
const AGENT = 'Agent: '
const OTHERS = ['User: ', 'Tool: ', 'Environment: ', 'Database: ']
/** What agents of several worlds put before what they give as their answer. */
const FINAL = 'final answer:'

/**
 * What a case's agent answered, on one line: the last that it wrote, behind "Final Answer:" where it says that; of a plan, its steps; of text that a
 * person put in its place, that text. Empty where there is nothing.
 */
export function caseAnswer(plan: string): string {
  const lines = plan.split('\n')
  const start = lines.findLastIndex((line) => line.startsWith(AGENT))
  if (start < 0) return stepsOf(plan) ?? oneLine(plan)
  const rest = lines.slice(start + 1).findIndex((line) => OTHERS.some((other) => line.startsWith(other)))
  const turn = lines
    .slice(start, rest < 0 ? undefined : start + 1 + rest)
    .join('\n')
    .slice(AGENT.length)
  const { text } = takeThoughts(turn)
  const final = text.toLowerCase().lastIndexOf(FINAL)
  return oneLine(final < 0 ? text : text.slice(final + FINAL.length))
}

/** Whether an attempt was an answer and nothing else: no tool, and no world that said anything. */
export const isBareAnswer = (plan: string): boolean =>
  plan.startsWith(AGENT) && !plan.split('\n').some((line) => OTHERS.some((other) => line.startsWith(other)))

const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim()

/** The steps of a plan as Memento writes it; null where it is none. */
function stepsOf(plan: string): string | null {
  const value = plan.startsWith('{') ? new LooseJson(plan).at(0)?.value : undefined
  const steps = isRecord(value) ? value['plan'] : undefined
  if (!Array.isArray(steps)) return null
  return steps.map((step: unknown) => (isRecord(step) ? String(step['description'] ?? '') : '')).join('; ')
}
