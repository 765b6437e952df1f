import { EventEmitter } from 'node:events'
import { StandInApp } from './app'
import { preventable, type StandInOrder, tell } from './events'
import { choose, menus, pressShortcut } from './system'
import { failEngine } from './utility-process'
import { BrowserWindow } from './window'

export { protocol, session } from './session'
export { clipboard, globalShortcut, Menu, nativeImage, screen, shell, Tray } from './system'
export { utilityProcess } from './utility-process'
export { BrowserWindow, ipcMain } from './window'

export const app = new StandInApp()
export const powerMonitor = new EventEmitter()
export const dialog = {
  showErrorBox: (title: string, content: string) => tell({ kind: 'error-box', title, content }),
  /** Answers what the test says that a person chooses: paths, divided by line ends. */
  showOpenDialog: () => {
    const chosen = (process.env['LOAM_STAND_IN_CHOOSE'] ?? '').split('\n').filter((path) => path !== '')
    return Promise.resolve({ canceled: chosen.length === 0, filePaths: chosen })
  },
  /** Answers with the button that the test says, by its number. */
  showMessageBox: (...all: { message?: string; detail?: string }[]) => {
    const { message = '', detail = '' } = all.at(-1) ?? {}
    tell({ kind: 'message-box', message, detail })
    return Promise.resolve({ response: Number(process.env['LOAM_STAND_IN_ANSWER'] ?? 0) })
  },
}

process.on('message', (order: StandInOrder) => {
  const [window] = BrowserWindow.getAllWindows()
  if (typeof order === 'object') {
    if ('menu' in order) choose(menus.app, order.menu)
    else if ('tray' in order) choose(menus.tray, order.tray)
    else if ('place' in order) window?.webContents.emit('context-menu', preventable(), order.place)
    else if ('openUrl' in order) app.emit('open-url', preventable(), order.openUrl)
    else app.emit('open-file', preventable(), order.openFile)
    return
  }
  switch (order) {
    case 'press-shortcut':
      pressShortcut()
      break
    case 'close-window':
      window?.close()
      break
    case 'quit':
      app.quit()
      break
    case 'end-page-process':
      void window?.webContents.endProcess()
      break
    case 'engine-error':
      failEngine()
      break
    case 'throw':
      setImmediate(() => {
        throw new Error('made up by a test')
      })
      break
    case 'log-out':
      // macOS says that power goes off, then asks the app to quit; who does not let it stops the log-out.
      powerMonitor.emit('shutdown', preventable())
      app.quit()
  }
})
