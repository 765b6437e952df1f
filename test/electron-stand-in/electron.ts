import { delimiter } from 'node:path'
import { EventEmitter } from 'node:events'
import { StandInApp } from './app'
import { preventable, type StandInOrder, tell } from './events'
import { failEngine } from './utility-process'
import { BrowserWindow } from './window'

export { protocol, session } from './session'
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
}

process.on('message', (order: StandInOrder) => {
  const [window] = BrowserWindow.getAllWindows()
  switch (order) {
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
    case 'second-instance':
      app.emit('second-instance', preventable(), [], '', {
        files: (process.env['LOAM_STAND_IN_SECOND'] ?? '').split(delimiter).filter((path) => path !== ''),
      })
      break
    case 'log-out':
      // macOS says that power goes off, then asks the app to quit; who does not let it stops the log-out.
      powerMonitor.emit('shutdown', preventable())
      app.quit()
  }
})
