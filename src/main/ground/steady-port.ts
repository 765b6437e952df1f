import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { LoamError } from '../../shared/errors'
import { readDerived, writeDerived } from './derived-file'

const portSchema = z.object({ port: z.number().int().min(1).max(65_535) })

/**
 * Starts the page of a data folder at the port that it had the last time, so that its address stays the same: at a free one where it had none, or where
 * another program has it now. `port` other than 0: at that one, and at no other.
 *
 * @throws LoamError `CONFLICT` where the port that is port is taken
 */
export async function atPort<S extends { readonly port: number }>(
  port: number,
  dataPath: string,
  start: (at: number) => Promise<S>,
): Promise<S> {
  const path = join(dataPath, 'window', 'port.json')
  const last = port === 0 ? ((await readDerived(path, portSchema))?.port ?? 0) : port
  const server = await start(last).catch((error: unknown) => {
    const isTaken = error instanceof LoamError && error.code === 'CONFLICT'
    if (!isTaken || port !== 0 || last === 0) throw error
    return start(0)
  })
  if (server.port !== last) {
    await mkdir(join(dataPath, 'window'), { recursive: true })
    await writeDerived(path, { port: server.port })
  }
  return server
}
