import { PROVIDER_WORDS } from './words'

interface OptionDeclaration {
  /** What its value is called in the help; absent for a switch. */
  readonly value?: string
  readonly about: string
  /** Whether it may be given more than once. */
  readonly many?: boolean
}

/** Every option that a command can take, each with one meaning wherever it is taken. */
export const OPTIONS = {
  stream: { value: 'S', about: 'a bundled stream by its name, or a file of tasks' },
  title: { value: 'T', about: 'what it is called' },
  question: { value: 'COLUMN', about: 'the column that asks' },
  answer: { value: 'COLUMN', about: 'the column with the answer' },
  check: { value: 'KIND|JSON', about: 'how answers are compared (docs/streams.md)' },
  method: { value: 'M', about: 'how it remembers; "loam methods" lists them' },
  tasks: { value: 'N', about: 'how many tasks' },
  seed: { value: 'N', about: 'where chance begins; default 1' },
  k: { value: 'K', about: 'how many items are recalled' },
  model: {
    value: 'M',
    about: `a GGUF file, the name of one that "loam models" lists, or ${PROVIDER_WORDS}; default: the demo model`,
  },
  'key-env': { value: 'VAR', about: 'environment variable with the key of a server named by its URL' },
  url: { value: 'URL', about: 'where the server answers' },
  provider: { value: 'ID', about: 'which provider speaks to it' },
  space: { value: 'DIR', about: 'folder of a space' },
  temperature: { value: 'T', about: 'of sampling, from 0 to 2' },
  'max-tokens': { value: 'N', about: 'most tokens of a reply' },
  'gpu-layers': { value: 'auto|max|cpu|N', about: 'layers to offload; default: from the settings' },
  world: { value: 'SEED', about: 'which world' },
  out: { value: 'PATH', about: 'where to write' },
  methods: { value: 'A,B', about: 'methods, separated by commas' },
  seeds: { value: '1,2,3', about: 'seeds, separated by commas' },
  exp: { value: '0,1,4', about: 'how many items are recalled, separated by commas' },
  streams: { value: 'A,B', about: 'kinds of lifetimes of a suite, separated by commas' },
  worlds: { value: '1001,1002', about: 'worlds of a suite, separated by commas' },
  orders: { value: 'N', about: 'orders of the tasks of each world of a suite' },
  baseline: { value: 'M|no', about: 'what differences are measured against' },
  resume: { value: 'ID', about: 'go on with what was paused or interrupted' },
  context: { value: 'N', about: 'tokens the model may read at once' },
  'in-flight': { value: 'N', about: 'how many at a time on one loaded model' },
  iterations: { value: 'N', about: 'iterations of the study, or of the search' },
  passes: { value: 'N', about: 'how often the tasks are gone through' },
  retest: { value: 'N', about: 'tasks that are tried again at the end' },
  test: { value: 'N', about: 'last tasks that are attempted once at the end and learned nothing from' },
  dataset: { value: 'FILE', about: 'the tasks that were recorded' },
  'soft-prompt': { value: 'FILE', about: 'a soft prompt to serve' },
  'no-soft-prompt': { about: 'serve none, whatever the space uses' },
  teacher: { value: 'N', about: 'attempts that the teacher is shown; default 20' },
  student: { value: 'N', about: 'attempts that the student is shown; default 4' },
  length: { value: 'N', about: 'tokens of the soft prompt; default 20' },
  attempts: { value: 'N', about: 'attempts to learn from; default 100' },
  actions: { value: 'teacher|recorded', about: 'whose actions are learned' },
  'top-k': { value: 'K', about: "how many of the teacher's tokens are learned" },
  steps: { value: 'N', about: 'most steps of training; default 150' },
  rate: { value: 'R', about: 'learning rate; default 0.3' },
  backend: { value: 'cpu|cuda|vulkan|metal', about: 'what computes' },
  shown: {
    value: 'usual|paper|inside',
    about: 'how much teacher and student are shown: 20 to 4, 20 to 8, 32 to 20',
  },
  fresh: { about: 'begin anew, not from the newest soft prompt of the space' },
  untie: { about: 'write an untied copy of the model first' },
  'dry-run': { about: 'only say what would be done' },
  format: { value: 'F', about: 'a format of "loam kb formats"' },
  mode: {
    value: 'M',
    about: 'of kb search: text, semantic or hybrid; of proxy: both, recall, record or off',
  },
  alpha: { value: 'A', about: 'words against meaning, from 0 to 1; default 0.5' },
  tau: { value: 'T', about: 'likeness from which two experiences are ranked' },
  limit: { value: 'N', about: 'how many at most' },
  domains: { value: 'A,B', about: 'only of these domains' },
  tools: { value: 'A,B', about: 'only with these tools; of ask: the tool servers it may use' },
  'allow-tools': { value: 'A,B|all', about: 'tools that need no asking' },
  scope: { value: 'read,write,admin', about: 'what a token allows; default read' },
  judge: {
    value: 'J',
    about: "a MODEL that judges; of errors also no, default the run's own; of proxy yes or no",
  },
  planner: { value: 'M', about: "the planner's own model" },
  executor: { value: 'M', about: "the executor's own model" },
  writer: { value: 'M', about: 'the model that writes what is remembered' },
  user: { value: 'M', about: 'the model that plays the user' },
  experiences: { value: 'DIR', about: 'memory whose experiences the cells of a study start with' },
  'prompt-price': { value: 'USD', about: 'per million tokens read; default: from the settings' },
  'completion-price': { value: 'USD', about: 'per million tokens written; default: from the settings' },
  preset: {
    value: 'P[/BENCHMARK]',
    about:
      'settings of the method under a name, as "paper"; "loam methods" lists them; what is given beside it goes over it',
  },
  settings: { value: 'JSON', about: 'settings by group' },
  set: { value: 'KEY=VALUE', about: 'GROUP.KEY=VALUE of a run, FIELD=TEXT of an item', many: true },
  strategy: { value: 'mcts|greedy|iterative', about: 'how is searched; default mcts' },
  width: { value: 'N', about: 'variants of a document; default 3' },
  depth: { value: 'N', about: 'changes in a row; default 3' },
  lambda: { value: 'L', about: 'weight of retrieval in the reward; default 0.5' },
  train: { value: 'N', about: 'tasks to learn from; default 20, for spreadsheets 30' },
  eval: { value: 'N', about: 'tasks to measure on; default 10' },
  queries: { value: 'M', about: 'held-out tasks that score the documents of one concept; default 5' },
  concepts: { value: 'N', about: 'most concepts; default 12' },
  'at-once': { about: 'agents read what won without a person accepting it' },
  'token-budget': { value: 'N', about: 'most tokens' },
  minutes: { value: 'N', about: 'most minutes' },
  port: { value: 'N', about: 'serve over HTTP on this port of 127.0.0.1; 0 takes any' },
  client: { value: 'NAME', about: 'what the program is called' },
  clients: { value: 'FILE', about: 'terms for each client, as JSON' },
  environment: { value: 'E', about: 'what attempts are taken for' },
  kinds: { value: 'A,B', about: 'only these kinds of memory, attempts or rubrics' },
  sign: { value: 'FILE', about: 'sign with the key in this file, which is made when it is not there' },
  licence: { value: 'L', about: 'under which licence it may be used' },
  provenance: { value: 'TEXT', about: 'where it comes from' },
  conflicts: {
    value: 'keep|take|both|ask',
    about: 'what to do about items that read differently; default keep',
  },
  since: { value: 'BUNDLE', about: 'only what is new since an earlier bundle of the space' },
  answers: { value: 'FILE', about: 'JSON of answers to single conflicts: {"KIND/ID": "keep|take|both"}' },
  shard: {
    value: 'I/N',
    about: 'only part I of N of the cells; the parts are put together by "experiments merge"',
  },
  to: { value: 'PLACE', about: 'a folder, or an address such as s3://bucket/name' },
  from: { value: 'PLACE', about: 'where it was published' },
  tokenless: { about: 'answer programs on this machine that send no key' },
  redact: { about: 'take secrets and home folders out' },
  write: { about: 'let it write too' },
  hold: { about: 'hold what it writes until a person has looked' },
  file: { value: 'F', about: 'a file that goes with the task', many: true },
  task: { value: 'N', about: 'the task of the stream whose world it is; default 1' },
  plan: { about: 'a planner and an executor take turns' },
  'no-memory': { about: 'recall, but keep nothing of it' },
  'no-own-files': { about: 'recall nothing of the folders that the space reads' },
  review: { about: 'wait for a person at the concepts' },
  data: { value: 'DIR', about: "data folder; default: $LOAM_DATA, else this user's own" },
  json: { about: 'the last line of stdout is one JSON object' },
} as const satisfies Readonly<Record<string, OptionDeclaration>>

export type OptionName = keyof typeof OPTIONS

/** What one option says of itself. */
export const optionOf = (name: OptionName): OptionDeclaration => OPTIONS[name]

/** What every command takes. */
export const ALWAYS: readonly OptionName[] = ['json', 'data', 'key-env']
