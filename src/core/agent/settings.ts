import { z } from 'zod'
import { choice, defineSettings } from '../ground/settings'

const count = (most: number, normal: number, least = 1) =>
  z.number().int().min(least).max(most).default(normal)
const thinking = (title: string, help: string) =>
  choice({ fast: 'thinks fast', slow: 'thinks slowly' }, 'fast', {
    title,
    help,
    source: 'Memento, table 6',
  })

/** Planner and executor, with any method; read only where the tasks are questions. */
export const AGENT = defineSettings('agent', 'Planner and executor', {
  planner: z.boolean().default(true).meta({
    title: 'Planner and executor',
    help: 'Off, the executor answers the question alone, without a plan and without cases.',
    source: 'Memento, table 5',
  }),
  tools: z.boolean().default(true).meta({
    title: 'Tools',
    help: 'Off, the executor has none: an offline executor, which knows what its model knows.',
    source: 'Memento, table 5',
  }),
  plannerThinking: thinking('Planner', 'Slow: it thinks in words before it plans.'),
  executorThinking: thinking('Executor', 'Slow: it thinks in words before each tool call.'),
  thinkTokens: count(8192, 512).meta({
    title: 'Longest thought',
    help: 'Most tokens of one thought.',
    unit: 'tokens',
  }),
  maxCycles: count(20, 3).meta({
    title: 'Plans per task',
    help: 'After the last one the planner has to answer.',
    unit: 'plans',
    source: 'Memento, section 4.1',
  }),
  maxSubtasks: count(20, 6).meta({
    title: 'Subtasks per plan',
    help: 'Most steps of one plan.',
    unit: 'subtasks',
  }),
  maxSteps: count(50, 8).meta({
    title: 'Steps per subtask',
    help: 'Tool calls; the last step has to be the result.',
    unit: 'steps',
  }),
  tokenBudget: count(10_000_000, 100_000).meta({
    title: 'Tokens per task',
    help: 'Read and written; the task ends when they are used up.',
    unit: 'tokens',
  }),
  timeBudget: count(86_400, 600).meta({
    title: 'Time per task',
    help: 'Tools included, judging not; the task ends when it is used up.',
    unit: 'seconds',
  }),
  toolText: count(100_000, 4000, 100).meta({
    title: 'Tool text shown',
    help: 'How much of a tool’s answer the executor reads.',
    unit: 'characters',
  }),
  grade: choice(
    {
      auto: 'the judge agrees on open questions, else an exact match',
      exact: 'an exact match',
      judge: 'the judge agrees',
    },
    'auto',
    {
      title: 'Solved means',
      help: 'Open questions are for a judge, which needs a model that can judge; what it cannot judge stays ungraded. Checks of one’s own tasks always hold.',
      source: 'Memento, tables 1 to 3',
    },
  ),
  allowed: z.string().default('code, math, documents, search, captions').meta({
    title: 'Tools without asking',
    help: 'Names of tools or servers, separated by commas; “all” asks never.',
  }),
})
