import { fstatSync, openSync, readSync } from 'node:fs'
import type { BundleReply, BundleRequest } from '../../../bundle/bundle-talk'
import { checkBundle, type ReadBundle } from '../../../bundle/check-bundle'
import type { Bytes } from '../../../ground/zip-entries'
import type { Work } from '../../../ground/isolate/protocol'
import { lineValue } from './texts'

interface Reading {
  readonly as: 'lines' | 'values'
  readonly batches: AsyncGenerator<string[]>
}

/** Checks every byte of a bundle, then hands out lines of its files as they are asked for. */
export function openBundles(): Work<BundleRequest, BundleReply> {
  let bundle: ReadBundle | null = null
  const readings = new Map<number, Reading>()
  return async (request) => {
    if ('open' in request) {
      bundle = await checkBundle(bytesOfFile(request.open))
      return bundle.about
    }
    const { id } = request
    if ('leave' in request) {
      await readings.get(id)?.batches.return(undefined)
      readings.delete(id)
      return { lines: null }
    }
    if (!bundle) throw new Error('There is no bundle.')
    if ('read' in request) readings.set(id, { as: request.as, batches: bundle.lines(request.read) })
    const reading = readings.get(id)
    if (!reading) throw new Error('There is no such reading.')
    const { value: lines = null } = (await reading.batches.next()) as { value?: string[] }
    if (!lines) readings.delete(id)
    return reading.as === 'lines' ? { lines } : { values: lines && lines.map(lineValue) }
  }
}

function bytesOfFile(path: string): Bytes {
  const file = openSync(path, 'r')
  return {
    size: fstatSync(file).size,
    read(at, length) {
      const bytes = Buffer.allocUnsafe(length)
      return bytes.subarray(0, readSync(file, bytes, 0, length, at))
    },
  }
}
