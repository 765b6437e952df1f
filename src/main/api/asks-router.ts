import { implement } from '@orpc/server'
import { contract } from '../../shared/contract'
import { exportAsk } from '../asks/export-ask'
import { renameProject } from '../asks/rename-project'
import type { App } from '../app'
import { moveKeys } from './program-keys'

const os = implement(contract).asks

/** Asks. */
export const asksRouter = ({
  asks,
  askDrafts,
  askHistory,
  messageDrafts,
  messageReader,
  projects,
  savedPrompts,
  memories,
  files,
  clock,
  data,
}: App) => ({
  drafts: os.drafts.handler(() => messageDrafts.list()),
  keepDraft: os.keepDraft.handler(({ input }) => messageDrafts.keep(input)),
  list: os.list.handler(({ input }) => asks.list(input)),
  get: os.get.handler(({ input }) => asks.get(input.askId)),
  start: os.start.handler(({ input }) => askDrafts.start(input)),
  say: os.say.handler(({ input }) => asks.say(input.askId, input.text, input.files, input.after)),
  branch: os.branch.handler(({ input }) => askDrafts.branch(input.askId, input.from, input.changes)),
  steer: os.steer.handler(({ input }) => asks.steer(input.askId, input.text)),
  queue: os.queue.handler(({ input }) => asks.queue(input.askId, input.text)),
  unqueue: os.unqueue.handler(({ input }) => asks.unqueue(input.askId, input.index, input.text)),
  archive: os.archive.handler(({ input }) => asks.archive(input.askId, input.archived)),
  seen: os.seen.handler(({ input }) => asks.seen(input.askId)),
  export: os.export.handler(({ input }) => exportAsk(asks.get(input.askId), input.format)),
  misplace: os.misplace.handler(({ input }) =>
    asks.misplace(input.askId, input.attempt, input.item, input.misplaced),
  ),
  keepFact: os.keepFact.handler(({ input }) =>
    asks.keepFact(input.askId, input.attempt, input.statement, input.keep),
  ),
  projects: os.projects.handler(() => projects.list()),
  setProject: os.setProject.handler(({ input }) => projects.set(input)),
  renameProject: os.renameProject.handler(({ input }) =>
    renameProject(input, {
      ...{ asks, projects, memories, files, clock },
      moveKeys: (from, name) => moveKeys(data.path, from, name),
    }),
  ),
  prompts: os.prompts.handler(() => savedPrompts.list()),
  savePrompt: os.savePrompt.handler(({ input }) => savedPrompts.save(input)),
  removePrompt: os.removePrompt.handler(({ input }) => savedPrompts.remove(input.id)),
  retry: os.retry.handler(({ input }) => asks.retry(input.askId)),
  startNow: os.startNow.handler(({ input }) => asks.startNow(input.askId)),
  stop: os.stop.handler(({ input }) => asks.stop(input.askId)),
  watch: os.watch.handler(({ input, signal }) => asks.watch(input.askId, { since: input.since, signal })),
  teach: os.teach.handler(({ input }) => asks.teach(input.askId, input.attempt, input.teaching)),
  judge: os.judge.handler(({ input }) => asks.judge(input.askId, input.attempt)),
  review: os.review.handler(() => asks.review()),
  reader: os.reader.handler(() => messageReader.get()),
  putOffReview: os.putOffReview.handler(() => asks.putOffReview()),
  check: os.check.handler(({ input }) => asks.check(input.askId, input.check)),
  editAnswer: os.editAnswer.handler(({ input }) => asks.editAnswer(input.askId, input.attempt, input.text)),
  takeOut: os.takeOut.handler(({ input }) => asks.takeOut(input.askId, input.part, input.removed)),
  fork: os.fork.handler(({ input }) => asks.fork(input.askId, input.attempt)),
  keep: os.keep.handler(({ input }) => asks.keep(input.askId)),
  putIn: os.putIn.handler(({ input }) => asks.file(input.askId, input.folder)),
  rename: os.rename.handler(({ input }) => asks.rename(input.askId, input.title)),
  pin: os.pin.handler(({ input }) => asks.pin(input.askId, input.pinned)),
  remove: os.remove.handler(({ input }) => asks.remove(input.askId)),
  restore: os.restore.handler(({ input }) => asks.restore(input.askId)),
  file: os.file.handler(({ input }) => asks.readFile(input.askId, input, input.name)),
  curve: os.curve.handler(({ input, signal }) => askHistory.curve(input.memoryId, signal)),
  recalls: os.recalls.handler(({ input, signal }) => askHistory.recalls(input.memoryId, signal)),
  toStream: os.toStream.handler(async ({ input }) => {
    const { streams, leftOut } = await askHistory.toStreams(input.title, input.memoryId)
    return { streams: [...streams], leftOut: [...leftOut] }
  }),
  world: os.world.handler(({ input }) => askDrafts.world(input)),
})
