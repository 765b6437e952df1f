import { z } from 'zod'
import type { ExperienceStep } from '../../../../shared/domain/experience'
import { LOG_WORDS, step, type LogFormat } from './log'
import { readRecords } from './records'
import { readLines } from '../../../ground/entries'

const learnedItemSchema = z
  .object({
    case: z.string().optional(),
    question: z.string().optional(),
    plan: z.string(),
    case_label: z.enum(['positive', 'negative']).optional(),
    reward: z.number().optional(),
  })
  .refine((entry) => (entry.case ?? entry.question ?? '').trim() !== '', { message: 'it has no question' })

const planSchema = z.object({
  plan: z.array(z.object({ id: z.union([z.number(), z.string()]), description: z.string() })),
})

/** The steps of Memento's meta plan; empty when the plan is not in its JSON form. */
function stepsOf(plan: string): ExperienceStep[] {
  try {
    const read = planSchema.safeParse(JSON.parse(plan))
    if (!read.success) return []
    return read.data.plan.map(({ description }) => step({ verb: 'delegate', content: description }))
  } catch {
    return []
  }
}

const ON_THE_WEB = /\b(?:search|brows|web|website|online|internet|google|wikipedia|url|https?)/i

/** A case whose plan goes to the web is of the web; any other is a question and its answer. */
const domainOf = (plan: string): 'web' | 'qa' => (ON_THE_WEB.test(plan) ? 'web' : 'qa')

/** Memento's case memory: `memory.jsonl` (case, plan, case_label) and the form with question and reward. */
export const memento: LogFormat = {
  id: 'memento',
  title: 'Memento case memory (JSONL)',
  writtenFor: "Memento's memory/memory.jsonl and dummy_memo.jsonl as released in 2025",
  ...LOG_WORDS,
  read: (text) =>
    readRecords(
      readLines(text),
      learnedItemSchema,
      ({ case: inputText, question, plan, case_label, reward }) => {
        const solved = reward === undefined ? case_label === 'positive' : reward > 0
        const steps = stepsOf(plan)
        return {
          question: inputText ?? question ?? '',
          framework: 'memento',
          domain: domainOf(plan),
          outcome:
            reward === undefined && case_label === undefined ? 'unknown' : solved ? 'success' : 'failure',
          steps,
          plan: steps.length > 0 ? steps.map(({ content }, i) => `${i + 1}. ${content}`).join('\n') : plan,
        }
      },
    ),
}
