import type { PaperNotes } from '../../ground/paper-notes'
import { asInMemento, CASES, MEMENTO_DIFFERENCES, WHOLE_BANK } from '../case-bank/paper'

/** Memento's parametric case memory held against its paper. */
export const PAPER: PaperNotes = {
  presets: [
    asInMemento('Memento, eq. 15 and 16, section 5.3, table 3', {
      'case-bank-q': { ...WHOLE_BANK, embedding: true },
    }),
  ],
  differences: [
    {
      at: 'eq. 14',
      what: 'one step per task: no next state',
      where: [`${CASES}/parametric.ts`],
    },
    {
      at: 'eq. 15, 26',
      what: 'cross-entropy of Q(s, c) against the reward, from a replay buffer',
      where: [`${CASES}/parametric.ts`, `${CASES}/network.ts`],
      differs:
        'Each recalled case of an attempt is one sample with the attempt’s reward; AdamW in place of plain descent.',
      why: 'K cases are recalled at once and the reward does not say which of them helped.',
    },
    {
      at: 'eq. 16',
      what: 'the K of largest Q',
      where: [`${CASES}/learner.ts`, `${CASES}/selector.ts`],
      differs:
        'By default Q counts for as much as it has seen and similarity for the rest, among the 512 nearest; the preset turns both off.',
      why: 'A network that has seen nothing recalls at random.',
    },
    {
      at: 'Section 5.3',
      what: 'a two-layer network over the sentence vectors',
      where: [`${CASES}/trained-network.ts`, `${CASES}/pool.ts`],
      differs:
        'Two of them: one reads how alike both states are, the other what state and plan say, the plan as seen from the middle of all plans; what has foretold outcomes better is heard more.',
      why: 'From a few hundred outcomes alone vectors are not learned from fast enough, and an embedding model puts all plans near one another.',
    },
    ...MEMENTO_DIFFERENCES,
  ],
  claims: [
    {
      at: 'Section 4.2',
      claim: 'the network learns which cases are worth recalling',
      here: 'Where the plan decides a case’s worth, first choices that are useful after 200 writes, ten streams: by word matcher .99 (K = 1) and .97 (K = 4), by a static embedding model of 64 numbers .98 and .89; without reading plans, by the encoder, .31 and .50 (K = 4, two streams). On house-rules worlds 541, 542 and 543, where plans tell little: 86.4 with plans read, 86.9 without, 86.9 for the plain case bank, 120 tasks each, one seed.',
      tuned: 'nothing on the worlds that is written down; the streams were made to ask this one question',
      results: 'docs/results/memento.md',
    },
    {
      at: 'Table 4',
      claim:
        'learned Q is ahead of plain cases in each of five iterations: 80.46, 82.84, 84.10, 84.85, 85.44 against 79.84, 81.87, 83.09, 84.03, 84.85',
      here: 'house-rules-mix, 50 tasks, 2 seeds: 63.0, 82.0, 85.0, 89.0, 95.0 against 61.0, 83.0, 84.0, 84.0, 84.0; without the task’s own attempts 74.0 against 67.0 in the fifth',
      tuned:
        'the share between the demo model’s weights was chosen on house-rules-a, whose world is one of the three in this stream',
      study: 'memento-iterations',
      results: 'docs/results/memento.md',
    },
  ],
}
