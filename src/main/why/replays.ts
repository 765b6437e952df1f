import { mkdir, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { replaySchema, type Replay } from '../../shared/domain/why'
import { diskError, errnoOf, replaceFile } from '../ground/atomic-file'
import { sealed, unsealed } from '../ground/sealed'

/** `folder` holds each run's own. */
export function openReplays(folder: string) {
  const fileOf = (runId: string, index: number): string => join(folder, runId, 'replays', `${index}.jsonl`)
  const linesOf = async (path: string): Promise<string[]> => {
    const text = await readFile(path, 'utf8').catch((error: unknown) => {
      if (errnoOf(error) === 'ENOENT') return ''
      throw diskError(error, path)
    })
    return text.split('\n').filter((line) => line !== '')
  }
  return {
    /** Of one attempt, oldest first. Lines that cannot be read are left out. */
    async list(runId: string, index: number): Promise<Replay[]> {
      return (await linesOf(fileOf(runId, index))).flatMap((line) => {
        try {
          return [replaySchema.parse(unsealed(line))]
        } catch {
          return []
        }
      })
    },
    async add(runId: string, index: number, replay: Replay) {
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
