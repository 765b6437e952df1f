import { choice, defineSettings, onOff, text, whole } from '../ground/settings'

const thinking = (title: string, help: string) =>
  choice({ fast: 'thinks fast', slow: 'thinks slowly' }, 'fast', {
    title,
    help,
    source: 'Memento, table 6',
  })

/** Planner and executor, with any method; read only where the tasks are questions. */
export const AGENT = defineSettings('agent', 'Planner and executor', {
  direct: choice(
    { auto: 'as suits the model', on: 'in one reply', off: 'with planner and executor' },
    'auto',
    {
      title: 'Answers',
      help: 'In one reply: with what is recalled, without plan and tools, as suits models that use tools badly. Questions with files are planned all the same.',
    },
  ),
  planner: onOff(true, {
    title: 'Planner and executor',
    help: 'Off, the executor answers the question alone, without a plan and without cases.',
    source: 'Memento, table 5',
  }),
  tools: onOff(true, {
    title: 'Tools',
    help: 'Off, the executor has none: an offline executor, which knows what its model knows.',
    source: 'Memento, table 5',
  }),
  plannerThinking: thinking('Planner', 'Slow: it thinks in words before it plans.'),
  executorThinking: thinking('Executor', 'Slow: it thinks in words before each tool call.'),
  thinkTokens: whole(1, 8192, 512, {
    title: 'Longest thought',
    help: 'Most tokens of one thought.',
    unit: 'tokens',
  }),
  planFirst: onOff(true, {
    title: 'Plan first',
    help: 'Off, the planner may answer at once, which small models always do.',
    source: 'Memento, section 4.1',
  }),
  maxCycles: whole(1, 20, 3, {
    title: 'Plans per task',
    help: 'After the last one the planner has to answer.',
    unit: 'plans',
    source: 'Memento, section 4.1',
  }),
  maxSubtasks: whole(1, 20, 6, {
    title: 'Subtasks per plan',
    help: 'Most steps of one plan.',
    unit: 'subtasks',
  }),
  maxSteps: whole(1, 50, 8, {
    title: 'Steps per subtask',
    help: 'Tool calls; the last step has to be the result.',
    unit: 'steps',
  }),
  tokenBudget: whole(1, 10_000_000, 100_000, {
    title: 'Tokens per task',
    help: 'Read and written; the task ends when they are used up.',
    unit: 'tokens',
  }),
  timeBudget: whole(1, 86_400, 600, {
    title: 'Time per task',
    help: 'Tools included, judging not; the task ends when it is used up.',
    unit: 'seconds',
  }),
  toolText: whole(100, 100_000, 4000, {
    title: 'Tool text shown',
    help: 'How much of a tool’s answer the executor reads.',
    unit: 'characters',
  }),
  grade: choice(
    {
      auto: 'the judge agrees on open questions, else an exact match',
      stated: 'the answer states the known one, without a judge',
      exact: 'an exact match',
      judge: 'the judge agrees',
    },
    'auto',
    {
      title: 'Solved means',
      help: 'Open questions are for a judge, which needs a model that can judge; under one that is too small, an answer that states the known one is solved. What cannot be judged stays ungraded. Checks of one’s own tasks always hold.',
      source: 'Memento, tables 1 to 3',
    },
  ),
  told: choice({ reward: 'whether it was right', answer: 'the known answer, where it was wrong' }, 'reward', {
    title: 'Told after an answer',
    help: 'What memory hears. With the known answer it learns the question as it should have been answered, as from a correction of yours: for a model that would get none right by itself.',
  }),
  allowed: text('code, math, documents, search, captions', {
    title: 'Tools without asking',
    help: 'Names of tools or servers, separated by commas; “all” asks never.',
  }),
})
