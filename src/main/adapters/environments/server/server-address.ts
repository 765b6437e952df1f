import { LoamError } from '../../../../shared/errors'
import { isLoopback } from '../../../net/address'

/** Where a database server is, and as whom it is spoken to. */
export interface ServerAddress {
  readonly host: string
  readonly port: number
  readonly user: string
  /** In one form only, `mysql://user@host:port`: what its password is kept under. */
  readonly text: string
}

const PORT = 3306

/** Reads `mysql://user@host:port` (or `mariadb://`; port 3306 where none is named). @throws LoamError `BAD_INPUT` */
export function readServerAddress(text: string): ServerAddress {
  let url: URL | null = null
  try {
    url = new URL(text.trim())
  } catch {
    // Refused below, in the same words.
  }
  if (!url || !/^(mysql|mariadb):$/.test(url.protocol) || url.hostname === '' || url.username === '')
    throw new LoamError('BAD_INPUT', `"${text}" is no address of a database server.`, {
      suggestion: 'Write it like mysql://loam@127.0.0.1:3306.',
    })
  if (url.password !== '')
    throw new LoamError('BAD_INPUT', 'The address of the database server holds a password.', {
      suggestion:
        'Leave it out, since settings are kept with runs, and keep it once: loam servers password mysql://USER@HOST:PORT --key-env NAME.',
    })
  const user = decodeURIComponent(url.username)
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const port = url.port === '' ? PORT : Number(url.port)
  return { host, port, user, text: `mysql://${url.username}@${url.hostname}:${port}` }
}

/** @throws LoamError `NETWORK_OFF` for a server on another machine while the network is off */
export function requireReach({ host }: ServerAddress, network: boolean): void {
  if (network || host === 'localhost' || isLoopback(host)) return
  throw new LoamError('NETWORK_OFF', `The database server ${host} is not this machine.`, {
    suggestion:
      'Turn the network on in Settings if you want that; the server then gets the tables of the tasks and what agents write.',
  })
}
