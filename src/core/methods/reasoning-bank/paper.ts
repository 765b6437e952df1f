import { asInPaper, type PaperNotes } from '../../ground/paper-notes'

const FILE = 'src/core/methods/reasoning-bank/reasoning-bank.ts'
const SCALING = 'src/core/methods/reasoning-bank/scaling.ts'

/** ReasoningBank held against its paper. */
export const PAPER: PaperNotes = {
  presets: [
    asInPaper(
      'ReasoningBank, sections 3.2 and 4.1: up to 3 items per attempt, all kept, the items of the nearest task',
      { 'reasoning-bank': { perAttempt: 3, attempts: 1, capacity: 10_000 } },
      { way: 'one attempt', k: 3 },
    ),
    {
      id: 'parallel',
      title: 'MaTTS, parallel',
      source: 'ReasoningBank, section 3.3: k = 5, self-contrast, best of k',
      k: 3,
      settings: {
        'reasoning-bank': { attempts: 5, scaling: 'parallel', report: 'choice', capacity: 10_000 },
      },
    },
    {
      id: 'sequential',
      title: 'MaTTS, sequential',
      source: 'ReasoningBank, section 3.3: k = 5, self-refinement by a check instruction',
      k: 3,
      settings: { 'reasoning-bank': { attempts: 5, scaling: 'sequential', capacity: 10_000 } },
    },
  ],
  differences: [
    {
      at: 'Section 3.2, judge',
      what: 'success and failure of an attempt',
      where: [FILE],
      differs: "The environment's verdict takes the place of the judge, also in self-contrast.",
      why: 'Every stream here is graded, and small models judge badly.',
    },
    {
      at: 'Section 3.2, retrieval',
      what: 'items of the most similar tasks',
      where: [FILE],
      differs: 'K counts strategies; the paper shows all of the one nearest task.',
      why: 'So K means the same for every method.',
    },
    {
      at: 'Section 3.3, parallel',
      what: 'k attempts with the same memory, strategies from comparing them',
      where: [SCALING],
    },
    {
      at: 'Section 3.3, sequential',
      what: 'going over an attempt with a check instruction',
      where: [SCALING],
      differs:
        'Each going over is an attempt of its own that begins in a fresh world with the earlier one in its prompt.',
      why: 'An attempt here ends with its answer, and its world cannot be taken up again.',
    },
    {
      at: 'Section 4.3',
      what: 'pass@1 and best of k',
      where: [SCALING, 'src/shared/figures/scaling.ts'],
      differs:
        'The first attempt has the temperature of the run, the others one of their own; pass@k is told beside both.',
      why: 'So that pass@1 is the figure of a run without scaling.',
    },
  ],
  claims: [
    {
      at: 'Section 4.3',
      claim:
        'more attempts per task solve more of them, in parallel and in sequence; parallel scaling gains more from many',
      here: 'house-rules-a, seed 1, of 120 tasks: one attempt 100; three in parallel 98 by the model’s choice, 100 at pass@1, 101 at pass@3; three in sequence 116',
      tuned: 'the share between the demo model’s weights was chosen on house-rules-a; one world, one seed',
      study: 'strategies-and-playbooks',
      results: 'docs/results/lifelong.md',
    },
  ],
}
