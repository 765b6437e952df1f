import { z } from 'zod'
import { sameTaskSettings } from './same-task'

/** What every learned case bank is told. `coldStart`: how much has to be known before Q counts as much as similarity; 0 trusts Q at once. */
export const learnedSettings = (
  rate: number,
  coldStart: number,
  coldStartUnit: string,
  coldStartHelp: string,
) => ({
  rate: z.number().min(0.000_01).max(1).default(rate).meta({
    title: 'Learning rate η',
    help: 'How far one step moves what was learned.',
    source: 'Memento, algorithm 1',
  }),
  coldStart: z
    .number()
    .min(0)
    .max(10_000)
    .default(coldStart)
    .meta({ title: 'Cold start', help: coldStartHelp, unit: coldStartUnit }),
  candidates: z
    .number()
    .int()
    .min(1)
    .max(10_000)
    .default(512)
    .meta({ title: 'Cases considered', help: 'The most similar ones of a task.', unit: 'cases' }),
  ...sameTaskSettings,
})

/** Learning in minibatches from a replay buffer. */
export const replaySettings = (steps: number, batch: number) => ({
  steps: z
    .number()
    .int()
    .min(1)
    .max(32)
    .default(steps)
    .meta({ title: 'Steps per attempt', help: 'How often it learns after each attempt.', unit: 'steps' }),
  batch: z.number().int().min(1).max(256).default(batch).meta({
    title: 'Pairs per step',
    help: 'Pairs of task and case that one step learns from.',
    unit: 'pairs',
  }),
  replay: z.number().int().min(1).max(100_000).default(10_000).meta({
    title: 'Pairs remembered',
    help: 'Size of the replay buffer; the oldest go first.',
    unit: 'pairs',
  }),
})

/** Targets that look ahead, and are updated now and then. */
export const targetSettings = {
  alpha: z.number().min(0).max(10).default(0.02).meta({
    title: 'Entropy weight α',
    help: 'How evenly cases are drawn; 0 takes the best.',
    source: 'Memento, eq. 7',
  }),
  gamma: z.number().min(0).max(0.99).default(0.9).meta({
    title: 'Discount γ',
    help: 'How much what comes after a plan counts; 0 looks at each plan alone.',
    source: 'Memento, eq. 8',
  }),
  acrossTasks: z.boolean().default(false).meta({
    title: 'Across tasks',
    help: 'The next task counts as what comes after the last plan of a task, with a γ well below 1. Off, a task ends with its last plan.',
    source: 'Memento, s′ in eq. 8',
  }),
  nextCases: z.number().int().min(1).max(10_000).default(4).meta({
    title: 'Cases of the next step',
    help: 'How many of the bank, the most similar ones, stand for all of it in what the next step is expected to bring.',
    unit: 'cases',
    source: 'Memento, M′ in eq. 8',
  }),
  period: z.number().int().min(1).max(10_000).default(8).meta({
    title: 'Target update K',
    help: 'Between two updates of the target.',
    unit: 'attempts',
    source: 'Memento, algorithm 1',
  }),
  averaging: z.number().min(0).max(1).default(0.5).meta({
    title: 'Target averaging β',
    help: 'How much of the target stays at an update.',
    source: 'Memento, algorithm 1',
  }),
}

/** The network that judges pairs. */
export const networkSettings = {
  hidden: z
    .number()
    .int()
    .min(1)
    .max(256)
    .default(8)
    .meta({ title: 'Hidden units', help: 'Size of the network’s hidden layer.', unit: 'units' }),
  embedding: z.boolean().default(true).meta({
    title: 'Read what was done',
    help: 'Also read the task and the plan of the case by the encoder, not only how alike both tasks are.',
    source: 'Memento, section 4.2',
  }),
}
