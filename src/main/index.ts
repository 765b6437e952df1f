import { join } from 'node:path'
import { app, BrowserWindow, dialog, powerMonitor } from 'electron'
import { z } from 'zod'
import { toErrorShape } from '../shared/errors'
import { findDataPath } from './ground/data-path'
import { keepFilesPrivate } from './ground/own-files'
import { serveApp } from './serve-app'
import type { ServedApp } from './serve-app'
import type { StartOptions } from './start-options'
import { readStartOptions } from './start-options'
import { declareUiScheme, openWindow, serveWindows } from './desktop/window'
import { chooseFiles } from './desktop/choose-files'
import { spawnUtilityEngine } from './desktop/window-engine'
import { guardContents } from './desktop/window-guards'
import { leaveInOrder } from './desktop/window-leaving'
import { revivePage } from './desktop/window-revival'

/** What a second start hands to the first. */
const secondFiles = z.object({ files: z.array(z.string()) }).catch({ files: [] })

keepFilesPrivate()

function begin(options: StartOptions): void {
  const dataPath = findDataPath(options.data)
  // Beside the data, so that two data folders are two Loams and one data folder is one.
  app.setPath('userData', join(dataPath, 'window'))
  if (!app.requestSingleInstanceLock({ files: options.files })) {
    app.quit()
    return
  }
  let host: ServedApp | null = null
  /** Files that are to be opened before there is a host. */
  const early = [...options.files]
  const open = (files: readonly string[]) => (host ? host.app.openedFiles.add(files) : early.push(...files))
  const { leave, powerOff } = leaveInOrder({
    app,
    platform: process.platform,
    close: () => host?.close() ?? null,
  })
  const tellAndLeave = (error: unknown): void => {
    const { title, cause, suggestion } = toErrorShape(error)
    dialog.showErrorBox(title, `${cause}\n\n${suggestion}`)
    leave(1)
  }
  const start = async (): Promise<void> => {
    host = await serveApp({ dataPath, host: 'electron', spawnEngine: spawnUtilityEngine, chooseFiles })
    const { logger, openedFiles } = host.app
    openedFiles.add(early)
    powerMonitor.on('shutdown', powerOff)
    serveWindows(join(import.meta.dirname, '..', 'renderer'), host.transports)
    const window = await openWindow((contents) => {
      revivePage(contents, {
        log: (message) => logger.error(message),
        giveUp: () => {
          dialog.showErrorBox(
            'The window’s page ended too often',
            'It was loaded again three times in five minutes.\n\nRuns go on in the background; close the window and start Loam again.',
          )
        },
      })
    })
    // Windows says it to windows.
    window.on('session-end', () => powerOff())
  }

  app.enableSandbox()
  declareUiScheme()
  app.on('web-contents-created', (_event, contents) => guardContents(contents))
  app.on('open-file', (event, path) => {
    event.preventDefault()
    open([path])
  })
  app.on('second-instance', (_event, _args, _folder, more) => {
    open(secondFiles.parse(more).files)
    const [window] = BrowserWindow.getAllWindows()
    if (window?.isMinimized()) window.restore()
    window?.focus()
  })
  app.on('window-all-closed', () => app.quit())
  process.on('uncaughtException', (error) => {
    host?.app.logger.error('unexpected failure', { error })
    process.stderr.write(`${error.stack ?? error.message}\n`)
    tellAndLeave(error)
  })
  process.on('SIGINT', () => app.quit())
  process.on('SIGTERM', () => app.quit())
  // Not awaited at the top level: Electron is not ready before this module has run to its end.
  void app.whenReady().then(start).catch(tellAndLeave)
}

try {
  begin(readStartOptions(process.argv.slice(app.isPackaged ? 1 : 2), 'window'))
} catch (error) {
  const { title, cause, suggestion } = toErrorShape(error)
  process.stderr.write(`${title}: ${cause}\n${suggestion}\n`)
  app.exit(2)
}
