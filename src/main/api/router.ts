import { damageIn } from '../ground/record-file'
import { implement } from '@orpc/server'
import { roleGroup } from '../../core/agent/roles'
import { AGENT } from '../../core/agent/settings'
import { PRESENTATION } from '../../core/ground/presentation'
import { groupInfo } from '../../core/ground/settings'
import { METHODS } from '../../core/methods'
import { ENVIRONMENTS } from '../../core/tasks'
import { GENERATORS, LIFELONG } from '../../core/tasks/generators'
import { viewFolder } from '../models/folder-view'
import { methodInfo } from '../../core/ground/method'
import { contract } from '../../shared/contract'
import type { App } from '../app'
import { studyFileName, studyText, readForeignStudy, loadTemplates } from '../experiments/study-file'
import { runCosts } from '../runs/run-costs'
import { asksRouter } from './asks-router'
import { itemsRouter } from './items-router'
import { sharingRouter } from './sharing-router'
import { serversRouter } from './servers-router'
import type { LoamRouter } from './transports'
import { streamPage } from '../streams/stream-page'

const os = implement(contract)

/** The contract, fulfilled by an app. Procedures only translate; what they do lives in its parts. */
export function createRouter(app: App): LoamRouter {
  return os.router({
    app: appRouter(app),
    asks: asksRouter(app),
    why: {
      explain: os.why.explain.handler(({ input, signal }) => app.whyFailed.explain(input.place, signal)),
      replay: os.why.replay.handler(({ input, signal }) =>
        app.whyFailed.replay(input.place, input.without, signal),
      ),
    },
    engine: engineRouter(app),
    models: modelsRouter(app),
    modules: modulesRouter(app),
    downloads: downloadsRouter(app),
    streams: {
      list: os.streams.list.handler(() => app.streams.list()),
      lifelong: os.streams.lifelong.handler(() =>
        LIFELONG.kinds.map(({ id, title, about }) => ({ id, title, about })),
      ),
      keepLifelong: os.streams.keepLifelong.handler(({ input: { kind, world, order } }) =>
        app.streams.keepMade(LIFELONG.nameOf(kind, world, order)),
      ),
      take: os.streams.take.handler(({ input }) =>
        app.streams.take(input.fileName, Buffer.from(input.base64, 'base64')),
      ),
      inspect: os.streams.inspect.handler(async ({ input }) => (await app.streams.load(input.path)).info),
      generate: os.streams.generate.handler(({ input: { world, tasks, generator } }) =>
        app.streams.generate(world, tasks, undefined, generator),
      ),
      page: os.streams.page.handler(({ input }) => streamPage(input.id, app)),
      look: os.streams.look.handler(({ input }) => app.ownTasks.look(input.source)),
      try: os.streams.try.handler(({ input }) => app.ownTasks.try(input)),
      keep: os.streams.keep.handler(({ input }) => app.ownTasks.keep(input)),
    },
    environments: {
      list: os.environments.list.handler(() =>
        ENVIRONMENTS.map(({ id, words: { title, tasks, about, solved, source }, colour, ...module }) => ({
          ...{ id, title, tasks, about, solved, source, colour },
          settings: groupInfo(module.settings),
          player: module.play === 'questions' ? groupInfo(AGENT) : null,
          presentation: groupInfo(PRESENTATION),
          roles: roleGroup(module),
        })),
      ),
      generators: os.environments.generators.handler(() =>
        GENERATORS.map(({ id, words }) => ({ id, ...words })),
      ),
    },
    methods: {
      list: os.methods.list.handler(() => METHODS.map(methodInfo)),
      choice: os.methods.choice.handler(() => app.methodChoice.get()),
      choose: os.methods.choose.handler(({ input }) => app.methodChoice.choose(input.method)),
      decline: os.methods.decline.handler(({ input }) => app.methodChoice.decline(input.method)),
      compare: os.methods.compare.handler(() => ({ jobId: app.methodChoice.compare().id })),
    },
    memories: memoriesRouter(app),
    runs: runsRouter(app),
    experiments: experimentsRouter(app),
    curves: {
      choices: os.curves.choices.handler(() => app.curves.choices()),
      series: os.curves.series.handler(({ input }) => app.curves.series(input)),
    },
    items: itemsRouter(app),
    files: filesRouter(app),
    sharing: sharingRouter(app),
    storage: storageRouter(app),
    guides: guidesRouter(app),
    softPrompts: softPromptsRouter(app),
    tools: toolsRouter(app),
    servers: serversRouter(app),
    jobs: {
      list: os.jobs.list.handler(() => app.jobs.list()),
      report: os.jobs.report.handler(({ input }) => app.jobs.report(input.jobId)),
      cancel: os.jobs.cancel.handler(({ input }) => app.jobs.cancel(input.jobId)),
      watch: os.jobs.watch.handler(({ input, signal }) => app.jobs.watch({ since: input.since, signal })),
    },
  })
}

const appRouter = (app: App) => ({
  info: os.app.info.handler(() => ({
    version: app.resources.version,
    dataPath: app.data.path,
    host: app.options.host,
    node: process.versions.node,
    windowless: app.options.windowless ?? null,
    firstStart: app.runs.list().length === 0,
    outgoingConnections: app.models.openModelServers(),
    damage: damageIn(app.data.path),
  })),
  settings: os.app.settings.handler(() => app.savedSettings()),
  saveSettings: os.app.saveSettings.handler(({ input }) => app.saveSettings(input)),
  watchUpdate: os.app.watchUpdate.handler(({ input, signal }) =>
    app.updates.feed.watch({ since: input.since, signal }),
  ),
  lookForUpdate: os.app.lookForUpdate.handler(() => app.updates.look()),
  fetchUpdate: os.app.fetchUpdate.handler(() => app.updates.fetch()),
  installUpdate: os.app.installUpdate.handler(({ input }) => app.updates.installOnQuit(input.onQuit)),
  takeOpened: os.app.takeOpened.handler(() => app.openedFiles.take()),
})

const engineRouter = (app: App) => ({
  state: os.engine.state.handler(() => app.engine.state),
  watch: os.engine.watch.handler(({ input, signal }) => app.engineFeed.watch({ since: input.since, signal })),
  embedders: os.engine.embedders.handler(() => app.embedders()),
})

const modelsRouter = (app: App) => ({
  gpuLibraries: os.models.gpuLibraries.handler(() => app.models.gpu.list()),
  list: os.models.list.handler(() => app.models.list()),
  places: os.models.places.handler(() => app.models.places()),
  fit: os.models.fit.handler(({ input: { path, contextSize } }) => app.fit(path, contextSize)),
  browse: os.models.browse.handler(({ input }) =>
    viewFolder(input, { ...app.storeWorld, folders: app.settings().modelFolders }),
  ),
  choose: os.models.choose.handler(({ input }) => app.options.chooseFiles?.(input.what) ?? null),
  add: os.models.add.handler(({ input }) => app.models.added.add(input.path)),
  forget: os.models.forget.handler(({ input }) => app.models.added.forget(input.path)),
  profile: os.models.profile.handler(({ input }) => app.profiles.get(input.path)),
  measure: os.models.measure.handler(async ({ input }) => ({
    jobId: (await app.profiles.measure(input.path)).id,
  })),
  showFacts: os.models.showFacts.handler(({ input: { path, form } }) =>
    app.profiles.choose(path, { facts: form }),
  ),
  showAttempts: os.models.showAttempts.handler(({ input: { path, form } }) =>
    app.profiles.choose(path, { attempts: form }),
  ),
  advice: os.models.advice.handler(() => app.models.advice()),
  measureMachine: os.models.measureMachine.handler(() => app.models.advice(true)),
  registry: os.models.registry.handler(() => app.models.registry()),
})

const memoriesRouter = (app: App) => ({
  list: os.memories.list.handler(() => app.memories.list()),
  mine: os.memories.mine.handler(() => app.myMemory.info()),
  decideMine: os.memories.decideMine.handler(({ input }) => app.myMemory.decide(input.memoryId)),
  dropOffer: os.memories.dropOffer.handler(({ input }) => app.myMemory.dropOffer(input.memoryId)),
  previewTake: os.memories.previewTake.handler(({ input }) => app.myMemory.preview(input.from)),
  take: os.memories.take.handler(({ input }) => app.myMemory.take(input)),
  takes: os.memories.takes.handler(() => app.myMemory.list()),
  undoTake: os.memories.undoTake.handler(({ input }) => app.myMemory.undo(input.takeId)),
  create: os.memories.create.handler(({ input }) => app.memories.create(input.name)),
  reindex: os.memories.reindex.handler(({ input }) => ({
    jobId: app.jobs.start(
      'reindex',
      'Rebuilding the search index',
      ({ signal, progress }) =>
        app.memories.reindex(input.memoryId, {
          signal,
          onProgress: (doneCount, total) => {
            progress({ done: doneCount, total, activity: `Indexed ${doneCount} of ${total} cases` })
          },
        }),
      { unit: 'cases', subject: input.memoryId },
    ).id,
  })),
})

const runsRouter = (app: App) => ({
  list: os.runs.list.handler(() => app.runs.list()),
  start: os.runs.start.handler(({ input }) => app.runDrafts.start(input)),
  preflight: os.runs.preflight.handler(({ input }) => app.preflight.check(input)),
  startDemo: os.runs.startDemo.handler(({ input }) => app.runDrafts.startDemo(input)),
  get: os.runs.get.handler(({ input }) => app.runs.get(input.runId)),
  pause: os.runs.pause.handler(({ input }) => app.runs.pause(input.runId)),
  resume: os.runs.resume.handler(({ input }) => app.runDrafts.resume(input.runId)),
  cancel: os.runs.cancel.handler(({ input }) => app.runs.cancel(input.runId)),
  watch: os.runs.watch.handler(({ input, signal }) =>
    app.runViews.watch(input.runId, { since: input.since, signal }),
  ),
  errors: os.runs.errors.handler(({ input }) => app.errors.report(input.runId, input.otherId)),
  judgeErrors: os.runs.judgeErrors.handler(({ input }) => ({
    jobId: app.errors.startJudging(input.runId, input.model),
  })),
  costs: os.runs.costs.handler(({ input }) =>
    runCosts(app.runs, input.runId, input.prices ?? app.settings().prices),
  ),
  report: os.runs.report.handler(({ input }) => app.runs.report(input.runId)),
  questions: os.runs.questions.handler(({ input }) => app.runs.report(input.runId).questions ?? null),
  trajectory: os.runs.trajectory.handler(({ input }) => app.runs.trajectory(input.runId, input.index)),
})

const experimentsRouter = (app: App) => ({
  list: os.experiments.list.handler(() => app.experiments.list()),
  plan: os.experiments.plan.handler(({ input }) => app.experimentDrafts.plan(input)),
  templates: os.experiments.templates.handler(() => loadTemplates(app.resources.experiments)),
  readStudy: os.experiments.readStudy.handler(({ input }) => readForeignStudy(input.text, input.fileName)),
  studyText: os.experiments.studyText.handler(({ input }) => ({
    fileName: studyFileName(input),
    text: studyText(input),
  })),
  start: os.experiments.start.handler(({ input }) => app.experimentDrafts.start(input)),
  get: os.experiments.get.handler(({ input }) => app.experiments.get(input.experimentId)),
  pause: os.experiments.pause.handler(({ input }) => app.experiments.pause(input.experimentId)),
  resume: os.experiments.resume.handler(({ input }) => app.experimentDrafts.resume(input.experimentId)),
  cancel: os.experiments.cancel.handler(({ input }) => app.experiments.cancel(input.experimentId)),
  watch: os.experiments.watch.handler(({ input, signal }) =>
    app.experiments.watch(input.experimentId, { since: input.since, signal }),
  ),
  report: os.experiments.report.handler(({ input }) =>
    app.experiments.report(input.experimentId, input.baseline),
  ),
  suite: os.experiments.suite.handler(({ input }) => app.experiments.suite(input.experimentId)),
  playRecordings: os.experiments.playRecordings.handler(({ input }) => ({
    jobId: app.recordings.play(input).id,
  })),
  recordings: os.experiments.recordings.handler(({ input }) => app.recordings.report(input.jobId)),
})

const guidesRouter = ({ guides }: App) => ({
  list: os.guides.list.handler(({ input }) => guides.list(input.memoryId)),
  versions: os.guides.versions.handler(({ input }) =>
    guides.versions(input.memoryId, input.conceptId, input.candidates),
  ),
  builds: os.guides.builds.handler(({ input }) => guides.builds(input.memoryId)),
  build: os.guides.build.handler(({ input }) => guides.build(input.memoryId, input.buildId)),
  tree: os.guides.tree.handler(({ input }) => guides.tree(input.memoryId, input.buildId)),
  watch: os.guides.watch.handler(({ input: { memoryId, buildId, since }, signal }) =>
    guides.watch(memoryId, buildId, { since, signal }),
  ),
  insights: os.guides.insights.handler(({ input }) => guides.insights(input.memoryId, input.buildId)),
  rollout: os.guides.rollout.handler(({ input }) =>
    guides.rollout(input.memoryId, input.buildId, input.trajectoryId),
  ),
  estimate: os.guides.estimate.handler(({ input }) => guides.estimate(input)),
  start: os.guides.start.handler(({ input }) => guides.start(input)),
  resume: os.guides.resume.handler(({ input }) =>
    guides.resume(input.memoryId, input.buildId, input.inFlight),
  ),
  editConcepts: os.guides.editConcepts.handler(({ input }) =>
    guides.editConcepts(input.memoryId, input.buildId, input.edit),
  ),
  decide: os.guides.decide.handler(({ input }) =>
    guides.decide(input.memoryId, input.conceptId, input.versionId, input.accepted),
  ),
  decideAll: os.guides.decideAll.handler(({ input }) =>
    guides.decideAll(input.memoryId, input.buildId, input.accepted),
  ),
  edit: os.guides.edit.handler(({ input }) => guides.edit(input.memoryId, input.conceptId, input.text)),
  rubrics: os.guides.rubrics.handler(({ input }) => guides.rubrics(input.memoryId, input.environment)),
  saveRubrics: os.guides.saveRubrics.handler(({ input }) =>
    guides.saveRubrics(input.memoryId, input.environment, input.rubrics),
  ),
})

const toolsRouter = (app: App) => ({
  servers: os.tools.servers.handler(() => app.tools.servers()),
  save: os.tools.save.handler(({ input }) => app.tools.save(input.server, input.secrets, input.isNew)),
  remove: os.tools.remove.handler(({ input }) => app.tools.remove(input.id)),
  enable: os.tools.enable.handler(({ input }) => app.tools.enable(input.id, input.enabled)),
  test: os.tools.test.handler(({ input }) => app.tools.test(input.id)),
  try: os.tools.try.handler(async ({ input, signal }) => ({
    ...(await app.tools.tryTool(input.id, input.tool, input.args, signal)),
  })),
  requests: os.tools.requests.handler(({ input, signal }) =>
    app.tools.permissions.watch({ since: input.since, signal }),
  ),
  answer: os.tools.answer.handler(({ input }) => app.tools.permissions.answer(input.id, input.answer)),
})

const filesRouter = ({ files }: App) => ({
  list: os.files.list.handler(({ input }) => files.list(input.memoryId)),
  add: os.files.add.handler(({ input }) => files.add(input.memoryId, input.path, input.project)),
  sync: os.files.sync.handler(({ input }) => files.sync(input.memoryId, input.folderId)),
  lastSync: os.files.lastSync.handler(({ input }) => files.lastSync(input.folderId)),
  remove: os.files.remove.handler(({ input }) => files.remove(input.memoryId, input.folderId)),
  open: os.files.open.handler(({ input }) => files.open(input.memoryId, input.passageId)),
})

const modulesRouter = ({ modules }: App) => ({
  list: os.modules.list.handler(() => modules.list()),
  add: os.modules.add.handler(({ input, signal }) => modules.add(input.source, signal)),
  allow: os.modules.allow.handler(({ input }) => modules.allow(input.name)),
  deny: os.modules.deny.handler(({ input }) => modules.deny(input.name)),
  remove: os.modules.remove.handler(({ input }) => modules.remove(input.name)),
})

const storageRouter = ({ storage, backups }: App) => ({
  use: os.storage.use.handler(() => storage.use()),
  rename: os.storage.rename.handler(({ input: { name, ...place } }) => storage.rename(place, name)),
  remove: os.storage.remove.handler(({ input }) => storage.remove(input)),
  trash: os.storage.trash.handler(() => storage.trash()),
  restore: os.storage.restore.handler(({ input }) => storage.restore(input.trashId)),
  empty: os.storage.empty.handler(({ input }) => storage.empty(input.trashIds)),
  backUp: os.storage.backUp.handler(async () => ({ path: await backups.make() })),
  backups: os.storage.backups.handler(() => backups.list()),
  previewBackup: os.storage.previewBackup.handler(async ({ input }) => ({
    changes: await backups.preview(input.name),
  })),
  goBack: os.storage.goBack.handler(async ({ input }) => {
    await backups.goBack(input.name)
    return backups.list()
  }),
  checkup: os.storage.checkup.handler(({ input }) => storage.checkup(input.repair)),
  repairMemory: os.storage.repairMemory.handler(({ input }) => storage.repairMemory(input.memoryId)),
})

const downloadsRouter = ({ models: { downloads, hub, gpu } }: App) => ({
  list: os.downloads.list.handler(() => downloads.list()),
  watch: os.downloads.watch.handler(({ input, signal }) =>
    downloads.feed.watch({ since: input.since, signal }),
  ),
  search: os.downloads.search.handler(({ input, signal }) => hub.search(input.text, signal)),
  choices: os.downloads.choices.handler(({ input, signal }) => hub.choices(input.repo, signal)),
  offers: os.downloads.offers.handler(() => [...hub.offers]),
  add: os.downloads.add.handler(({ input }) => hub.add(input.repo, input.choice)),
  addKnown: os.downloads.addKnown.handler(({ input }) => hub.addKnown(input.id)),
  addEmbedder: os.downloads.addEmbedder.handler(({ input }) => hub.addEmbedder(input.id)),
  addGpuLibrary: os.downloads.addGpuLibrary.handler(({ input }) => gpu.add(input.kind)),
  pause: os.downloads.pause.handler(({ input }) => downloads.pause(input.downloadId)),
  resume: os.downloads.resume.handler(({ input }) => downloads.resume(input.downloadId)),
  cancel: os.downloads.cancel.handler(({ input }) => downloads.cancel(input.downloadId)),
})

const softPromptsRouter = ({ softPrompts }: App) => ({
  plan: os.softPrompts.plan.handler(({ input }) => softPrompts.plan(input)),
  start: os.softPrompts.start.handler(({ input }) => softPrompts.start(input)),
  resume: os.softPrompts.resume.handler(({ input }) => softPrompts.resume(input.memoryId)),
  compare: os.softPrompts.compare.handler(({ input }) =>
    softPrompts.compare(input.memoryId, input.adapter, input.choice),
  ),
  cancel: os.softPrompts.cancel.handler(async ({ input }) => {
    await softPrompts.cancel(input.memoryId)
  }),
  forget: os.softPrompts.forget.handler(({ input }) => softPrompts.forget(input.memoryId)),
  watch: os.softPrompts.watch.handler(({ input, signal }) =>
    softPrompts.watch(input.memoryId, { since: input.since, signal }),
  ),
  list: os.softPrompts.list.handler(({ input }) => softPrompts.list(input.memoryId)),
  served: os.softPrompts.served.handler(({ input }) =>
    softPrompts.served(input.memoryId, input.stream, input.model),
  ),
  accept: os.softPrompts.accept.handler(({ input }) => softPrompts.accept(input.memoryId, input.adapter)),
  withdraw: os.softPrompts.withdraw.handler(({ input }) =>
    softPrompts.withdraw(input.memoryId, input.environment),
  ),
  undo: os.softPrompts.undo.handler(({ input }) => softPrompts.undo(input.memoryId, input.environment)),
  remove: os.softPrompts.remove.handler(({ input }) => softPrompts.remove(input.memoryId, input.adapter)),
  restore: os.softPrompts.restore.handler(({ input }) => softPrompts.restore(input.memoryId, input.adapter)),
  export: os.softPrompts.export.handler(({ input }) =>
    softPrompts.export(input.memoryId, input.adapter, input.folder),
  ),
  setSchedule: os.softPrompts.setSchedule.handler(({ input }) =>
    softPrompts.setSchedule(input.memoryId, input.rule, input.input),
  ),
})
