import { asInPaper, type PaperNotes } from '../../ground/paper-notes'

const LEARN = 'src/core/methods/ace/learn.ts'

/** ACE held against its paper. */
export const PAPER: PaperNotes = {
  presets: [
    asInPaper(
      'ACE, section 4.2: at most 5 rounds of reflection, batches of one',
      { ace: { offline: 0, rounds: 5 } },
      { way: 'online' },
    ),
    {
      id: 'offline',
      title: 'As in the paper, offline',
      source: 'ACE, sections 4.1 and 4.2: at most 5 epochs over a training split, then tested',
      settings: { ace: { offline: 30, epochs: 5, rounds: 5 } },
    },
  ],
  differences: [
    {
      at: 'Section 3.1, generator',
      what: 'which bullets a reflector may judge',
      where: ['src/core/methods/ace/ace.ts'],
      differs: 'All bullets that were shown, where the generator of the paper names those it used.',
      why: 'The replies of an environment have a form of their own, with no room for a list of bullets.',
    },
    {
      at: 'Section 3.1, reflector',
      what: 'feedback, and rounds of reflection',
      where: [LEARN],
      differs:
        "The environment's verdict and observations are all it is told, and its rounds go over the same failed attempt.",
      why: 'In a stream no ground truth is given; a further attempt in each round would have to be counted as one.',
    },
    {
      at: 'Section 3.1, curator',
      what: 'delta updates merged by plain code',
      where: [LEARN],
      differs: 'Three fixed sections.',
      why: 'One playbook serves environments of every kind.',
    },
    {
      at: 'Section 3.2',
      what: 'grow and refine: de-duplication by embeddings, after every attempt or when full',
      where: ['src/core/methods/ace/merge.ts'],
      differs:
        'Of two bullets that say the same the one that says more is kept; a full playbook also loses what helped least.',
      why: 'It costs no call of a model, and the context of a local model is small.',
    },
    {
      at: 'Section 4.2',
      what: 'offline adaptation over epochs, online adaptation',
      where: ['src/core/methods/ace/offline.ts'],
      differs:
        'The playbook of the last epoch is used; the paper chooses the best one by a validation split.',
      why: 'Streams have no validation split.',
    },
  ],
  claims: [
    {
      at: 'Abstract',
      claim:
        '10.6 points more than strong baselines on agents (AppWorld), 8.6 in finance, without labels; Dynamic Cheatsheet among the baselines',
      here: 'house-rules-a, seed 1, of 120 tasks: none 43, Dynamic Cheatsheet 47 and 73, ACE online 89',
      tuned: 'the share between the demo model’s weights was chosen on house-rules-a; one world, one seed',
      study: 'strategies-and-playbooks',
      results: 'docs/results/lifelong.md',
    },
  ],
}
