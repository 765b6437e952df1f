import { asInPaper, type PaperNotes } from '../../ground/paper-notes'

const FILE = 'src/core/methods/dynamic-cheatsheet/dynamic-cheatsheet.ts'

/** Dynamic Cheatsheet held against its paper. */
export const PAPER: PaperNotes = {
  presets: [
    asInPaper(
      'Dynamic Cheatsheet, section 2.1',
      { 'dynamic-cheatsheet': { form: 'cumulative', every: 1 } },
      { way: 'cumulative (DC-Cu)' },
    ),
    {
      id: 'retrieval',
      title: 'As in the paper, retrieval and synthesis (DC-RS)',
      source: 'Dynamic Cheatsheet, section 2.2: top 3',
      settings: { 'dynamic-cheatsheet': { form: 'retrieval', similar: 3 } },
    },
  ],
  differences: [
    {
      at: 'Section 2.1',
      what: 'the curator judges the attempt',
      where: [FILE],
      differs: "It is told the environment's verdict.",
      why: 'Every stream here is graded, and small models judge badly.',
    },
    {
      at: 'Section 2.2',
      what: 'R = Retr(x, attempts, k), M = Cur(M, x, R), y = Gen(x, M)',
      where: [FILE],
      differs: 'Solved attempts only, of the newest 200.',
      why: 'With the verdict known, failed ones need not be told apart by the curator.',
    },
    {
      at: 'Section 2',
      what: 'one memory',
      where: [FILE],
      differs: 'One cheatsheet per environment, of at most 1,200 characters.',
      why: 'A memory may hold worlds of several kinds, and it stands in every prompt.',
    },
  ],
  claims: [
    {
      at: 'Section 3',
      claim:
        'retrieval and synthesis helps where tasks share facts or code that has to be found again; GPT-4o goes from 10 to 99 % in the Game of 24',
      here: 'house-rules-a, seed 1, of 120 tasks: none 43, cumulative 47, retrieval and synthesis 73',
      tuned: 'the share between the demo model’s weights was chosen on house-rules-a; one world, one seed',
      study: 'strategies-and-playbooks',
      results: 'docs/results/lifelong.md',
    },
  ],
}
