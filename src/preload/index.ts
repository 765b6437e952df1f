import { ipcRenderer, webUtils } from 'electron'
import {
  COMMAND_CHANNEL,
  COMMAND_CHOSEN,
  COMMANDS_WANTED,
  PATHS_DROPPED,
  PORT_CHANNEL,
  PORT_OFFER,
  PORT_REQUEST,
  QUICK_CHANNEL,
  QUICK_SAID,
} from '../shared/port-handshake'

// When the page asks, make a channel, send one end to the main process and hand the page the other.
window.addEventListener('message', (event) => {
  if (event.source !== window || event.origin !== window.location.origin || event.data !== PORT_REQUEST)
    return
  const { port1, port2 } = new MessageChannel()
  ipcRenderer.postMessage(PORT_CHANNEL, null, [port1])
  window.postMessage(PORT_OFFER, window.location.origin, [port2])
})

// A page does not see where dropped files lie. It is told of those that a person drops, and of no others.
window.addEventListener('drop', (event) => {
  if (!event.isTrusted) return
  const paths = [...(event.dataTransfer?.files ?? [])].map((file) => webUtils.getPathForFile(file))
  const records = paths.filter((path) => path !== '')
  if (records.length > 0) window.postMessage({ kind: PATHS_DROPPED, paths: records }, window.location.origin)
})

// What was chosen in the menu waits until the page listens: the window may only just have been opened for it.
const commands: unknown[] = []
let isListening = false
const tellCommands = (): void => {
  for (const command of isListening ? commands.splice(0) : [])
    window.postMessage({ kind: COMMAND_CHOSEN, command }, window.location.origin)
}
ipcRenderer.on(COMMAND_CHANNEL, (_event, command: unknown) => {
  commands.push(command)
  tellCommands()
})
window.addEventListener('message', (event) => {
  if (event.source !== window || event.data !== COMMANDS_WANTED) return
  isListening = true
  tellCommands()
})

// The small window of a quick ask has no frame: its page says when it is to go.
window.addEventListener('message', (event: MessageEvent<{ kind?: unknown; message?: unknown } | null>) => {
  if (event.source !== window || event.data?.kind !== QUICK_SAID) return
  ipcRenderer.postMessage(QUICK_CHANNEL, event.data.message)
})
