import { ipcRenderer } from 'electron'
import { PORT_CHANNEL, PORT_OFFER, PORT_REQUEST } from '../shared/port-handshake'

// All this script does: when the page asks, make a channel, send one end to the main process and hand the page the other.
window.addEventListener('message', (event) => {
  if (event.source !== window || event.origin !== window.location.origin || event.data !== PORT_REQUEST)
    return
  const { port1, port2 } = new MessageChannel()
  ipcRenderer.postMessage(PORT_CHANNEL, null, [port1])
  window.postMessage(PORT_OFFER, window.location.origin, [port2])
})
