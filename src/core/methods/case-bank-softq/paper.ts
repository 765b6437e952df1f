import type { PaperNotes } from '../../ground/paper-notes'
import { asAhead, CASES, MEMENTO_DIFFERENCES, NEXT_STATE, WHY_OVER_ALPHA } from '../case-bank/paper'

/** Memento's soft Q-learning, deep and tabular, held against its paper. */
export const PAPER: PaperNotes = {
  presets: [asAhead('case-bank-softq', 'Memento, eq. 7, 8 and 24, table 7')],
  differences: [
    {
      at: 'eq. 7',
      what: 'cases are drawn from exp(Q / α)',
      where: [`${CASES}/policy.ts`, `${CASES}/learner.ts`],
      differs: 'K cases are drawn without replacement (Gumbel top-k), where eq. 7 draws one.',
      why: 'K = 4 is the paper’s own setting.',
    },
    {
      at: 'eq. 8, 10, 24',
      what: 'the target r + γ α log Σ exp(Q / α) over M′',
      where: [`${CASES}/policy.ts`, `${CASES}/deep-q.ts`, `${CASES}/tabular-q.ts`],
      differs: 'exp(Q / α), where the equations print exp(Q).',
      why: WHY_OVER_ALPHA,
    },
    {
      at: 'eq. 8',
      what: 'M′ is the whole bank',
      where: [`${CASES}/learner.ts`],
      differs: 'By default its 4 nearest cases; the preset takes up to 10,000.',
      why: 'The whole bank costs a pass of the network per case, step and write.',
    },
    NEXT_STATE,
    {
      at: 'Algorithm 1',
      what: 'target network, replay buffer, update period and averaging',
      where: [`${CASES}/target.ts`, `${CASES}/replay.ts`],
    },
    ...MEMENTO_DIFFERENCES,
  ],
}
