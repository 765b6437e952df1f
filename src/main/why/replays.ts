import { mkdir, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { replaySchema, type Replay } from '../../shared/domain/why'
import { diskError, errnoOf, replaceFile } from '../ground/atomic-file'
import { sealed, unsealed } from '../runs/sealed'

/** Attempts of runs that were played again: a file beside each run, one replay per line with a checksum. */
export interface ReplayStore {
  /** Of one attempt, oldest first. Lines that cannot be read are left out. */
  list(runId: string, index: number): Promise<Replay[]>
  add(runId: string, index: number, replay: Replay): Promise<void>
}

/** `folder` holds each run's own. */
export function openReplays(folder: string): ReplayStore {
  const fileOf = (runId: string, index: number): string => join(folder, runId, 'replays', `${index}.jsonl`)
  const linesOf = async (path: string): Promise<string[]> => {
    const text = await readFile(path, 'utf8').catch((error: unknown) => {
      if (errnoOf(error) === 'ENOENT') return ''
      throw diskError(error, path)
    })
    return text.split('\n').filter((line) => line !== '')
  }
  return {
    async list(runId, index) {
      return (await linesOf(fileOf(runId, index))).flatMap((line) => {
        try {
          return [replaySchema.parse(unsealed(line))]
        } catch {
          return []
        }
      })
    },
    async add(runId, index, replay) {
      const path = fileOf(runId, index)
      try {
        await mkdir(dirname(path), { recursive: true })
        const lines = [...(await linesOf(path)), sealed(replay)]
        await replaceFile(path, (target) => target.writeFile(`${lines.join('\n')}\n`))
      } catch (error) {
        throw diskError(error, path)
      }
    },
  }
}
