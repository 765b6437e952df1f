import type { Build } from '../../../shared/domain/guide-build'
import type { SearchSettings } from '../../../shared/domain/guide-search'
import type { SettingChanges } from '../../../shared/domain/setting'
import type { Task } from '../../../shared/domain/task'
import { currentGuides } from '../../memory/guides/fold'
import type { MemoryStore } from '../../ground/ports'
import { runBuild } from './build'
import { estimateBuild, paceOf } from './estimate'
import { parseRubrics } from './messages'
import { PAPER } from './paper'
import { guidePlayer, recallGuides } from './play'
import type { KbDocument } from './retrieve'
import { documentOf } from './search'
import { PRINTED_INTEGRATOR, TEMPLATES } from './templates'
import {
  NOTHING_LEARNED,
  type Method,
  type MethodContext,
  type PrepareInput,
  type RecallInput,
} from '../../ground/method'
import { readSettings } from '../../ground/settings'
import { ENVIRONMENTS } from '../../tasks'
import { SETTINGS } from './settings'
import { laterBuilds, splitBalanced, splitCounts, type Split } from './split'

/** The documents agents read in an environment. */
const readDocuments = (bank: Pick<MemoryStore, 'concepts'>, environment: string): KbDocument[] =>
  currentGuides(bank.concepts, environment).map(documentOf)

/** What an attempt looks documents up in. */
const softPromptStoreOf = (
  { task }: Pick<RecallInput, 'task'>,
  { bank, embedder, model, settings }: Pick<MethodContext, 'bank' | 'embedder' | 'model' | 'settings'>,
) => ({
  ...{ embedder, model, documents: readDocuments(bank, task.environment) },
  shown: readSettings(SETTINGS, settings).shown,
})

/** The template with the rubrics of an environment. */
const rubricsTemplate = (environment: string): string => `rubrics-${environment}`

/** The rubrics of an environment: a person's own in this memory, else the ones that ship with Loam. */
export const rubricsOf = (context: Pick<MethodContext, 'bank' | 'prompts'>, environment: string) =>
  context.bank.concepts.rubrics.get(environment) ??
  parseRubrics(context.prompts.text(rubricsTemplate(environment)))

const buildId = (runId: string, part: number): string =>
  part === 0 ? `build-${runId}` : `build-${runId}-${part}`

/** The tasks that a build which was begun began with. */
function tasksOfBuild(build: Build, { earlier, tasks }: PrepareInput): Split<Task[]> {
  const among = (ids: readonly string[]): Task[] =>
    [...earlier, ...tasks].filter((task) => ids.includes(task.id))
  return { train: among(build.train), evaluation: among(build.evaluation) }
}

/** New tasks on both sides, no more than a build takes; what only scored in the build before is learned from now. */
function dealt(
  { runId, part, earlier, tasks }: PrepareInput,
  { bank, settings }: MethodContext,
): Split<Task[]> {
  const split = splitCounts(settings, 2 * tasks.length)
  const { train, evaluation } = splitBalanced(tasks, split)
  const scored =
    part === 0 ? [] : (bank.concepts.builds.get(buildId(runId, part - 1))?.build.evaluation ?? [])
  return { train: [...earlier.filter(({ id }) => scored.includes(id)), ...train], evaluation }
}

/** What a build of a run takes in all, by what the run's own attempts took: `about 540 attempts, 3 minutes in all`. */
async function takes(
  settings: SearchSettings,
  { train, evaluation }: Split<readonly Task[]>,
  { attempted }: PrepareInput,
): Promise<string> {
  const products = (await Promise.all(train.map((task) => attempted(task)))).flatMap(
    (attempt) => attempt ?? [],
  )
  const counts = { train: train.length, evaluation: evaluation.length }
  const { attempts, minutes } = estimateBuild({ ...settings, ...counts }, paceOf(products, [], null))
  const time = minutes === null ? '' : `, ${Math.max(1, Math.round(minutes))} min`
  return `about ${attempts - products.length} attempts${time} in all`
}

async function prepare(input: PrepareInput, context: MethodContext) {
  const settings = readSettings(SETTINGS, context.settings)
  const { environment, runId, part } = input
  const id = buildId(runId, part)
  const { builds } = context.bank.concepts
  const record = builds.get(id)?.build
  const { train, evaluation } = record ? tasksOfBuild(record, input) : dealt(input, context)
  const build: Build = record ?? {
    id,
    environment,
    stream: null,
    model: context.model.path,
    modelName: context.model.name,
    seed: context.seed,
    settings,
    train: train.map((task) => task.id),
    evaluation: evaluation.map((task) => task.id),
    start: readDocuments(context.bank, environment).map((document) => document.id),
    review: false,
    inputs: runId,
    startedAt: input.now().toISOString(),
  }
  const inAll = await takes(settings, { train, evaluation }, input)
  const end = await runBuild({
    build,
    bank: context.bank,
    context,
    rubrics: rubricsOf(context, environment),
    train,
    evaluation,
    inFlight: 1,
    stopAtConcepts: false,
    useAtOnce: settings.use !== 'ask',
    attempted: (task) => input.attempted(task),
    play: guidePlayer(input.play, brew.info, settings),
    now: () => input.now(),
    signal: input.signal,
    pauseRequested: () => input.pauseRequested(),
    progress: ({ activity }) => {
      input.activity(`${activity}; ${inAll}`)
    },
  })
  return end.kind === 'done' ? end.outcome : ('paused' as const)
}

/**
 * BREW (anonymous, under review): a knowledge base of one document per concept, written from the insights of a training split and
 * improved by Expand-and-Gather MCTS, then read by the agent. The first tasks of a stream are the split: 20 to learn from and 10 to
 * score with (A.5), balanced over their categories. They are attempted without documents like with any other method, which is algorithm
 * 2's first round of rollouts; the search follows (brew/build.ts), and only what comes after counts. It is taken up once
 * more `again` tasks later, then twice as many, with tasks since then and from the documents there are.
 *
 * The top 3 documents stand behind the system prompt; they are looked up again after each message of a user (A.5) unless `retrieveAt`
 * says start.
 */
export const brew: Method = {
  info: {
    id: 'brew',
    title: 'Concept documents',
    description:
      'Writes a document per concept from the first tasks, improves them by search, then reads them.',
    source: 'BREW, Expand-and-Gather MCTS (algorithms 1 to 5)',
    usesK: false,
    defaultK: 0,
    colour: 8,
    keeps: ['document'],
    assumesMeaning: 'Which concepts are the same',
    recalls: [{ kind: 'document', what: 'the concept documents most like the task', place: 'system' }],
  },
  settings: SETTINGS,
  paper: PAPER,
  defaultsFor(environment): SettingChanges {
    const train = ENVIRONMENTS.find(({ id }) => id === environment)?.learnsFrom
    return train === undefined ? {} : { brew: { train } }
  },
  prompts: (environment) => [...Object.values(TEMPLATES), PRINTED_INTEGRATOR, rubricsTemplate(environment)],
  prepare: {
    split(settings, count) {
      const { train, evaluation } = splitCounts(settings, count)
      return train + evaluation
    },
    again: laterBuilds,
    run: prepare,
  },
  recall: (input, context) => recallGuides(input.task.instruction, softPromptStoreOf(input, context), input),
  async recallTurn(input, context) {
    if (readSettings(SETTINGS, context.settings).retrieveAt === 'start') return null
    return recallGuides(input.message, softPromptStoreOf(input, context), input)
  },
  learn: () => Promise.resolve(NOTHING_LEARNED),
}
