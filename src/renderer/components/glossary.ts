export interface GlossaryEntry {
  /** One sentence. */
  readonly meaning: string
  /** The paper the term comes from. */
  readonly source: string
}

/** The papers' terms that appear on screen. */
export const GLOSSARY = {
  case: {
    meaning: 'One remembered attempt: the state the agent saw, what it did, and the reward it got.',
    source: 'Memento, arXiv 2508.16153, eq. 12',
  },
  'case bank': {
    meaning:
      'The growing collection of cases that an agent can look back at; the model itself is never changed.',
    source: 'Memento, arXiv 2508.16153',
  },
  K: {
    meaning: 'How many remembered items go into the prompt before each attempt.',
    source: 'Memento, arXiv 2508.16153, eq. 13',
  },
  trajectory: {
    meaning:
      'Everything that happened in one attempt: what was recalled, each action and answer, and the outcome.',
    source: 'LifelongAgentBench, arXiv 2505.11942',
  },
  'task stream': {
    meaning: 'Tasks given one after another in a fixed order, so that what is learned early can help later.',
    source: 'LifelongAgentBench, arXiv 2505.11942',
  },
  method: {
    meaning: 'The rule that decides what the agent remembers before each task and what it keeps after it.',
    source: 'Loam; each method names its own paper',
  },
  'success rate': {
    meaning: 'The share of tasks whose final answer or final table matched exactly.',
    source: 'LifelongAgentBench, arXiv 2505.11942',
  },
  cosine: {
    meaning: 'How close two texts are as vectors, from -1 to 1; higher is closer.',
    source: 'Memento, arXiv 2508.16153, eq. 13',
  },
  recency: {
    meaning: 'The newest successful attempts come first, whatever they were about.',
    source: 'EvoSC (task experience replay)',
  },
  q: {
    meaning: 'A learned estimate of how much a case will help with this task.',
    source: 'Memento, arXiv 2508.16153',
  },
  reward: {
    meaning: '1 when the attempt was solved, 0 when it was not.',
    source: 'Memento, arXiv 2508.16153',
  },
} as const satisfies Record<string, GlossaryEntry>

export type GlossaryTerm = keyof typeof GLOSSARY
