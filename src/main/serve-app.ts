import type { Contract } from '../shared/contract'
import { join } from 'node:path'
import { openDoor } from './api/door'
import { createRest } from './api/contract-rest'
import { RestSwitch } from './api/rest-server'
import { createRouter } from './api/router'
import { createTransports, type LoamRouter, type Transports } from './api/transports'
import { closeAll } from './ground/close-all'
import { noteDamage } from './ground/record-file'
import { startWatchdog, takeUnanswered, unansweredWords } from './watchdog/watchdog'
import { createApp, type App, type AppOptions } from './app'

/** An app with its router behind every transport. */
export interface ServedApp {
  readonly app: App
  readonly transports: Transports<Contract>
  readonly router: LoamRouter
  /** Lets nobody in any more and closes the app. Safe to call twice. */
  close(): Promise<void>
}

/**
 * Opens the data folder and serves the contract, to command lines of this person by itself; who else is served is up to the caller.
 * Errors as `createApp`.
 */
export async function serveApp(options: AppOptions): Promise<ServedApp> {
  const app = await createApp(options)
  const router: LoamRouter = createRouter(app)
  const rest = new RestSwitch(() => createRest(app, router), app.logger)
  const transports = createTransports<Contract>(router, (error, procedure) => {
    app.logger.error('a call failed unexpectedly', { procedure, error })
  })
  const unanswered = await takeUnanswered(app.data.path)
  if (unanswered) {
    app.logger.error('the host before did not answer', { ...unanswered })
    noteDamage(join(app.data.path, 'unanswered.json'), unansweredWords(unanswered))
  }
  // A host of a test, or of one command, is somebody else's to end.
  const isLasting = options.host === 'electron' || options.host === 'headless'
  const watchdog = isLasting
    ? startWatchdog({
        dataPath: app.data.path,
        // Kinds alone: what jobs are called may say what a person asked.
        work: () =>
          app.jobs
            .list()
            .flatMap(({ kind, status }) => (status === 'running' ? [kind] : []))
            .join(', '),
      })
    : null
  app.softPrompts.keepSchedules()
  app.files.keepInStep()
  app.methodChoice.keepComparing()
  app.messageReader.keepReading()
  app.watchedLogs.keepTaking()
  app.backups.keepMaking()
  const door = await openDoor(app.data.path, transports.serveSocket).catch(async (error: unknown) => {
    await watchdog?.stop()
    await app.dispose()
    throw error
  })
  if (options.host === 'electron') {
    app.onSettings((settings) => void rest.follow(settings.rest))
    await rest.follow(app.settings().rest)
  }
  let closing: Promise<void> | null = null
  const close = (): Promise<void> =>
    (closing ??= closeAll([
      () => rest.close(),
      () => door.close(),
      () => app.dispose(),
      () => watchdog?.stop(),
    ]))
  return { app, transports, router, close }
}
