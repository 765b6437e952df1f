import type { PaperNotes } from '../../ground/paper-notes'
import { asAhead, CASES, MEMENTO_DIFFERENCES, NEXT_STATE, WHY_OVER_ALPHA } from '../case-bank/paper'

/** Memento's neural episodic control held against its paper. */
export const PAPER: PaperNotes = {
  presets: [asAhead('case-bank-nec', 'Memento, eq. 9 to 11, algorithm 1')],
  differences: [
    {
      at: 'eq. 9',
      what: 'Q is the mean of past uses of the case, weighted by the kernel',
      where: [`${CASES}/kernel.ts`, `${CASES}/episodic.ts`],
      differs:
        'The newest 16 uses of each case, a setting; a use in the very same state is left out while learning.',
      why: 'The episodic memory must not grow without end, and the kernel would only learn to find itself.',
    },
    {
      at: 'eq. 9',
      what: 'a kernel network over two states',
      where: [`${CASES}/kernel.ts`, `${CASES}/relations.ts`],
      differs: 'exp of the weighted distances of how both states are alike, with learned weights.',
      why: 'The paper leaves the network open; few weights are learned from few outcomes.',
    },
    {
      at: 'eq. 10, 11',
      what: 'TD loss by the kernel’s parameters',
      where: [`${CASES}/episodic.ts`, `${CASES}/kernel.ts`],
      differs: 'exp(Q / α), where eq. 10 prints exp(Q).',
      why: WHY_OVER_ALPHA,
    },
    NEXT_STATE,
    {
      at: 'Algorithm 1',
      what: 'episodic memory, replay buffer, target kernel',
      where: [`${CASES}/episodic.ts`, `${CASES}/target.ts`],
    },
    ...MEMENTO_DIFFERENCES,
  ],
}
