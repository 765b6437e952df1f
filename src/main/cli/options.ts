import { servedProviders } from '../providers'

/** How models of servers are named. */
const PROVIDER_WORDS = servedProviders()
  .map(({ id }) => `${id}:NAME@URL or ${id}:NAME@SERVER`)
  .join(', ')

interface OptionDeclaration {
  /** What its value is called in the help; absent for a switch. */
  readonly value?: string
  readonly about: string
  /** Whether it may be given more than once. */
  readonly many?: boolean
}

/** An option with a value, which is called `value` in the help; `many` may be given more than once. */
const takes = (value: string, about: string, many?: 'many') => ({ value, about, many: many !== undefined })

/** An option that is a switch. */
const flag = (about: string) => ({ about })

/** Every option that a command can take, each with one meaning wherever it is taken. */
export const OPTIONS = {
  stream: takes('S', 'a bundled stream by its name, or a file of tasks'),
  title: takes('T', 'what it is called'),
  question: takes('COLUMN', 'the column that asks'),
  answer: takes('COLUMN', 'the column with the answer'),
  check: takes('KIND|JSON', 'how answers are compared (docs/streams.md)'),
  method: takes('M', 'how it remembers; "loam methods" lists them'),
  tasks: takes('N', 'how many tasks'),
  seed: takes('N', 'where chance begins; default 1'),
  k: takes('K', 'how many items are recalled'),
  model: takes(
    'M',
    `a GGUF file, the name of one that "loam models" lists, or ${PROVIDER_WORDS}; default: the demo model, of ask and proxy the most able that fits`,
  ),
  'key-env': takes('VAR', 'environment variable with the key of a server named by its URL'),
  url: takes('URL', 'where the server answers'),
  provider: takes('ID', 'which provider speaks to it'),
  memory: takes(
    'MEMORY',
    'name or id of a memory, or a path to its folder such as ./DIR; default: My memory',
  ),
  project: takes('NAME', 'part of My memory for one subject; default: what all projects share'),
  temperature: takes('T', 'of sampling, from 0 to 2'),
  'top-p': takes('P', 'of sampling: from the likeliest words that together have this share, from 0.01 to 1'),
  'max-tokens': takes('N', 'most tokens of a reply'),
  instructions: takes('TEXT', 'how to answer'),
  prompt: takes('NAME', 'a saved prompt, which TASK follows; "loam prompts" lists them'),
  'gpu-layers': takes('auto|max|cpu|N', 'layers to offload; default: from the settings'),
  world: takes('SEED', 'which world'),
  out: takes('PATH', 'where to write'),
  methods: takes('A,B', 'methods, separated by commas'),
  seeds: takes('1,2,3', 'seeds, separated by commas'),
  exp: takes('0,1,4', 'how many items are recalled, separated by commas'),
  streams: takes('A,B', 'kinds of lifetimes of a suite, separated by commas'),
  worlds: takes('1001,1002', 'worlds of a suite, separated by commas'),
  orders: takes('N', 'orders of the tasks of each world of a suite'),
  baseline: takes('M|no', 'what differences are measured against'),
  resume: takes('ID', 'go on with what was paused or interrupted'),
  context: takes('N', 'tokens the model may read at once'),
  'in-flight': takes('N', 'how many at a time on one loaded model'),
  iterations: takes('N', 'iterations of the study, or of the search'),
  passes: takes('N', 'how often the tasks are gone through'),
  retest: takes('N', 'tasks that are tried again at the end'),
  test: takes('N', 'last tasks that are attempted once at the end and learned nothing from'),
  dataset: takes('FILE', 'the tasks that were recorded'),
  'soft-prompt': takes('FILE', 'a soft prompt to serve'),
  'no-soft-prompt': flag('serve none, whatever the memory uses'),
  teacher: takes('N', 'attempts that the teacher is shown; default 20'),
  student: takes('N', 'attempts that the student is shown; default 4'),
  length: takes('N', 'tokens of the soft prompt; default: as many as suit the model, 20 to 64'),
  attempts: takes('N', 'attempts to learn from; default 100'),
  actions: takes('teacher|recorded', 'whose actions are learned'),
  'top-k': takes('K', "how many of the teacher's tokens are learned"),
  steps: takes('N', 'most steps of training; default 100'),
  rate: takes('R', 'learning rate; default 0.3'),
  backend: takes('cpu|cuda|vulkan|metal', 'what computes'),
  shown: takes('usual|paper|inside', 'how much teacher and student are shown: 20 to 4, 20 to 8, 32 to 20'),
  use: flag('put it to use in the memory at once, untried'),
  again: flag('try out again how fast this machine reads memory'),
  fresh: flag('begin anew, not from the newest soft prompt of the memory'),
  retry: flag('try failed tasks again first, and learn from those that are then solved'),
  untie: flag('write an untied copy of the model first'),
  'dry-run': flag('only say what would be done'),
  format: takes('F', 'a format of "loam kb formats"'),
  mode: takes('M', 'of memory search: text, semantic or hybrid; of proxy: both, recall, record or off'),
  alpha: takes('A', 'words against meaning, from 0 to 1; default 0.5'),
  tau: takes('T', 'likeness from which two experiences are ranked'),
  limit: takes('N', 'how many at most'),
  domains: takes('A,B', 'only of these domains'),
  tools: takes('A,B', 'only with these tools; of ask: the tool servers it may use'),
  'allow-tools': takes('A,B|all', 'tools that need no asking'),
  scope: takes('read,write', 'what a key allows; default read'),
  'all-memories': flag('every memory, for reading alone'),
  replace: flag('write over what is there already'),
  judge: takes('J', "a MODEL that judges; of errors also no, default the run's own; of proxy yes or no"),
  planner: takes('M', "the planner's own model"),
  executor: takes('M', "the executor's own model"),
  writer: takes('M', 'the model that writes what is remembered'),
  user: takes('M', 'the model that plays the user'),
  experiences: takes('MEMORY', 'memory whose experiences the cells of a study start with'),
  'prompt-price': takes('USD', 'per million tokens read; default: from the settings'),
  'completion-price': takes('USD', 'per million tokens written; default: from the settings'),
  preset: takes(
    'P[/BENCHMARK]',
    'settings of the method under a name, as "paper"; "loam methods" lists them; what is given beside it goes over it',
  ),
  settings: takes('JSON', 'settings by group'),
  set: takes('KEY=VALUE', 'GROUP.KEY=VALUE of a run, FIELD=TEXT of an item', 'many'),
  strategy: takes('mcts|greedy|iterative', 'how is searched; default mcts'),
  width: takes('N', 'variants of a document; default 3'),
  depth: takes('N', 'changes in a row; default 3'),
  lambda: takes('L', 'weight of retrieval in the reward; default 0.5'),
  train: takes('N', 'tasks to learn from; default 20, for spreadsheets 30'),
  eval: takes('N', 'tasks to measure on; default 10'),
  queries: takes('M', 'held-out tasks that score the documents of one concept; default 5'),
  concepts: takes('N', 'most concepts; default 12'),
  'at-once': flag('agents read what won without a person accepting it'),
  'token-budget': takes('N', 'most tokens'),
  minutes: takes('N', 'most minutes'),
  'upstream-dialect': takes(
    'NAME',
    'what that server speaks: openai-responses, openai-chat or anthropic-messages; default: as its address says',
  ),
  upstream: takes('URL|NAME', 'server that the proxy passes requests on to, with what was recalled'),
  port: takes('N', 'serve over HTTP on this port of 127.0.0.1; 0 takes any'),
  client: takes('NAME', 'what the program is called'),
  clients: takes('FILE', 'terms for each client, as JSON'),
  environment: takes('E', 'what attempts are taken for'),
  kinds: takes('A,B', 'only these kinds of memory, asks, attempts or rubrics'),
  signer: takes('FINGERPRINT', 'a signer, as an import names them'),
  import: takes('ID', 'an import, as "loam imports" names it'),
  program: takes('NAME', 'a program, by the name that what it told carries'),
  sign: takes('FILE', 'sign with the key in this file, which is made when it is not there'),
  licence: takes('L', 'under which licence it may be used'),
  provenance: takes('TEXT', 'where it comes from'),
  'on-conflict': takes('keep|take|both|ask', 'what to do about items that read differently; default keep'),
  conflicts: takes('keep|take|both|ask', 'is now called --on-conflict'),
  since: takes('BUNDLE', 'only what is new since an earlier bundle of the memory'),
  answers: takes('FILE', 'JSON of answers to single conflicts: {"KIND/ID": "keep|take|both"}'),
  shard: takes('I/N', 'only part I of N of the cells; the parts are put together by "experiments merge"'),
  to: takes('PLACE', 'a folder, or an address such as s3://bucket/name'),
  copy: flag('leave it where it is, too'),
  from: takes('PLACE', 'where it was published'),
  tokenless: flag('answer programs on this machine that send no key'),
  redact: flag('take secrets and home folders out'),
  undo: flag('take it back'),
  'no-hooks': flag('the memory server alone, nothing at the moments of the program'),
  write: flag('let it write too'),
  calls: takes('loam|graph', "whose calls are answered: Loam's, or those of the official memory server"),
  hold: flag('hold what it writes until a person has looked'),
  file: takes('F', 'a file that goes with the task', 'many'),
  'with-ask': takes('ID', 'another ask whose messages go with the task; "loam asks" lists them', 'many'),
  task: takes('N', 'the task of the stream whose world it is; default 1'),
  plan: flag('a planner and an executor take turns'),
  in: takes('ID', 'the next message of an earlier ask; "loam asks" lists them'),
  continue: flag('the next message of the ask that changed last'),
  try: takes('N', 'which try of an ask; default: the newest'),
  message: takes('N', 'which message of an ask'),
  about: takes('WHOM', 'what a fact is about: me, or a name; default: as it says'),
  until: takes('DAY', 'its last day, such as 2026-12-31; default: it has no end'),
  'as-answer': flag('the text stands in the place of the answer; no model is asked'),
  correct: takes('TEXT', 'what the answer should have been, or in a world what should have been done'),
  'wrong-at': takes('N', 'the step where it went wrong'),
  because: takes('TEXT', 'what was wrong there'),
  temporary: flag('write nothing of it to disk, and learn nothing from it'),
  'no-memory': flag('recall, but keep nothing of it'),
  'no-own-files': flag('recall nothing of the folders that the memory reads'),
  review: flag('wait for a person at the concepts'),
  data: takes('DIR', "data folder; default: $LOAM_DATA, else this user's own"),
  json: flag('the last line of stdout is one JSON object'),
} satisfies Readonly<Record<string, OptionDeclaration>>

export type OptionName = keyof typeof OPTIONS

/** The options that are switches. */
export type SwitchName = {
  [Name in OptionName]: (typeof OPTIONS)[Name] extends { value: string } ? never : Name
}[OptionName]

/** `Text` itself where it is names of options with a space between them, else never. */
export type OptionNames<Text extends string, Rest extends string = Text> = Rest extends OptionName
  ? Text
  : Rest extends `${infer First} ${infer Others}`
    ? First extends OptionName
      ? OptionNames<Text, Others>
      : never
    : never

/** What one option says of itself. */
export const optionOf = (name: OptionName): OptionDeclaration => OPTIONS[name]

/** What every command takes. */
export const ALWAYS: readonly OptionName[] = ['json', 'data', 'key-env']
