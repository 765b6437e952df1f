import type { PaperNotes } from '../../ground/paper-notes'
import { asInMemento, CASES, MEMENTO_DIFFERENCES, NEXT_STATE, WHOLE_BANK } from '../case-bank/paper'

/** Memento's soft Q-learning, deep and tabular, held against its paper. */
export const PAPER: PaperNotes = {
  presets: [
    asInMemento('Memento, eq. 7, 8 and 24, table 7; α, γ, η, β and K of algorithm 1 have no values there', {
      'case-bank-softq': { ...WHOLE_BANK, nextCases: 10_000 },
    }),
  ],
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
      why: 'Equations 4 and 7 lead to it, and only so α → 0 is Q-learning, as appendix A says.',
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
