import type { Contract } from '../../shared/contract'
import { LoamError } from '../../shared/errors'
import { openDoor, type Door } from '../api/door'
import { createRouter } from '../api/router'
import { createTransports, type LoamClient } from '../api/transports'
import { createApp, type App } from '../app'
import { closeAll } from '../ground/close-all'
import { findDataPath } from '../ground/data-path'
import { damageIn } from '../ground/record-file'
import { keyFromEnvironment, type Arguments } from './arguments'
import type { ConsoleIo } from './console-io'

/** The Loam that a command works with. */
export interface ReachedHost {
  /** The contract. */
  readonly client: LoamClient
  /** Whether it was open already (a window's, a browser page's, or another command's): what is started there goes on without this one. */
  readonly joined: boolean
  /** Resolves when the Loam that was joined is no longer there; never for one of this process. */
  readonly gone: Promise<void>
  /** Lets other commands join for as long as this one works; without effect where this one has joined itself. */
  share(): Promise<void>
  close(): Promise<void>
}

/** Closing takes as long as the task at hand; what takes longer than this waits for something that will not come. */
const CLOSE_WITHIN_MS = 15_000

/** An app of this process over a data folder. @throws LoamError as `createApp` */
export function openApp(args: Arguments, dataPath = findDataPath(args.text('data'))): Promise<App> {
  const gpuLayers = args.gpuLayers()
  const modelKey = keyFromEnvironment(args)
  return createApp({
    dataPath,
    host: 'terminal',
    ...(gpuLayers !== undefined && { gpuLayers }),
    ...(modelKey !== undefined && { modelKey }),
  })
}

/** An app of this process, reached as a joined one is. @throws LoamError as `createApp` */
export async function openOwnHost(dataPath: string, args: Arguments, io: ConsoleIo): Promise<ReachedHost> {
  const app = await openApp(args, dataPath)
  // This process ends with the command: nobody would hear of it later.
  for (const words of damageIn(app.data.path)) io.note(words)
  const { client, serveSocket } = createTransports<Contract>(createRouter(app))
  let door: Promise<Door> | undefined
  const leave = async (): Promise<void> => {
    const handle = await door
    if (!handle) return
    if (!io.signal.aborted && handle.guests() > 0)
      io.note('Another command works here still; this one ends with it. Ctrl-C ends both.')
    await handle.empty(io.signal)
    await handle.close()
  }
  return {
    client,
    joined: false,
    gone: new Promise(() => undefined),
    share: async () => void (await (door ??= openDoor(app.data.path, serveSocket))),
    close: () => closeAll([leave, () => disposeInTime(app)]),
  }
}

/** Closes an app, or says that it takes too long. */
export async function disposeInTime(app: App): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(tooLate()), CLOSE_WITHIN_MS)
  })
  await Promise.race([app.dispose(), late]).finally(() => clearTimeout(timer))
}

const tooLate = (): LoamError =>
  new LoamError('INTERNAL', 'Loam did not close in time.', {
    suggestion: 'What was saved before is kept; the next start puts the rest in order.',
  })
