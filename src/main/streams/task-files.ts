import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { TaskFolder } from '../../core/ground/environment-module'
import { findEnvironment } from '../../core/tasks'
import type { OpenedStream } from '../../core/streams/stream-library'
import { leaveOut, placeWords, type LeftRow, type RowPlace } from '../../shared/domain/reading'
import type { Task } from '../../shared/domain/task'
import { LoamError } from '../../shared/errors'
import { walkFolder } from '../ground/walk-folder'
import { digestOf } from './world'

/** Milliseconds after which others get a turn. */
const TURN_MS = 20

/** The folder as environments see it. What is read more than once while a stream is opened is read once. */
function taskFolder(folder: string): TaskFolder {
  const digests = new Map<string, Promise<string>>()
  const lists = new Map<string, Promise<string[] | null>>()
  return {
    names: (path) => readdir(join(folder, path)),
    files(path, most) {
      const listed =
        lists.get(path) ??
        walkFolder(join(folder, path), most).then(({ files, more }) =>
          more ? null : files.map(({ name }) => `${path}/${name}`),
        )
      lists.set(path, listed)
      return listed
    },
    digest(paths) {
      const key = paths.join('\n')
      const digest =
        digests.get(key) ??
        Promise.all(paths.map((path) => readFile(join(folder, path)))).then((files) => digestOf(files))
      digests.set(key, digest)
      return digest
    },
  }
}

/**
 * A stream whose tasks know what lies beside it (attachments of questions, policy and database of conversations, workbooks), so that a
 * run notices when one of these files changes. Tasks whose files are not there are left out and reported.
 * @throws LoamError `TASK_STREAM` when no task is left
 */
export async function withTaskFiles(stream: OpenedStream, folder: string): Promise<OpenedStream> {
  const files = taskFolder(folder)
  const tasks: Task[] = []
  const places: RowPlace[] = []
  const gaps: LeftRow[] = []
  let since = performance.now()
  for (const [i, task] of stream.tasks.entries()) {
    if (performance.now() - since > TURN_MS) {
      await nextTurn()
      since = performance.now()
    }
    const place = stream.places[i] ?? { line: i + 1 }
    const match = (await findEnvironment(task.environment).attach?.(task, files)) ?? { payload: task.payload }
    if ('reason' in match) {
      gaps.push({ ...place, why: match.reason })
      continue
    }
    tasks.push({ ...task, index: tasks.length, payload: match.payload })
    places.push(place)
  }
  const [first] = gaps
  if (tasks.length === 0 && first) {
    throw new LoamError(
      'TASK_STREAM',
      `No task of ${stream.info.id} is left: ${placeWords(first)}: ${first.why}.`,
      { suggestion: 'Put the files that the tasks need beside the stream.' },
    )
  }
  const info = { ...stream.info, tasks: tasks.length, reading: leaveOut(stream.info.reading, gaps) }
  return { ...stream, info, tasks, places }
}
