/** The papers' terms that appear on screen: what each means in one sentence, and the paper it comes from. */
export const GLOSSARY = {
  'forward transfer': [
    'How much better a task goes because of the tasks before it: against the same tasks without memory.',
    'Lopez-Paz and Ranzato 2017, arXiv 1706.08840, FWT (eq. 4)',
  ],
  'backward transfer': [
    'How much later tasks helped earlier ones (above 0), or had them forgotten (below 0).',
    'Lopez-Paz and Ranzato 2017, arXiv 1706.08840, BWT (eq. 3)',
  ],
  forgetting: [
    'What is lost in the end of the best there ever was.',
    'Chaudhry et al. 2018, arXiv 1801.10112, section 3.2',
  ],
  'adaptation time': [
    'Tasks after a change of the world until it goes as well again as before.',
    'After Shaker and Huellermeier 2015, recovery analysis',
  ],
  'transfer matrix': [
    'Row by row, how well the last tasks of each earlier stage, or tasks that need the same rules, went in a later one.',
    'Lopez-Paz and Ranzato 2017, arXiv 1706.08840, R',
  ],
  case: [
    'One remembered attempt: the state the agent saw, what it did, and the reward it got.',
    'Memento, arXiv 2508.16153, eq. 12',
  ],
  'case bank': [
    'The growing collection of cases that an agent can look back at; the model itself is never changed.',
    'Memento, arXiv 2508.16153',
  ],
  K: [
    'How many remembered items go into the prompt before each attempt. EvoSC calls it Exp.',
    'Memento, arXiv 2508.16153, eq. 13; EvoSC, table 1 (Exp = 1, 4, 16, 32)',
  ],
  'exact match': [
    'The share of answers equal to a known one once case, articles and punctuation are set aside; a whole sentence is none.',
    'Memento, arXiv 2508.16153, section 5',
  ],
  'macro F1': [
    'How far the words of the answers overlap with the known ones, the mean over data sets so that each counts alike.',
    'Memento, arXiv 2508.16153, section 5',
  ],
  'partial match': [
    'The share of answers that say the same as the known one: a model as judge found so, or, where the model is too small to judge, the known answer stands in them word for word. Open questions count as solved by it.',
    'Memento, arXiv 2508.16153, section 5 (PM)',
  ],
  'Q value': [
    'How much a case is expected to help with a task, learned from the attempts it was shown in.',
    'Memento, arXiv 2508.16153, eq. 15',
  ],
  trajectory: [
    'Everything that happened in one attempt: what was recalled, each action and answer, and the outcome.',
    'LifelongAgentBench, arXiv 2505.11942',
  ],
  'task stream': [
    'Tasks given one after another in a fixed order, so that what is learned early can help later.',
    'LifelongAgentBench, arXiv 2505.11942',
  ],
  method: [
    'The rule that decides what the agent remembers before each task and what it keeps after it.',
    'Loam; each method names its own paper',
  ],
  'success rate': [
    'The share of tasks whose final answer or final table matched exactly.',
    'LifelongAgentBench, arXiv 2505.11942',
  ],
  cosine: [
    'How close two texts are as vectors, from -1 to 1; higher is closer.',
    'Memento, arXiv 2508.16153, eq. 13',
  ],
  bm25: [
    'How well the words of two texts match; rare words count more, and repeated ones less and less. Higher is closer.',
    'Robertson and Zaragoza, The Probabilistic Relevance Framework: BM25 and Beyond',
  ],
  hybrid: [
    'Two rankings, by words and by likeness, merged into one by the places that an item takes in each.',
    'Agent KB, hybrid retrieval',
  ],
  activation: [
    'How near an earlier attempt is to the task, and how recent; both count.',
    'SCM, self-controlled memory (memory activation)',
  ],
  link: ['Not like the task itself, but linked to a note that is.', 'A-MEM, agentic memory (note links)'],
  baseline: [
    'The method that the others are compared with, seed by seed.',
    'Loam; “no memory” unless you choose another',
  ],
  experiment: [
    'Several methods and seeds over the same tasks, so that differences can be told from luck.',
    'Loam; the tables of EvoSC have this form',
  ],
  cell: ['One method with one K and one seed: a run of its own that starts with an empty memory.', 'Loam'],
  seed: ['A number that fixes all chance. Several seeds show how much of a result is luck.', 'Loam'],
  '95 % CI': [
    'Where the true mean probably lies: bootstrap over seeds. With few seeds it is too narrow; with three it is just lowest to highest.',
    'Efron’s percentile bootstrap; docs/experiments.md',
  ],
  OOM: [
    'At least one prompt was longer than the model can read, so the cell is left out of the means.',
    'EvoSC, tables 1 and 2 (out of memory)',
  ],
  ablation: [
    'The same method with one part switched off, to see what that part is worth.',
    'EvoSC, section 5',
  ],
  experience: [
    'What one agent learned from a task, in a form other agents can use: the goal, what was done and why, and advice.',
    'Agent KB, eq. 1',
  ],
  alpha: [
    'How much the words of a search count against its meaning: 1 is words alone, 0 is meaning alone.',
    'Agent KB, section 3.3 (0.5)',
  ],
  utility: [
    'How useful an experience has been, from 0 to 1: it moves towards the outcome of every attempt it was shown to.',
    'Agent KB, section 3.2',
  ],
  'disagreement gate': [
    'A refined plan is applied only when it is close enough to the plan before it.',
    'Agent KB, section 3.3 (beta = 0.8)',
  ],
  ranker: [
    'Compares two similar experiences, in both orders, and keeps the better one.',
    'Agent KB, section 3.2 (tau = 0.8)',
  ],
  training: [
    'Turning solved tasks into a few learned tokens, so that their lessons no longer have to be read with every task.',
    'EvoSC, section 4.2 (parametric trajectory consolidation)',
  ],
  'soft prompt': [
    'A few tokens with learned meaning, put first in every prompt. The model itself is not changed, and without them it acts as before.',
    'EvoSC, section 4.2 (P_theta)',
  ],
  teacher: [
    'The model itself, shown many solved tasks; what it then does is what the soft prompt learns.',
    'EvoSC, eq. 5 (E_many, expert actions A*)',
  ],
  student: [
    'The same model, shown few solved tasks or none, and the soft prompt instead.',
    'EvoSC, eq. 6 (E_few)',
  ],
  loss: [
    'How surprised the student is by what the teacher does, per token; 0 means it would do exactly the same.',
    'EvoSC, L_consolid (cross-entropy, in nats)',
  ],
  'held-out': ['Kept aside and never learned from, to see whether it learned or only memorised.', 'Loam'],
  'reserved tokens': [
    'Tokens of the model that no text ever uses; the soft prompt gives them a meaning.',
    'Loam; docs/soft-prompts.md',
  ],
  retrieval: ['Wrong evidence was used, or what was needed was not looked up.', 'Agent KB, section 4.4'],
  planning: ['The task was split wrongly, or steps came in a wrong order.', 'Agent KB, section 4.4'],
  reasoning: ['What was needed was there, but the conclusion does not follow.', 'Agent KB, section 4.4'],
  format: ['An answer or action broke the form that was asked for.', 'Agent KB, section 4.4'],
  perception: [
    'What the environment showed was misread: a table, a file, an image, a tool.',
    'Agent KB, section 4.4',
  ],
  execution: [
    'Steps nobody asked for, repeated or made up, or an error that was not put right.',
    'Agent KB, section 4.4',
  ],
  recency: [
    'The newest successful attempts come first, whatever they were about.',
    'EvoSC (task experience replay)',
  ],
  q: ['A learned estimate of how much a case will help with this task.', 'Memento, arXiv 2508.16153'],
  reward: ['1 when the attempt was solved, 0 when it was not.', 'Memento, arXiv 2508.16153'],
  guide: [
    'What was learned about one concept, as a text agents read: context, how to use, when to use, best practices.',
    'BREW, section 3 (d_k)',
  ],
  insight: [
    'One sentence that a model wrote after reading an attempt and its grade, about one concept.',
    'BREW, eq. 1 (reflector)',
  ],
  rubric: [
    'A trait of good behaviour that a judge scores from 1 to 5 and gives a reason for.',
    'BREW, section 3',
  ],
  'zero loss': [
    'Code, numbers, paths and names of the old guide must be in the new one; what is missing is flagged.',
    'BREW, appendix A (integrator)',
  ],
  'expand and gather': [
    'Every concept has a tree of guides. Each round a tree tries some new variants, then all trees share their best.',
    'BREW, algorithms 1 and 4 (MCTS)',
  ],
  visits: ['Guides that were tried at this one and below it.', 'BREW, algorithm 4 (N(s), backpropagation)'],
  'guide reward': [
    'How good a guide is: tasks solved with it, and how well it is found, weighed by λ.',
    'BREW, eq. 6',
  ],
  solving: [
    'The share of held-out tasks that were solved with this guide among the others.',
    'BREW, eq. 7 (R_corr)',
  ],
  finding: [
    'How high the guide ranks when its tasks look for guides: 1 if always first, 0.5 if second.',
    'BREW, eq. 8 (R_ret, mean reciprocal rank)',
  ],
  MRR: ['Mean reciprocal rank: 1 when the right guide always comes first, 0.5 when second.', 'BREW, eq. 8'],
} as const satisfies Record<string, readonly [meaning: string, source: string]>

export type GlossaryTerm = keyof typeof GLOSSARY
