import type { SettingChanges } from '../../../shared/domain/setting'
import { asInPaper, type PaperClaim, type PaperDifference, type PaperNotes } from '../../ground/paper-notes'
import { QUESTIONS } from '../../tasks/qa/entry'

/** Where figures are written down. */
const RESULTS = 'docs/results/memento.md'

/** Where Memento's released code names what the paper leaves open. */
const RELEASED = 'released code, client/no_parametric_cbr.py'

/** Where all memories of Memento keep their cases. */
export const CASES = 'src/core/memory/cases'

const question = (id: string, title: string, source: string, grade: 'exact' | 'judge') => ({
  id,
  title,
  source,
  environment: QUESTIONS,
  // The code asks its API without a temperature, which is 1 there, and cuts what the planner reads at 175,000 tokens.
  temperature: 1,
  contextSize: 175_000,
  settings: { agent: { maxCycles: 3, grade } },
})

/** The benchmarks of Memento, for all its memories; the first is what its ablations are made on. */
const BENCHMARKS = [
  question('deepresearcher', 'DeepResearcher', `Tables 1, 3, 4 and 5c; ${RELEASED}`, 'judge'),
  question('gaia', 'GAIA', `Tables 2 and 6, section 5.2: exact match; ${RELEASED}`, 'exact'),
  question('simpleqa', 'SimpleQA', `Table 5b; ${RELEASED}`, 'judge'),
  question('hle', 'HLE', `Table 5a; ${RELEASED}`, 'judge'),
]

/** A memory of Memento as in the paper: K = 4, on its benchmarks. */
export const asInMemento = (source: string, settings: SettingChanges) =>
  asInPaper(source, settings, { k: 4, benchmarks: BENCHMARKS })

/** The whole bank, and what was learned decides from the first case on. */
export const WHOLE_BANK = { coldStart: 0, candidates: 10_000, perTask: 'all' } as const

/** A memory of Memento that looks a step ahead, by its method's id, as in the paper at `source`. */
export const asAhead = (id: string, source: string) =>
  asInMemento(`${source}; α, γ, η, β and K of algorithm 1 have no values there`, {
    [id]: { ...WHOLE_BANK, nextCases: 10_000 },
  })

/** Why exp(Q / α) stands where the paper prints exp(Q). */
export const WHY_OVER_ALPHA =
  'Equations 4 and 7 lead to it, and only so α → 0 is Q-learning, as appendix A says.'

/** How a memory that looks a step ahead tells steps. */
export const NEXT_STATE: PaperDifference = {
  at: 's′ in eq. 8',
  what: 'the state after a plan was carried out',
  where: [`${CASES}/steps.ts`, `${CASES}/learner.ts`],
  differs:
    'Cases are recalled once, before the first plan, and count for every plan of the task; a task ends with its last plan. In worlds without plans a task is one step.',
  why: 'The released code asks its memory once per task as well. A setting lets the next task follow.',
}

/** What holds for every memory of Memento. */
export const MEMENTO_DIFFERENCES: readonly PaperDifference[] = [
  {
    at: 'eq. 12',
    what: 'every attempt is written as a case, solved or failed',
    where: [`${CASES}/recalled-case.ts`],
    differs: 'Attempts that never acted, and those whose planner answered without a plan, are not written.',
    why: 'There is no action a to reuse; a final answer shown as a plan misleads.',
  },
  {
    at: 'Section 5.3',
    what: 'only the last step of an attempt is written',
    where: [`${CASES}/recalled-case.ts`],
    differs:
      'In worlds with rounds the whole dialog is the action; for questions it is the last plan, as in the paper.',
    why: 'Loam’s worlds have no planner whose last plan stands for all of it.',
  },
  {
    at: 'Section 5.3',
    what: 'states are encoded by SimCSE',
    where: ['src/core/ground/ports.ts'],
    differs: 'Any embedding model, chosen once for all; without one, words are compared.',
    why: 'The encoder is a person’s choice and lies on their machine.',
  },
  {
    at: 'Section 4.1',
    what: 'planner and executor take turns, three plans at most',
    where: ['src/core/agent/planner-executor.ts', 'src/core/agent/executor.ts'],
    differs:
      'Forms are held by grammars, a reply in none is asked for once more, and tokens and time have limits. The prompts are Loam’s own.',
    why: 'Small local models keep to a form only when they are held to it, and the paper prints no prompt.',
  },
  {
    at: 'Section 4.3',
    what: 'tools over MCP: search, crawl, code, math, documents, images',
    where: ['src/main/tool-servers/index.ts'],
    differs: 'Search and crawl work only where the network is switched on.',
    why: 'Nothing leaves the machine unless a person says so.',
  },
]

/** What Memento claims of case-based planning as a whole. */
const CLAIMS: readonly PaperClaim[] = [
  {
    at: 'Table 3',
    claim: 'K = 4 is best on DeepResearcher: F1 64.5, PM 78.5; more cases do not help',
    here: 'house-rules-mix, 60 tasks, one seed, K = 0, 1, 2, 4, 8, 16: 38.3, 60.0, 66.7, 65.8, 65.0, 58.3; with learned Q 38.3, 61.7, 65.0, 68.3, 65.0, 63.3; 32 do not fit into the demo model. Not so at workplaces, worlds 2131 to 2135, 40 tasks each: K = 0, 1, 4 and 16 solve 33.5, 52.5, 81.0 and 98.5',
    tuned:
      'the share between the demo model’s weights was chosen on house-rules-a, whose world is one of the three in this stream',
    study: 'memento-k-sweep',
    results: RESULTS,
  },
  {
    at: 'Table 4',
    claim:
      'five iterations raise accuracy without memory from 78.65 to 84.47, with cases from 79.84 to 84.85, with learned Q from 80.46 to 85.44',
    here: 'house-rules-mix, 50 tasks, 2 seeds, iterations 1 and 5: none 36.0 and 36.0; case bank 61.0 and 84.0, without the task’s own attempts 67.0; learned Q 63.0 and 95.0, without them 74.0. Without memory nothing rose here, where the paper’s baseline does; nor did it where further iterations were drawn anew (temperature 1.5, all tokens, world 1301, 30 tasks). At workplaces, worlds 2131 and 2132, 16 tasks, the first iteration solves all, so that nothing rises',
    tuned:
      'the share between the demo model’s weights was chosen on house-rules-a, whose world is one of the three in this stream',
    study: 'memento-iterations',
    results: RESULTS,
  },
  {
    at: 'Table 5',
    claim:
      'each part adds (DeepResearcher, F1/PM): executor offline 48.8/62.8, online 30.8/60.7, with planner 59.9/72.2, with cases 66.6/80.4',
    here: 'what cases add, on house-rules worlds 541, 542 and 543, 120 tasks each, one seed: 37.2 [34.2, 39.7] without, 86.9 [86.7, 87.2] with them',
    tuned: 'nothing that is written down; the worlds were fresh',
    notRun:
      'planner and tools have no figure, because no model that ships plans: the demo model walked all five rows over desk-questions on the real engine and solved none of 45',
    study: 'memento-executors',
    results: RESULTS,
  },
  {
    at: 'Table 6',
    claim:
      'a planner that thinks fast does better than one that thinks slowly (GAIA: Qwen3-32B 53.9 and 40.6)',
    notRun:
      'no model that ships plans, so thought has nothing to spoil or mend; the demo model walked all four rows over desk-questions and solved none of 36 (15,632 tokens per task fast, 20,372 with a slow planner, 27,975 with a slow executor, 34,509 with both)',
    study: 'memento-thinking',
    results: RESULTS,
  },
  {
    at: 'Figure 1d',
    claim: 'cases of four datasets help on three others by 4.7 to 9.6 points',
    here: 'in place of questions, tasks of another kind on house-rules worlds 541, 542 and 543, one seed: cases of 262 tasks that only ask, then 98 that change data, of which nothing is learned: 55.3 without cases, 95.8 [90.6, 99.0] with them, 95.9 [90.6, 99.0] with learned Q. In two families, worlds 2131 to 2135 of each, cases add 33.0 [26.8, 39.2] to such tasks in house rules and 40.0 [16.8, 63.2] to tasks in other words at workplaces',
    tuned: 'nothing that is written down; the worlds were fresh',
    notRun:
      'on the datasets themselves, because no model that ships answers their questions and search needs the network',
    study: 'memento-out-of-distribution',
    results: RESULTS,
  },
  {
    at: 'Table 2',
    claim: 'GAIA: 87.9 on validation (Pass@3), 79.4 on test',
    notRun:
      'GAIA does not come with Loam, and no model that ships plans; the protocol itself is walked on the real engine over desk-questions',
    study: 'memento-gaia',
    results: RESULTS,
  },
  {
    at: 'Figures 5 and 6',
    claim: 'code, search and crawl are called most, and tokens read grow from 26k to 121k with the level',
    here: 'in place of levels the house rules that a task takes, one, two and three, of worlds 1701 to 1705, 60 tasks each, one seed, eight rounds: without memory 1.2, 2.2 and 3.1 look-ups a task and 722, 1,084 and 1,475 [1,415, 1,534] tokens read (62, 106 and 145 written); with learned cases 0.3, 0.9 and 1.5 look-ups and 1,649, 2,184 and 2,535 [2,339, 2,743] tokens read (43, 75 and 100 written). That a rule which is not remembered takes a look-up is how these levels are made. In two families, worlds 2131 to 2135 of each, with learned cases: house rules, 26 tasks a world, 0.8, 1.45 and 2.05 look-ups and 2,268, 2,814 and 3,356 tokens read; workplaces with two calls, 32 tasks a world, 0 refused calls and 629 tokens where what is needed is shown, 0.25 and 764 where it is not',
    tuned: 'nothing on these worlds',
    notRun:
      'on questions with tools: the demo model calls no tool in the three levels of desk-questions (14,348, 17,501 and 15,794 tokens read per task)',
    study: 'memento-levels',
    results: RESULTS,
  },
  {
    at: 'Table 1',
    claim: 'DeepResearcher: 66.6 F1 over seven datasets, against 37.7 of chain of thought with retrieval',
    notRun: 'no model that ships answers such questions, and search needs the network',
    study: 'memento-out-of-distribution',
  },
  {
    at: 'Figure 4',
    claim: 'SimpleQA 95.0 (WebSailor 93.5), HLE 24.4 (GPT-5 25.3)',
    notRun: 'as table 1; both files are read as they are published',
  },
]

/** Memento's non-parametric case memory held against its paper. */
export const PAPER: PaperNotes = {
  presets: [
    asInMemento('Memento, eq. 12 and 13, table 3', {
      'case-bank': { retrieval: 'semantic', solved: true, failed: true, perTask: 'all' },
    }),
  ],
  differences: [
    {
      at: 'eq. 13',
      what: 'the K nearest by cosine of the encodings',
      where: ['src/core/methods/case-bank/case-bank.ts'],
    },
    ...MEMENTO_DIFFERENCES,
  ],
  claims: CLAIMS,
}
