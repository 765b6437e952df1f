import { openEpisode } from '../../core/ground/environment'
import { join } from 'node:path'
import type { LanguageModel } from '../../core/ground/ports'
import { rememberedIn } from '../../core/memory/facts/statement'
import {
  askSpecSchema,
  type AskBranch,
  type AskChanges,
  type AskInfo,
  type StartAsk,
} from '../../shared/domain/ask'
import { IMPORTED_MODEL } from '../../shared/domain/ask-origin'
import { BASELINE } from '../../shared/domain/experiment'
import { MY_MEMORY } from '../../shared/domain/memory-info'
import { roleLine } from '../../shared/domain/model-profile'
import { LoamError } from '../../shared/errors'
import type { Host } from '../host/host'
import { nameOfModel } from '../ground/model-file'
import { readReference } from '../ground/model-reference'
import type { Items } from '../items/memory-items'
import { modelFor } from './ask-defaults'
import type { RunQueue } from '../runs/run-queue'
import { createAskHistory, type AskHistory } from './ask-history'
import { openAskStore } from './ask-store'
import { inProject, openProjectStore, type ProjectStore } from './project-store'
import { openPromptStore, type PromptStore } from './prompt-store'
import { openDraftStore, type DraftStore } from './draft-store'
import { openAskList, type Asks } from './asks'
import type { JudgePorts } from './judge-ask'
import { checkAttempt, judgeAttempt } from './judge-attempt'
import { actOut, learnFromAsk, lessonsOf, moveTaught } from './learn-from-ask'
import { openMessageReader, type MessageReaderArea } from './message-reader'
import { openMethodChoice, requireEveryday, type MethodChooser } from './method-choice'
import { environmentOfAsk, playAsk, taskOfWorld, type AskNeeds } from './play-ask'
import { keepOffered } from './remember'

/** Asks, and what a new one starts with. */
export interface AsksArea {
  readonly asks: Asks
  readonly askDrafts: AskDrafts
  readonly askHistory: AskHistory
  readonly messageDrafts: DraftStore
  readonly projects: ProjectStore
  readonly savedPrompts: PromptStore
  readonly methodChoice: MethodChooser
  readonly messageReader: MessageReaderArea
}

export interface AskDrafts {
  /** Fills in defaults, checks what is named, and starts. @throws LoamError `BAD_INPUT`, `NOT_FOUND` */
  start(input: StartAsk): Promise<AskInfo>
  /** Tries a message again as `Asks.branch` does, once what is named is known to be there. @throws LoamError `BAD_INPUT`, `NOT_FOUND` */
  branch(askId: string, from: AskBranch, changes: AskChanges): Promise<AskInfo>
  /** What an ask in the world of a task finds there. */
  world(world: NonNullable<AskInfo['spec']['world']>): Promise<{
    instruction: string
    context: string
    tasks: number
  }>
}

/** What the area needs of other areas. */
export interface AsksNeeds extends AskNeeds {
  readonly runs: Pick<
    RunQueue,
    'visitModel' | 'startNow' | 'atRest' | 'waitForModel' | 'isAwaited' | 'isVisited' | 'atWork' | 'list'
  >
  readonly memory: Pick<Items, 'get' | 'remove'>
}

/** Opens the asks of the data folder. */
export async function openAsks(host: Host, needs: AsksNeeds): Promise<AsksArea> {
  const { runs, memory } = needs
  const ownModel = () => modelOfPerson(asks.list({ text: '', deleted: false }), host)
  const withModel = async <T>(
    { spec, title }: AskInfo,
    signal: AbortSignal,
    work: (model: LanguageModel) => Promise<T>,
  ): Promise<T> => {
    const model = spec.model === IMPORTED_MODEL ? await ownModel() : spec.model
    const lazy = lazyModel({ title, spec: { ...spec, model } }, host, runs, signal)
    try {
      return await work(lazy.model)
    } finally {
      lazy.release()
    }
  }
  const projects = openProjectStore(join(host.data.path, 'projects.json'))
  const store = openAskStore(join(host.data.path, 'asks'))
  const act: JudgePorts['actOut'] = (ask, answer) => actOut(ask, answer, notHere(ask), needs)
  const asks = await openAskList(host, {
    store,
    reviewFile: join(host.data.path, 'review.json'),
    play: async (one, events) => playAsk(await inProject(one, projects), host, needs, events),
    visitModel: runs.visitModel,
    startNow: runs.startNow,
    environmentOf: (spec) => environmentOfAsk(spec, needs),
    ownModel,
    usual: () => {
      const { info } = requireEveryday(methodChoice.current())
      return { method: info.id, k: info.defaultK }
    },
    // What a command opens ends with it, so nothing is begun there that nobody asked it for.
    resumes: host.options.host !== 'terminal',
    atRest: runs.atRest,
    actOut: act,
    learn: (lesson, signal) =>
      withModel(lesson.ask, signal, (model) => learnFromAsk(lesson, model, host, needs, signal)),
    check: async (ask, attempt, signal) => {
      if (ask.check?.turn === attempt.turn && ask.check.how.kind === 'judge') await requireJudge(ask, needs)
      return withModel(ask, signal, (model) => checkAttempt(ask, attempt, needs, model, signal))
    },
    judge: async (ask, attempt, signal) => {
      await requireJudge(ask, needs)
      return withModel(ask, signal, (model) => judgeAttempt(ask, attempt, needs, model, signal))
    },
    keepFact: (ask, from) => keepOffered(ask, from, host, needs.memories),
    move: (teachings, project) => moveTaught(teachings, project, needs, host.clock.now().toISOString()),
    async forget({ spec: { memoryId } }, items) {
      for (const ref of items)
        if ((await memory.get(memoryId, ref)).gone === null) await memory.remove(memoryId, ref)
    },
  })
  if (!host.data.myMemory.record().scoped)
    void putIntoProjects(asks, host, needs).catch((error: unknown) =>
      host.logger.warn('What asks in folders have taught could not be put into projects', { error }),
    )
  const methodChoice = await openMethodChoice(host, { asks, runs, needs, actOut: act })
  return {
    asks,
    methodChoice,
    messageReader: openMessageReader(host, { asks, runs, profiles: needs.profiles }),
    askDrafts: createAskDrafts(host, needs, asks, methodChoice),
    projects,
    savedPrompts: openPromptStore(join(host.data.path, 'saved-prompts.json')),
    messageDrafts: openDraftStore(join(host.data.path, 'ask-drafts')),
    askHistory: createAskHistory(host, needs, asks, { store, actOut: act }),
  }
}

/** Folders of asks become projects: what their asks have taught belongs to them from now on. Once per data folder. */
async function putIntoProjects(asks: Asks, host: Host, needs: AsksNeeds): Promise<void> {
  for (const deleted of [false, true])
    for (const { id, folder } of asks.list({ text: '', deleted }))
      if (folder !== null)
        await moveTaught(lessonsOf(asks.get(id)), folder, needs, host.clock.now().toISOString())
  await host.data.myMemory.markScoped()
}

/** Who answers a person where nobody is named: who was asked last, if they can be asked, else as for a new ask. */
async function modelOfPerson(all: readonly AskInfo[], host: Host): Promise<string> {
  const list = await host.providers.list()
  const canAnswer = ({ origin, spec: { world, model } }: AskInfo): boolean =>
    origin === null &&
    world === null &&
    (readReference(model) !== null ||
      list.some(({ path, base, demo, problem }) => path === model && !base && !demo && problem === null))
  const [last] = all.filter(canAnswer).sort((a, b) => b.createdAt.localeCompare(a.createdAt))
  return last?.spec.model ?? modelFor({ world: null, isKept: false }, host)
}

function createAskDrafts(
  host: Host,
  needs: AsksNeeds,
  asks: Asks,
  choice: Pick<MethodChooser, 'current'>,
): AskDrafts {
  return {
    async start({ files = [], project = null, temporary = false, ...input }) {
      const method = requireEveryday(input.method ?? choice.current())
      // What is to be remembered is kept wherever it is said, and nobody acts for it.
      const isKept =
        input.remember !== false && method.info.id !== BASELINE && rememberedIn(input.text) !== null
      const world = isKept ? null : (input.world ?? null)
      if (world) await taskOfWorld(world, needs)
      const model = input.model ?? (await modelFor({ world, isKept }, host))
      const memoryId = needs.memories.resolve(input.memoryId ?? MY_MEMORY)
      await needs.memories.open(memoryId)
      const spec = askSpecSchema.safeParse({
        ...input,
        world,
        model,
        memoryId,
        method: method.info.id,
        automatic: input.method === undefined,
        k: input.k ?? method.info.defaultK,
      })
      if (spec.success) return asks.start(spec.data, files, project, temporary)
      const [issue] = spec.error.issues
      throw new LoamError('BAD_INPUT', `${issue?.path.join('.') ?? 'ask'}: ${issue?.message ?? ''}.`, {
        suggestion: 'Correct it and ask again.',
      })
    },
    async branch(askId, from, changes) {
      const memoryId = changes.memoryId && needs.memories.resolve(changes.memoryId)
      if (memoryId) await needs.memories.open(memoryId)
      const method = changes.method === undefined ? null : requireEveryday(changes.method)
      return asks.branch(askId, from, {
        ...(method && { k: method.info.defaultK }),
        ...changes,
        ...(memoryId && { memoryId }),
      })
    },
    async world(world) {
      const task = await taskOfWorld(world, needs)
      const environment = await needs.environments.acting(task.environment)
      const episode = await openEpisode(environment, task)
      try {
        const { info } = await needs.streams.load(world.stream)
        return { instruction: task.instruction, context: episode.context, tasks: info.tasks }
      } finally {
        episode.close()
      }
    },
  }
}

/** The model of an ask where no model may be asked. */
const notHere = ({ spec }: AskInfo): LanguageModel => ({
  name: spec.model,
  path: spec.model,
  contextSize: 0,
  generate: () => Promise.reject(needsModel()),
  countTokens: () => Promise.reject(needsModel()),
})

/** @throws LoamError `CONFLICT` for a model that failed the test of judges, or was not asked all of it yet */
async function requireJudge({ spec: { model } }: AskInfo, { profiles }: Pick<AskNeeds, 'profiles'>) {
  const profile = await profiles.get(model)
  if (profile?.roles === true) return
  throw profile?.roles === false
    ? new LoamError('CONFLICT', roleLine(profile), { suggestion: 'Say yourself whether it was right.' })
    : new LoamError('CONFLICT', `It is not known yet whether ${nameOfModel(model)} judges as people do.`, {
        suggestion: 'Have it measured in Models, or say yourself whether it was right.',
      })
}

const needsModel = (): LoamError =>
  new LoamError('BAD_INPUT', 'The user of this world is played by a model.', {
    suggestion: 'Leave the answer empty and only say whether it was right.',
  })

/** The ask's model, which waits for its turn and is loaded when a method first asks it for something. */
function lazyModel(
  { spec, title }: Pick<AskInfo, 'spec' | 'title'>,
  host: Host,
  runs: Pick<RunQueue, 'visitModel'>,
  signal: AbortSignal,
) {
  let loading: Promise<{ readonly model: LanguageModel; readonly giveBack: () => void }> | null = null
  let heldModel: LanguageModel | null = null
  const load = async () => {
    const request = { title: `learning from “${title}”`, lane: 'learning', model: spec.model } as const
    const giveBack = await runs.visitModel(request, signal)
    try {
      heldModel = await host.loadModel(spec.model, { signal, first: true })
      return { giveBack, model: heldModel }
    } catch (error) {
      giveBack()
      throw error
    }
  }
  const getResource = () => (loading ??= load())
  const model: LanguageModel = {
    // Once it has judged or written, it is called what it calls itself.
    get name() {
      return heldModel?.name ?? nameOfModel(spec.model)
    },
    path: spec.model,
    get contextSize() {
      return heldModel?.contextSize ?? 4096
    },
    generate: async (request, options) => (await getResource()).model.generate(request, options),
    countTokens: async (texts, options) => (await getResource()).model.countTokens(texts, options),
  }
  return {
    model,
    release: () => void loading?.then(({ giveBack }) => giveBack()).catch(() => undefined),
  }
}
