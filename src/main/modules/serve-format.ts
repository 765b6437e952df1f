import type { Format } from '../../core/formats/format'
import { UNRECOGNISED } from '../../core/ground/recognition'
import { openReadings } from '../adapters/isolate/work/memory-file'
import { serveIsolate } from '../adapters/isolate/serve-isolate'
import type { Work } from '../ground/isolate/protocol'
import type { FormatCode, FormatReply, FormatRequest } from './format-talk'
import { importModule } from './module-code'

// An isolate in which the format of one module reads files from outside. It may read the folder of modules, and writes nothing.

/** That it is a format was checked where it was allowed. */
const loadFormat = async ({ folder, title, entry, checksum }: FormatCode): Promise<Format> =>
  (await importModule(folder, { title, entry }, checksum, { provided: true })) as Format

function openModuleFormat(): Work<FormatRequest, FormatReply> {
  let loading: Promise<Format> | null = null
  let format: Format | null = null
  const readings = openReadings(() => {
    if (!format) throw new Error('A file was read before its format was there.')
    return format
  })
  return async (request) => {
    format = await (loading ??= loadFormat(request.code))
    if ('reading' in request) return { reading: await readings(request.reading) }
    return { recognition: format.recognise?.(request.head, request.name) ?? UNRECOGNISED }
  }
}

await serveIsolate(import.meta.filename, () => Promise.resolve(openModuleFormat()))
