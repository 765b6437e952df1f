import type { JobInfo } from '../../shared/domain/job'
import type { LoamClient } from '../client-type'
import { plural } from '../components/format'
import type { Stores } from './all-stores'
import { notifyEnd } from './notify'
import { openJob } from './open-job'
import { refusalOf } from './error-shape'

/** What a job of a kind has changed. */
const CHANGED: Partial<Record<JobInfo['kind'], (stores: Stores) => readonly Promise<void>[]>> = {
  run: ({ runs, softPrompts: consolidation }) => [runs.getState().load(), consolidation.getState().reload()],
  demo: ({ runs }) => [runs.getState().load()],
  consolidation: ({ softPrompts: consolidation }) => [consolidation.getState().reload()],
  experiment: ({ experiments }) => [experiments.getState().load()],
  // What is downloaded may be an encoder, and then it is chosen.
  download: ({ models, embedders, settings }) => [
    models.getState().reload(),
    embedders.getState().reload(),
    settings.getState().load(),
  ],
  ask: ({ asks }) => [asks.getState().load()],
  import: ({ asks }) => [asks.getState().load()],
  // Its first load told how fast it is.
  measuring: ({ models }) => [models.getState().reload()],
  comparing: ({ methodChoice }) => [methodChoice.getState().reload()],
}

/** Jobs that nobody waits for: what they came to stands where it is used. */
const QUIET: ReadonlySet<JobInfo['kind']> = new Set(['measuring', 'comparing', 'reading'])

/** Reads what a job that ended has changed, and says how it ended. */
export function jobEnded(job: JobInfo, stores: Stores, client: LoamClient): void {
  const { ui, toasts, memories, asks, items } = stores
  void memories.getState().reload()
  void CHANGED[job.kind]?.(stores)
  if (items.getState().memoryId) void items.getState().reload()
  if (job.status === 'cancelled' || QUIET.has(job.kind)) return
  const words = endWords(job)
  const open = () => openJob(job, stores)
  const { importId, subject } = job
  // An ask that is open in a window out of sight is seen by nobody.
  notifyEnd(job, words, open)
  // Who looks at an ask sees it end.
  if (job.kind === 'ask' && ui.getState().screen === 'ask' && asks.getState().openId === job.subject) return
  toasts.getState().show({
    ...words,
    tone: job.status === 'done' ? 'plain' : 'problem',
    action:
      job.kind === 'import' && importId !== undefined && subject !== null
        ? { label: 'Undo', run: () => void undoImport({ ...stores, client }, subject, importId) }
        : { label: 'Open', run: open },
  })
}

/** How a job ended, in words. */
function endWords(job: JobInfo): { readonly title: string; readonly detail: string } {
  if (job.kind === 'build' && job.status === 'done')
    // It may also have stopped for a person to look at the concepts.
    return {
      title: `${job.title}: ready`,
      detail: 'The result, or the concepts to look over, are on the Guides screen.',
    }
  return job.status === 'done'
    ? { title: `${job.title}: done`, detail: job.activity }
    : {
        title: `${job.title}: ${job.problem?.title ?? 'failed'}`,
        detail: job.problem?.suggestion ?? job.activity,
      }
}

/** Undoes an import as a whole, and says so. What of it the person went on with stays; that is said first. */
export async function undoImport(
  stores: Pick<Stores, 'asks' | 'toasts' | 'memories' | 'items'> & { client: LoamClient },
  memoryId: string,
  importId: string,
  isTold = false,
): Promise<void> {
  const { client, toasts, memories, items, asks } = stores
  const refusal = await refusalOf(
    (async () => {
      const all = isTold ? [] : await client.items.imports({ memoryId })
      const stays = all.find((one) => one.importId === importId)?.goneOnWith ?? 0
      if (stays > 0) {
        toasts.getState().show({
          title: `You went on with ${plural(stays, 'ask')} of this import`,
          detail: 'Undoing leaves them, and takes the rest.',
          tone: 'plain',
          action: { label: 'Undo the rest', run: () => void undoImport(stores, memoryId, importId, true) },
        })
        return
      }
      const { file, removed } = await client.items.undoImport({ memoryId, importId })
      const [first = '', ...others] = file.split(', ')
      const files = others.length === 0 ? first : `${first} and ${plural(others.length, 'other file')}`
      toasts.getState().tell('The import is undone', `${plural(removed, 'item')} of ${files}`)
    })(),
  )
  if (refusal) toasts.getState().report(refusal)
  await Promise.all([memories.getState().reload(), asks.getState().load()])
  if (items.getState().memoryId) await items.getState().reload()
}
