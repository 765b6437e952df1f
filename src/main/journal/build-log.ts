import { mkdir, open, truncate } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { createSerial } from '../../shared/serial'
import { buildUnitSchema, type BuildUnit } from '../../core/memory/guides/unit'
import type { BuildLog } from '../../core/ground/ports'
import { LoamError } from '../../shared/errors'
import { diskError, readIfThere, syncFolder } from '../ground/atomic-file'

const NAME = /^[A-Za-z0-9._-]+$/

/** `<folder>/<build>.jsonl`: one line per finished piece, each written with fsync. A torn last line is cut when it is read. */
export function openBuildLog(folder: string, buildId: string): BuildLog {
  if (!NAME.test(buildId)) throw new RangeError(`"${buildId}" is no name for a build.`)
  const path = join(folder, `${buildId}.jsonl`)
  const serial = createSerial()
  return {
    units: () => serial(() => readUnits(path)),
    append: (unit) =>
      serial(async () => {
        try {
          const isNew = await mkdir(dirname(path), { recursive: true })
          const file = await open(path, 'a')
          const { size } = await file.stat()
          try {
            await file.appendFile(`${JSON.stringify(unit)}\n`)
            await file.sync()
          } catch (error) {
            // A handle that appends may not cut on Windows, so the file gets one of its own.
            await truncate(path, size).catch(() => undefined)
            throw error
          } finally {
            await file.close()
          }
          if (isNew !== undefined || size === 0) await syncFolder(dirname(path))
        } catch (error) {
          throw diskError(error, path)
        }
      }),
  }
}

async function readUnits(path: string): Promise<BuildUnit[]> {
  const text = (await readIfThere(path)) ?? ''
  const whole = text.slice(0, text.lastIndexOf('\n') + 1)
  // A torn last line is what a kill in mid-write leaves; it was never acknowledged.
  if (whole.length < text.length) await truncate(path, Buffer.byteLength(whole))
  return whole
    .split('\n')
    .filter((line) => line !== '')
    .map((line, i) => {
      try {
        return buildUnitSchema.parse(JSON.parse(line))
      } catch (error) {
        throw new LoamError('DATA_CORRUPT', `Line ${i + 1} of ${path} cannot be read.`, {
          suggestion: 'Restore the memory from a backup, or start a new build.',
          underlying: error,
        })
      }
    })
}
