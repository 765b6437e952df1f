import type { PaperNotes } from '../../ground/paper-notes'
import { MEMENTO_BENCHMARKS, MEMENTO_DIFFERENCES } from '../case-bank/paper'

/** Memento's neural episodic control held against its paper. */
export const PAPER: PaperNotes = {
  presets: [
    {
      id: 'paper',
      title: 'As in the paper',
      source: 'Memento, eq. 9 to 11, algorithm 1; α, γ, η, β and K of algorithm 1 have no values there',
      k: 4,
      settings: {
        'case-bank-nec': { coldStart: 0, candidates: 10_000, nextCases: 10_000, perTask: 'all' },
      },
      benchmarks: MEMENTO_BENCHMARKS,
    },
  ],
  differences: [
    {
      at: 'eq. 9',
      what: 'Q is the mean of past uses of the case, weighted by the kernel',
      where: ['src/core/memory/cases/kernel.ts', 'src/core/memory/cases/episodic.ts'],
      differs:
        'The newest 16 uses of each case, a setting; a use in the very same state is left out while learning.',
      why: 'The episodic memory must not grow without end, and the kernel would only learn to find itself.',
    },
    {
      at: 'eq. 9',
      what: 'a kernel network over two states',
      where: ['src/core/memory/cases/kernel.ts', 'src/core/memory/cases/relations.ts'],
      differs: 'exp of the weighted distances of how both states are alike, with learned weights.',
      why: 'The paper leaves the network open; few weights are learned from few outcomes.',
    },
    {
      at: 'eq. 10, 11',
      what: 'TD loss by the kernel’s parameters',
      where: ['src/core/memory/cases/episodic.ts', 'src/core/memory/cases/kernel.ts'],
      differs: 'exp(Q / α), where eq. 10 prints exp(Q).',
      why: 'Equations 4 and 7 lead to it, and only so α → 0 is Q-learning, as appendix A says.',
    },
    {
      at: 's′ in eq. 8',
      what: 'the state after a plan was carried out',
      where: ['src/core/memory/cases/steps.ts', 'src/core/memory/cases/learner.ts'],
      differs:
        'Cases are recalled once, before the first plan, and count for every plan of the task; a task ends with its last plan. In worlds without plans a task is one step.',
      why: 'The released code asks its memory once per task as well. A setting lets the next task follow.',
    },
    {
      at: 'Algorithm 1',
      what: 'episodic memory, replay buffer, target kernel',
      where: ['src/core/memory/cases/episodic.ts', 'src/core/memory/cases/target.ts'],
    },
    ...MEMENTO_DIFFERENCES,
  ],
}
