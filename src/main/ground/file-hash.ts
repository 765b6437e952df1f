import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { z } from 'zod'
import { LoamError } from '../../shared/errors'
import { errnoOf } from './atomic-file'
import { readDerived, writeDerived } from './derived-file'
import { refuseSpecialFile } from './plain-file'
import { createSerial } from '../../shared/serial'

export interface FileHash {
  readonly sizeBytes: number
  readonly sha256: string
}

/** SHA-256 of model files, remembered by path, size and time of change, since reading gigabytes takes a while. */
export type FileHasher = ReturnType<typeof createFileHasher>

const cacheSchema = z.record(
  z.string(),
  z.object({ sizeBytes: z.number(), mtimeMs: z.number(), sha256: z.string() }),
)

/** Keeps what it computed in `cacheFile`; a cache that cannot be read is started afresh, as it only saves time. */
export function createFileHasher(cacheFile: string) {
  const serial = createSerial()
  const readCache = async (): Promise<z.infer<typeof cacheSchema>> =>
    (await readDerived(cacheFile, cacheSchema)) ?? {}
  return {
    /** The hash of a file that was hashed before and has not changed since; null for others. */
    async known(path: string): Promise<string | null> {
      const record = (await readCache())[path]
      const file = record && (await stat(path).catch(() => null))
      return file?.size === record?.sizeBytes && file?.mtimeMs === record?.mtimeMs
        ? (record?.sha256 ?? null)
        : null
    },
    /** @throws LoamError `MODEL_NOT_FOUND`; AbortError when `signal` fires */
    hash: (path: string, signal?: AbortSignal): Promise<FileHash> =>
      serial(async () => {
        await refuseSpecialFile(path, 'MODEL_NOT_FOUND')
        const { size, mtimeMs } = await stat(path).catch((error: unknown) => {
          throw notFound(path, error)
        })
        const cache = await readCache()
        const record = cache[path]
        if (record?.sizeBytes === size && record.mtimeMs === mtimeMs)
          return { sizeBytes: size, sha256: record.sha256 }
        const hash = createHash('sha256')
        for await (const chunk of createReadStream(path, { highWaterMark: 1 << 20, signal })) {
          hash.update(chunk as Buffer)
        }
        const sha256 = hash.digest('hex')
        await writeDerived(cacheFile, { ...cache, [path]: { sizeBytes: size, mtimeMs, sha256 } })
        return { sizeBytes: size, sha256 }
      }),
  }
}

function notFound(path: string, error: unknown): LoamError {
  const cause =
    errnoOf(error) === 'ENOENT' ? `There is no file ${path}.` : `${path}: ${(error as Error).message}.`
  return new LoamError('MODEL_NOT_FOUND', cause, {
    suggestion: 'Pick a GGUF file that is there; "loam models" lists those Loam knows.',
    underlying: error,
  })
}
