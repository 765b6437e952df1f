import { number, onOff, share, whole } from '../../ground/settings'
import { sameTaskSettings } from './same-task'

/** What every learned case bank is told. `coldStart`: how much has to be known before Q counts as much as similarity; 0 trusts Q at once. */
export const learnedSettings = (
  rate: number,
  coldStart: number,
  coldStartUnit: string,
  coldStartHelp: string,
) => ({
  rate: number(0.000_01, 1, rate, {
    title: 'Learning rate η',
    help: 'How far one step moves what was learned.',
    source: 'Memento, algorithm 1',
  }),
  coldStart: number(0, 10_000, coldStart, { title: 'Cold start', help: coldStartHelp, unit: coldStartUnit }),
  candidates: whole(1, 10_000, 512, {
    title: 'Cases considered',
    help: 'The most similar ones of a task.',
    unit: 'cases',
  }),
  ...sameTaskSettings,
})

/** Learning in minibatches from a replay buffer. */
export const replaySettings = (steps: number, batch: number) => ({
  steps: whole(1, 32, steps, {
    title: 'Steps per attempt',
    help: 'How often it learns after each attempt.',
    unit: 'steps',
  }),
  batch: whole(1, 256, batch, {
    title: 'Pairs per step',
    help: 'Pairs of task and case that one step learns from.',
    unit: 'pairs',
  }),
  replay: whole(1, 100_000, 10_000, {
    title: 'Pairs remembered',
    help: 'Size of the replay buffer; the oldest go first.',
    unit: 'pairs',
  }),
})

/** Targets that look ahead, and are updated now and then. */
export const targetSettings = {
  alpha: number(0, 10, 0.02, {
    title: 'Entropy weight α',
    help: 'How evenly cases are drawn; 0 takes the best.',
    source: 'Memento, eq. 7',
  }),
  gamma: number(0, 0.99, 0.9, {
    title: 'Discount γ',
    help: 'How much what comes after a plan counts; 0 looks at each plan alone.',
    source: 'Memento, eq. 8',
  }),
  acrossTasks: onOff(false, {
    title: 'Across tasks',
    help: 'The next task counts as what comes after the last plan of a task, with a γ well below 1. Off, a task ends with its last plan.',
    source: 'Memento, s′ in eq. 8',
  }),
  nextCases: whole(1, 10_000, 4, {
    title: 'Cases of the next step',
    help: 'How many of the bank, the most similar ones, stand for all of it in what the next step is expected to bring.',
    unit: 'cases',
    source: 'Memento, M′ in eq. 8',
  }),
  period: whole(1, 10_000, 8, {
    title: 'Target update K',
    help: 'Between two updates of the target.',
    unit: 'attempts',
    source: 'Memento, algorithm 1',
  }),
  averaging: share(0.5, {
    title: 'Target averaging β',
    help: 'How much of the target stays at an update.',
    source: 'Memento, algorithm 1',
  }),
}

/** The network that judges pairs. */
export const networkSettings = {
  hidden: whole(1, 256, 8, {
    title: 'Hidden units',
    help: 'Size of the network’s hidden layer.',
    unit: 'units',
  }),
  embedding: onOff(true, {
    title: 'Read what was done',
    help: 'Also read the task and the plan of the case by the encoder, not only how alike both tasks are.',
    source: 'Memento, section 4.2',
  }),
}
