import type { JobRegistry } from '../ground/jobs'
import type { Logger } from '../ground/logger'
import type { Memories } from '../memories/memories'
import type { FolderRecord, KnownFolder } from './folder-record'
import { hasChanged } from './sync-folder'

/** How often files are looked at, in ms. */
const LOOK_EVERY_MS = 60_000

/** Looks at the folders of the data folder's own memories, and begins to take in what has changed. */
export function watchFolders({
  memories,
  jobs,
  logger,
  recordOf,
  start,
}: {
  readonly memories: Pick<Memories, 'list'>
  readonly jobs: JobRegistry
  readonly logger: Logger
  readonly recordOf: (memoryId: string) => FolderRecord
  readonly start: (memoryId: string, folders: readonly KnownFolder[]) => void
}): { keepInStep(everyMs?: number): void; close(): void } {
  let timer: NodeJS.Timeout | null = null
  let looking = false

  const isWorking = (memoryId: string): boolean =>
    jobs.list().some(({ kind, subject, status }) => {
      return kind === 'documents' && subject === memoryId && status === 'running'
    })

  /** Begins to take in what has changed in any memory. */
  const look = async (): Promise<void> => {
    if (looking) return
    looking = true
    try {
      for (const { id } of await memories.list()) {
        if (isWorking(id)) continue
        const changes: KnownFolder[] = []
        for (const folder of await recordOf(id).read()) if (await hasChanged(folder)) changes.push(folder)
        if (changes.length > 0) start(id, changes)
      }
    } finally {
      looking = false
    }
  }

  return {
    keepInStep(everyMs = LOOK_EVERY_MS) {
      timer ??= setInterval(() => {
        look().catch((error: unknown) => logger.warn('Own files could not be looked at', { error }))
      }, everyMs)
      timer.unref()
    },
    close() {
      if (timer) clearInterval(timer)
    },
  }
}
