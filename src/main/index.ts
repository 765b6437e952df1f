import { join } from 'node:path'
import { app, type BrowserWindow, dialog, powerMonitor, screen, type WebContents } from 'electron'
import { z } from 'zod'
import { isLoamLink, LINK_SCHEME, loamLinkSchema, readLoamLink } from '../shared/domain/desktop'
import { toErrorShape } from '../shared/errors'
import { COMMAND_CHANNEL, type DesktopOrder } from '../shared/port-handshake'
import { findDataPath } from './ground/data-path'
import { createOpenedFiles, type OpenedThings } from './ground/opened-files'
import { keepFilesPrivate } from './ground/own-files'
import { serveApp } from './serve-app'
import type { ServedApp } from './serve-app'
import type { StartOptions } from './start-options'
import { readStartOptions } from './start-options'
import {
  declareUiScheme,
  hearQuick,
  mainWindow,
  openQuickWindow,
  openWindow,
  serveWindows,
  type WindowChoice,
} from './desktop/window'
import { hasFallback, sayBegun, watchStart } from './desktop/begun'
import { chooseFiles } from './desktop/choose-files'
import { powerOfDesktop } from './desktop/desktop-power'
import { askWhereToSave, checksSpelling, furnish, offerPlaceMenu, openLink } from './desktop/furnish'
import { createQuickAsk } from './desktop/quick-ask'
import { openDesktopUpdates, type DesktopUpdates } from './desktop/update-source'
import type { Resident } from './desktop/resident'
import { spawnUtilityEngine } from './desktop/window-engine'
import { guardContents } from './desktop/window-guards'
import { leaveInOrder } from './desktop/window-leaving'
import { canBeReached } from './desktop/window-place'
import { revivePage } from './desktop/window-revival'

/** What a second start hands to the first. */
const handedOver = z
  .object({ paths: z.array(z.string()), links: z.array(loamLinkSchema), newAsk: z.boolean() })
  .catch({ paths: [], links: [], newAsk: false })

keepFilesPrivate()

/** What a checkout leaves alone: links of this machine are opened with Loam, and its start has somebody behind it. */
function beInstalled(dataPath: string, files: readonly string[]): void {
  app.setAsDefaultProtocolClient(LINK_SCHEME)
  watchStart(import.meta.dirname, ['--data', dataPath, ...files, ...process.argv.filter(isLoamLink)])
}

const sayPageEnds = (): void =>
  dialog.showErrorBox(
    'The window’s page ended too often',
    'It was loaded again three times in five minutes.\n\nRuns go on in the background; close the window and start Loam again.',
  )

/** Gives a page its menu at the place of a click, and brings it back when its process ends. */
const preparePage =
  (log: (message: string) => void) =>
  (contents: WebContents): void => {
    offerPlaceMenu(contents)
    revivePage(contents, { log, giveUp: sayPageEnds })
  }

/** A screen that the window stood on may be gone. */
function bringIntoView(window: BrowserWindow): void {
  const areas = screen.getAllDisplays().map(({ workArea }) => workArea)
  if (!canBeReached(window.getBounds(), areas)) window.center()
}

function bringToFront(window: BrowserWindow): BrowserWindow {
  if (window.isMinimized()) window.restore()
  window.show()
  window.focus()
  return window
}

const updatesOf = (dataPath: string, log: (message: string) => void): DesktopUpdates =>
  openDesktopUpdates({
    ...{ isPackaged: app.isPackaged, version: app.getVersion(), resources: process.resourcesPath },
    ...{ folder: join(dataPath, 'updates'), log },
  })

/** Hears of what a person opens with Loam while it is there, by the system or by a second start. */
function hearOpened(hearer: {
  open(things: Partial<OpenedThings>): void
  /** Shows the window, once there is a host. */
  show(): void
  newAsk(): void
}): void {
  const { open, show, newAsk } = hearer
  app.on('open-file', (event, path) => {
    event.preventDefault()
    open({ paths: [path] })
  })
  app.on('open-url', (event, url) => {
    event.preventDefault()
    open({ links: [readLoamLink(url)] })
  })
  app.on('second-instance', (_event, _args, _folder, more) => {
    const { newAsk: isNewAsk, ...things } = handedOver.parse(more)
    show()
    open(things)
    if (isNewAsk) newAsk()
  })
  app.on('activate', show)
}

function begin(options: StartOptions): void {
  const dataPath = findDataPath(options.data)
  const start: OpenedThings = { paths: options.files, links: options.links }
  // Beside the data, so that two data folders are two Loams and one data folder is one.
  app.setPath('userData', join(dataPath, 'window'))
  if (!app.requestSingleInstanceLock({ ...start, newAsk: options.newAsk })) {
    sayBegun()
    app.quit()
    return
  }
  if (app.isPackaged) beInstalled(dataPath, options.files)
  let host: ServedApp | null = null
  let resident: Resident | null = null
  /** Has the page do something, in front. */
  const command = (order: DesktopOrder): void =>
    void show().then((window) => window.webContents.send(COMMAND_CHANNEL, order))
  /** What is to be opened before there is a host. */
  const early = createOpenedFiles()
  const open = (things: Partial<OpenedThings>): void => {
    void app.whenReady().then(() => things.paths?.forEach((path) => app.addRecentDocument(path)))
    if (!host) {
      early.add(things)
      return
    }
    host.app.openedFiles.add(things)
    command('opened')
  }
  const updates = updatesOf(dataPath, (message) => host?.app.logger.warn(message))
  const { leave, powerOff } = leaveInOrder({
    app,
    atExit: updates.atExit,
    platform: process.platform,
    close: () => host?.close() ?? null,
  })
  let isShown = false
  const tellAndLeave = (error: unknown): void => {
    const { code, title, cause, suggestion } = toErrorShape(error)
    // What is wrong with Electron alone does not stop the browser, which is opened with the reason.
    const goesOn = code === 'INTERNAL' && !isShown && hasFallback()
    if (goesOn) process.stderr.write(`${error instanceof Error ? (error.stack ?? cause) : cause}\n`)
    else {
      dialog.showErrorBox(title, `${cause}\n\n${suggestion}`)
      sayBegun()
    }
    leave(1)
  }
  let opening: Promise<BrowserWindow> | null = null
  /** The window, in front; made where there is none. */
  const show = async (): Promise<BrowserWindow> => {
    const window = mainWindow()
    if (opening === null && window) {
      return bringToFront(window)
    }
    opening ??= makeWindow().finally(() => (opening = null))
    return opening
  }
  const choice = (): WindowChoice => ({
    spelling: host !== null && checksSpelling(host.app.settings()),
    prepare: preparePage((message) => host?.app.logger.error(message)),
  })
  const quick = createQuickAsk({
    make: () => openQuickWindow(choice()),
    openAsk: (ask) => command(ask === null ? 'new-ask' : { ask }),
  })
  /** On a Mac programs go on without windows; elsewhere one does whose sign is beside the clock. */
  const staysOpen = (): boolean => process.platform === 'darwin' || resident?.stays() === true
  const makeWindow = async (): Promise<BrowserWindow> => {
    const window = await openWindow(choice())
    bringIntoView(window)
    window.on('closed', () => {
      if (!staysOpen()) quick.close()
    })
    // Windows says it to windows.
    window.on('session-end', () => powerOff())
    return window
  }
  const whenReady = async (): Promise<void> => {
    host = await serveApp({
      ...{ dataPath, host: 'electron', spawnEngine: spawnUtilityEngine, chooseFiles, power: powerOfDesktop },
      updates: updates.source,
    })
    host.app.openedFiles.add(early.take())
    powerMonitor.on('shutdown', powerOff)
    serveWindows(join(import.meta.dirname, '..', 'renderer'), host.transports)
    hearQuick(quick.hear)
    askWhereToSave()
    resident = furnish(host.app, {
      ...{ show, command, data: options.data },
      quickAsk: () =>
        void quick
          .toggle()
          .catch((error: unknown) =>
            host?.app.logger.error('the small window could not be opened', { error }),
          ),
      open: (paths) => open({ paths }),
    })
    await show()
    if (options.newAsk) command('new-ask')
    isShown = true
    sayBegun()
  }

  open(start)
  app.enableSandbox()
  declareUiScheme()
  app.on('web-contents-created', (_event, contents) => guardContents(contents, (url) => void openLink(url)))
  hearOpened({
    open,
    show: () => {
      if (host) void show()
    },
    newAsk: () => {
      if (host) command('new-ask')
    },
  })
  app.on('window-all-closed', () => {
    if (!staysOpen()) app.quit()
  })
  process.on('uncaughtException', (error) => {
    host?.app.logger.error('unexpected failure', { error })
    process.stderr.write(`${error.stack ?? error.message}\n`)
    tellAndLeave(error)
  })
  // Who ends it before the window is there wants no browser either.
  app.on('before-quit', sayBegun)
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => app.quit())
  // Not awaited at the top level: Electron is not ready before this module has run to its end.
  void app.whenReady().then(whenReady).catch(tellAndLeave)
}

try {
  begin(readStartOptions(process.argv.slice(app.isPackaged ? 1 : 2), 'window'))
} catch (error) {
  const { title, cause, suggestion } = toErrorShape(error)
  process.stderr.write(`${title}: ${cause}\n${suggestion}\n`)
  sayBegun()
  // Who starts an installed Loam reads no standard error.
  if (app.isPackaged)
    void app.whenReady().then(() => {
      dialog.showErrorBox(title, cause)
      app.exit(2)
    })
  else app.exit(2)
}
