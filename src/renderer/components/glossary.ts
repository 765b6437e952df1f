export interface GlossaryEntry {
  /** One sentence. */
  readonly meaning: string
  /** The paper the term comes from. */
  readonly source: string
}

/** The papers' terms that appear on screen. */
export const GLOSSARY = {
  'forward transfer': {
    meaning:
      'How much better a task goes because of the tasks before it: against the same tasks without memory.',
    source: 'Lopez-Paz and Ranzato 2017, arXiv 1706.08840, FWT (eq. 4)',
  },
  'backward transfer': {
    meaning: 'How much later tasks helped earlier ones (above 0), or had them forgotten (below 0).',
    source: 'Lopez-Paz and Ranzato 2017, arXiv 1706.08840, BWT (eq. 3)',
  },
  forgetting: {
    meaning: 'What is lost in the end of the best there ever was.',
    source: 'Chaudhry et al. 2018, arXiv 1801.10112, section 3.2',
  },
  'adaptation time': {
    meaning: 'Tasks after a change of the world until it goes as well again as before.',
    source: 'After Shaker and Huellermeier 2015, recovery analysis',
  },
  'transfer matrix': {
    meaning:
      'Row by row, how well the last tasks of each earlier stage, or tasks that need the same rules, went in a later one.',
    source: 'Lopez-Paz and Ranzato 2017, arXiv 1706.08840, R',
  },
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
    meaning: 'How many remembered items go into the prompt before each attempt. EvoSC calls it Exp.',
    source: 'Memento, arXiv 2508.16153, eq. 13; EvoSC, table 1 (Exp = 1, 4, 16, 32)',
  },
  'exact match': {
    meaning: 'The share of answers equal to a known one once case, articles and punctuation are set aside.',
    source: 'Memento, arXiv 2508.16153, section 5',
  },
  'macro F1': {
    meaning:
      'How far the words of the answers overlap with the known ones, the mean over data sets so that each counts alike.',
    source: 'Memento, arXiv 2508.16153, section 5',
  },
  'partial match': {
    meaning: 'The share of answers that a model as judge found to say the same as the known one.',
    source: 'Memento, arXiv 2508.16153, section 5 (PM)',
  },
  'Q value': {
    meaning: 'How much a case is expected to help with a task, learned from the attempts it was shown in.',
    source: 'Memento, arXiv 2508.16153, eq. 15',
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
  bm25: {
    meaning:
      'How well the words of two texts match; rare words count more, and repeated ones less and less. Higher is closer.',
    source: 'Robertson and Zaragoza, The Probabilistic Relevance Framework: BM25 and Beyond',
  },
  hybrid: {
    meaning:
      'Two rankings, by words and by likeness, merged into one by the places that an item takes in each.',
    source: 'Agent KB, hybrid retrieval',
  },
  activation: {
    meaning: 'How near an earlier attempt is to the task, and how recent; both count.',
    source: 'SCM, self-controlled memory (memory activation)',
  },
  link: {
    meaning: 'Not like the task itself, but linked to a note that is.',
    source: 'A-MEM, agentic memory (note links)',
  },
  baseline: {
    meaning: 'The method that the others are compared with, seed by seed.',
    source: 'Loam; “no memory” unless you choose another',
  },
  experiment: {
    meaning: 'Several methods and seeds over the same tasks, so that differences can be told from luck.',
    source: 'Loam; the tables of EvoSC have this form',
  },
  cell: {
    meaning: 'One method with one K and one seed: a run of its own that starts with an empty memory.',
    source: 'Loam',
  },
  seed: {
    meaning: 'A number that fixes all chance. Several seeds show how much of a result is luck.',
    source: 'Loam',
  },
  '95 % CI': {
    meaning:
      'Where the true mean probably lies: bootstrap over seeds. With few seeds it is too narrow; with three it is just lowest to highest.',
    source: 'Efron’s percentile bootstrap; docs/experiments.md',
  },
  OOM: {
    meaning: 'At least one prompt was longer than the model can read, so the cell is left out of the means.',
    source: 'EvoSC, tables 1 and 2 (out of memory)',
  },
  ablation: {
    meaning: 'The same method with one part switched off, to see what that part is worth.',
    source: 'EvoSC, section 5',
  },
  experience: {
    meaning:
      'What one agent learned from a task, in a form other agents can use: the goal, what was done and why, and advice.',
    source: 'Agent KB, eq. 1',
  },
  alpha: {
    meaning:
      'How much the words of a search count against its meaning: 1 is words alone, 0 is meaning alone.',
    source: 'Agent KB, section 3.3 (0.5)',
  },
  utility: {
    meaning:
      'How useful an experience has been, from 0 to 1: it moves towards the outcome of every attempt it was shown to.',
    source: 'Agent KB, section 3.2',
  },
  'disagreement gate': {
    meaning: 'A refined plan is applied only when it is close enough to the plan before it.',
    source: 'Agent KB, section 3.3 (beta = 0.8)',
  },
  ranker: {
    meaning: 'Compares two similar experiences, in both orders, and keeps the better one.',
    source: 'Agent KB, section 3.2 (tau = 0.8)',
  },
  training: {
    meaning:
      'Turning solved tasks into a few learned tokens, so that their lessons no longer have to be read with every task.',
    source: 'EvoSC, section 4.2 (parametric trajectory consolidation)',
  },
  'soft prompt': {
    meaning:
      'A few tokens with learned meaning, put first in every prompt. The model itself is not changed, and without them it acts as before.',
    source: 'EvoSC, section 4.2 (P_theta)',
  },
  teacher: {
    meaning: 'The model itself, shown many solved tasks; what it then does is what the soft prompt learns.',
    source: 'EvoSC, eq. 5 (E_many, expert actions A*)',
  },
  student: {
    meaning: 'The same model, shown few solved tasks or none, and the soft prompt instead.',
    source: 'EvoSC, eq. 6 (E_few)',
  },
  loss: {
    meaning:
      'How surprised the student is by what the teacher does, per token; 0 means it would do exactly the same.',
    source: 'EvoSC, L_consolid (cross-entropy, in nats)',
  },
  'held-out': {
    meaning: 'Kept aside and never learned from, to see whether it learned or only memorised.',
    source: 'Loam',
  },
  'reserved tokens': {
    meaning: 'Tokens of the model that no text ever uses; the soft prompt gives them a meaning.',
    source: 'Loam; docs/soft-prompts.md',
  },
  retrieval: {
    meaning: 'Wrong evidence was used, or what was needed was not looked up.',
    source: 'Agent KB, section 4.4',
  },
  planning: {
    meaning: 'The task was split wrongly, or steps came in a wrong order.',
    source: 'Agent KB, section 4.4',
  },
  reasoning: {
    meaning: 'What was needed was there, but the conclusion does not follow.',
    source: 'Agent KB, section 4.4',
  },
  format: {
    meaning: 'An answer or action broke the form that was asked for.',
    source: 'Agent KB, section 4.4',
  },
  perception: {
    meaning: 'What the environment showed was misread: a table, a file, an image, a tool.',
    source: 'Agent KB, section 4.4',
  },
  execution: {
    meaning: 'Steps nobody asked for, repeated or made up, or an error that was not put right.',
    source: 'Agent KB, section 4.4',
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
  guide: {
    meaning:
      'What was learned about one concept, as a text agents read: context, how to use, when to use, best practices.',
    source: 'BREW, section 3 (d_k)',
  },
  insight: {
    meaning: 'One sentence that a model wrote after reading an attempt and its grade, about one concept.',
    source: 'BREW, eq. 1 (reflector)',
  },
  rubric: {
    meaning: 'A trait of good behaviour that a judge scores from 1 to 5 and gives a reason for.',
    source: 'BREW, section 3',
  },
  'zero loss': {
    meaning:
      'Code, numbers, paths and names of the old guide must be in the new one; what is missing is flagged.',
    source: 'BREW, appendix A (integrator)',
  },
  'expand and gather': {
    meaning:
      'Every concept has a tree of guides. Each round a tree tries some new variants, then all trees share their best.',
    source: 'BREW, algorithms 1 and 4 (MCTS)',
  },
  visits: {
    meaning: 'Guides that were tried at this one and below it.',
    source: 'BREW, algorithm 4 (N(s), backpropagation)',
  },
  'guide reward': {
    meaning: 'How good a guide is: tasks solved with it, and how well it is found, weighed by λ.',
    source: 'BREW, eq. 6',
  },
  solving: {
    meaning: 'The share of held-out tasks that were solved with this guide among the others.',
    source: 'BREW, eq. 7 (R_corr)',
  },
  finding: {
    meaning: 'How high the guide ranks when its tasks look for guides: 1 if always first, 0.5 if second.',
    source: 'BREW, eq. 8 (R_ret, mean reciprocal rank)',
  },
  MRR: {
    meaning: 'Mean reciprocal rank: 1 when the right guide always comes first, 0.5 when second.',
    source: 'BREW, eq. 8',
  },
} as const satisfies Record<string, GlossaryEntry>

export type GlossaryTerm = keyof typeof GLOSSARY
