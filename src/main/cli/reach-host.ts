import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { LoamError } from '../../shared/errors'
import { findDataPath } from '../ground/data-path'
import { keyFromEnvironment, UsageError, type Arguments } from './arguments'
import type { ConsoleIo } from './console-io'
import { joinHost } from './join-host'
import type { ReachedHost } from './own-host'

/** How long to wait for a Loam that is just opening or closing, in ms. */
const WAIT_MS = 5000
const LOOK_MS = 200

/** Loaded where no Loam is open to be joined: a command that joins needs none of what works. */
const openOwn = async (dataPath: string, args: Arguments, io: ConsoleIo): Promise<ReachedHost> =>
  (await import('./own-host')).openOwnHost(dataPath, args, io)

const isLocked = (error: unknown): boolean => error instanceof LoamError && error.code === 'DATA_DIR_LOCKED'

/**
 * Joins the Loam that has the chosen data folder open, else opens one over it. A command that names its own memory does not need the
 * person's folder, so when that one is in use by a Loam that cannot be joined it works from a temporary one and says so.
 * @throws LoamError as `createApp`
 */
export async function reachHost(args: Arguments, io: ConsoleIo): Promise<ReachedHost> {
  const choice = args.text('data')
  const dataPath = findDataPath(choice)
  for (let waited = 0; ; waited += LOOK_MS) {
    const client = await joinHost(dataPath)
    if (client) return joined(client, args, io)
    try {
      return await openOwn(dataPath, args, io)
    } catch (error) {
      if (!isLocked(error)) throw error
      if (waited >= WAIT_MS) {
        if (choice !== undefined || args.text('memory') === undefined) throw error
        const folder = await mkdtemp(join(tmpdir(), 'loam-data-'))
        io.note(`The data folder is in use, so the record of this run is kept in ${folder}`)
        return openOwn(folder, args, io)
      }
      await sleep(LOOK_MS, undefined, { signal: io.signal })
    }
  }
}

async function joined(
  match: Pick<ReachedHost, 'client' | 'gone' | 'close'>,
  args: Arguments,
  io: ConsoleIo,
): Promise<ReachedHost> {
  // The key of a server is kept by whoever keeps the server; any other would be gone with this command.
  if (keyFromEnvironment(args) !== undefined && args.positionals[0] !== 'servers') {
    await match.close()
    throw new UsageError(
      'Loam is open and takes no key from a command',
      'Add a server with the key (loam servers add NAME --url URL --key-env VAR), and name that.',
    )
  }
  if (args.gpuLayers() !== undefined)
    io.note('Loam is open, so its own setting of layers to offload holds; --gpu-layers changes nothing.')
  return { ...match, joined: true, share: () => Promise.resolve() }
}
