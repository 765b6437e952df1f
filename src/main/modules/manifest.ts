import { readFile } from 'node:fs/promises'
import { isAbsolute, join, normalize, sep } from 'node:path'
import { z } from 'zod'
import { moduleManifestSchema, type ModuleManifest } from '../../shared/domain/module'
import { LoamError } from '../../shared/errors'
import { errnoOf } from '../ground/errno'
import { SPI_VERSION } from './spi-version'

export const MANIFEST = 'manifest.json'

const unusable = (cause: string, suggestion: string): LoamError =>
  new LoamError('MODULE', cause, { suggestion })

/** What the module in a folder says of itself. @throws LoamError `MODULE`, naming what is missing or wrong */
export async function readManifest(folder: string): Promise<ModuleManifest> {
  const path = join(folder, MANIFEST)
  let value: unknown
  try {
    value = JSON.parse(await readFile(path, 'utf8'))
  } catch (error) {
    const why = errnoOf(error) === 'ENOENT' ? 'is missing' : `cannot be read: ${(error as Error).message}`
    throw unusable(
      `${path} ${why}.`,
      'Name the folder of a module, with a manifest.json (docs/extending.md).',
    )
  }
  const parsed = moduleManifestSchema.safeParse(value)
  if (!parsed.success)
    throw unusable(
      `${path} is not a manifest: ${z.prettifyError(parsed.error).replace(/\s+/g, ' ')}.`,
      'Correct the field (docs/extending.md), and add the module again.',
    )
  const { entry } = parsed.data
  if (isAbsolute(entry) || normalize(entry).split(sep)[0] === '..')
    throw unusable(
      `${path}: entry "${entry}" leaves the folder.`,
      'Name a file below the folder of the module.',
    )
  return parsed.data
}

/** @throws LoamError `MODULE` where a module was written for another service interface than this Loam has */
export function checkSpi({ title, spi }: Pick<ModuleManifest, 'title' | 'spi'>): void {
  const [major = 0, minor = 0] = SPI_VERSION.split('.').map(Number)
  const [wantedMajor = 0, wantedMinor = 0] = spi.replace('^', '').split('.').map(Number)
  if (wantedMajor === major && wantedMinor <= minor) return
  throw unusable(
    `"${title}" needs version ${spi} of the service interface; this Loam has ${SPI_VERSION}.`,
    wantedMajor < major ? 'Get a newer version of the module.' : 'Get a newer Loam.',
  )
}
