import { z } from 'zod'
import { share } from './units'

/** How better documents are looked for. */
export const searchStrategySchema = z.enum(['mcts', 'greedy', 'iterative'])
export type SearchStrategy = z.infer<typeof searchStrategySchema>

/** What each setting of a search may be. */
const searchBounds = {
  strategy: searchStrategySchema,
  width: z.number().int().min(1).max(16),
  depth: z.number().int().min(1).max(16),
  iterations: z.number().int().min(0).max(200),
  lambda: share,
  exploration: z.number().min(0).max(10),
  train: z.number().int().min(1).max(1000),
  evaluation: z.number().int().min(1).max(1000),
  shown: z.number().int().min(1).max(16),
  retrieveAt: z.enum(['start', 'each-turn']),
  mergeBelow: share,
  concepts: z.number().int().min(1).max(64),
  queries: z.number().int().min(1).max(100),
  choose: z.enum(['sure', 'highest']),
  race: z.boolean(),
  fresh: z.boolean(),
  again: z.number().int().min(0).max(10_000),
  use: z.enum(['auto', 'at-once', 'ask']),
  prompts: z.enum(['loam', 'paper']),
  keep: z.enum(['checked', 'asked']),
  found: z.enum(['nearest', 'all']),
  tokenBudget: z.number().int().min(0).max(1_000_000_000),
  minuteBudget: z.number().min(0).max(100_000),
}

/** What decides a search. Defaults are the paper's (A.2, A.5) where it names them. */
export const searchSettingsSchema = z.strictObject({
  strategy: searchBounds.strategy.default('mcts').meta({
    title: 'Search',
    help: 'How better documents are looked for.',
    source: 'BREW, algorithms 3 to 5',
    choices: { mcts: 'Tree search', greedy: 'Greedy', iterative: 'Iterative' },
  }),
  width: searchBounds.width.default(3).meta({
    title: 'Variants e',
    help: 'Documents written per expansion.',
    unit: 'documents',
    source: 'BREW, A.2',
  }),
  depth: searchBounds.depth.default(3).meta({
    title: 'Depth k',
    help: 'Levels below the first document; tree search only.',
    unit: 'levels',
    source: 'BREW, A.2',
  }),
  iterations: searchBounds.iterations
    .default(10)
    .meta({ title: 'Iterations n', help: 'Rounds of the search.', unit: 'rounds', source: 'BREW, A.2' }),
  lambda: searchBounds.lambda.default(0.5).meta({
    title: 'Weight of success λ',
    help: 'Solving tasks against being found.',
    source: 'BREW, eq. 6',
  }),
  exploration: searchBounds.exploration.default(Math.SQRT2).meta({
    title: 'Exploration c',
    help: 'How much tree search tries what it seldom tried.',
    source: 'BREW, UCT',
  }),
  train: searchBounds.train.default(20).meta({
    title: 'Training tasks',
    help: 'Tasks to learn from; 30 for spreadsheets.',
    unit: 'tasks',
    source: 'BREW, A.5',
  }),
  evaluation: searchBounds.evaluation.default(10).meta({
    title: 'Scoring tasks',
    help: 'Held-out tasks that documents are scored with.',
    unit: 'tasks',
    source: 'BREW, A.5',
  }),
  shown: searchBounds.shown.default(3).meta({
    title: 'Documents shown',
    help: 'Most documents in the prompt of a task.',
    unit: 'documents',
    source: 'BREW, A.5',
  }),
  retrieveAt: searchBounds.retrieveAt.default('each-turn').meta({
    title: 'Look up documents',
    help: 'Once, or again after each message of a user, where one talks.',
    source: 'BREW, A.5',
    choices: { start: 'At the start', 'each-turn': 'Each turn' },
  }),
  mergeBelow: searchBounds.mergeBelow
    .default(0.2)
    .meta({ title: 'Merge concepts below', help: 'Cosine distance below which two concepts are one.' }),
  concepts: searchBounds.concepts.default(12).meta({
    title: 'Most concepts',
    help: 'More of them are merged with those nearest in meaning.',
    unit: 'concepts',
  }),
  queries: searchBounds.queries.default(5).meta({
    title: 'Tasks per concept m',
    help: 'The held-out tasks nearest to a concept score its documents.',
    unit: 'tasks',
    source: 'BREW, algorithm 3',
  }),
  choose: searchBounds.choose.default('sure').meta({
    title: 'Which document wins',
    help: 'Surely better: of all documents that none surpasses by more than chance, the one that keeps to what is known.',
    choices: { sure: 'Surely better', highest: 'Highest reward' },
  }),
  race: searchBounds.race.default(false).meta({
    title: 'Score by racing',
    help: 'A document that is surely behind the best of its tree after some scoring tasks is played on no more of them, so that many can be afforded. Not where the newest always wins.',
  }),
  fresh: searchBounds.fresh.default(false).meta({
    title: 'Try failed tasks anew',
    help: 'An expansion plays training tasks that fail with what is shown once more, drawn from all tokens at temperature 1, and learns from that.',
  }),
  again: searchBounds.again.default(30).meta({
    title: 'Build on after',
    help: 'So many tasks later, then twice as many each time, a run builds on; 0 builds once.',
    unit: 'tasks',
  }),
  use: searchBounds.use.default('auto').meta({
    title: 'Use what won',
    help: 'A run uses it at once and a build proposes it, unless chosen otherwise.',
    choices: { auto: 'Runs at once, builds ask', 'at-once': 'At once', ask: 'When a person accepts it' },
  }),
  prompts: searchBounds.prompts.default('loam').meta({
    title: 'Prompts',
    help: 'The paper prints the integrator’s; Loam’s reply form stands behind it.',
    source: 'BREW, A.1',
    choices: { loam: 'Loam’s', paper: 'the paper’s' },
  }),
  keep: searchBounds.keep.default('checked').meta({
    title: 'Keep every insight',
    help: 'Checked: what the writer leaves out is put back word for word. Asked: a document may drop, merge and generalise.',
    source: 'BREW, A.1: zero loss is asked for',
    choices: { checked: 'Checked', asked: 'Asked for' },
  }),
  found: searchBounds.found.default('nearest').meta({
    title: 'Being found counts for',
    help: 'The held-out tasks no other concept is nearer to, or all that score the document.',
    source: 'BREW, eq. 8 and algorithm 5: all',
    choices: { nearest: 'Its nearest tasks', all: 'All its tasks' },
  }),
  tokenBudget: searchBounds.tokenBudget.default(0).meta({
    title: 'Token budget',
    help: 'Most the search may read and write; 0 is no limit.',
    unit: 'tokens',
  }),
  minuteBudget: searchBounds.minuteBudget
    .default(0)
    .meta({ title: 'Time budget', help: 'Most time the search may take; 0 is no limit.', unit: 'minutes' }),
})
export type SearchSettings = z.infer<typeof searchSettingsSchema>
/** Some of them; what is left out has its default. */
export const searchChangesSchema = z.strictObject(searchBounds).partial()

/** What a search does unless told otherwise. */
export const DEFAULT_SEARCH: SearchSettings = searchSettingsSchema.parse({})
