import { LoamError } from '../../shared/errors'

const IS_STORE = /^[a-z][a-z0-9+]{1,9}:\/\//i

/** An address of an object store is spoken to only while the network is on. @throws LoamError `NETWORK_OFF` */
export function mustBeOn(address: string, isOn: boolean): void {
  if (!IS_STORE.test(address) || isOn) return
  throw new LoamError('NETWORK_OFF', `${address} is reached over the network, which is off.`, {
    suggestion: 'Turn the network on in Settings, or name a folder.',
  })
}
