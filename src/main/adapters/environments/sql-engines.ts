import { promiseCache } from '../../ground/promise-cache'
import type { SqlEngine } from '../../../core/ground/ports'
import type { SqlEngines } from '../../../core/tasks/lab-db/engines'
import { readServerAddress, requireReach } from './server/server-address'
import { createServerEngine } from './server/server-engine'
import { createSqlJsEngine } from './sqljs-engine'

/** What a server is reached by: whether other machines may be, and the passwords that were kept. */
export interface ServerAccess {
  network(): boolean
  password(address: string): Promise<string | null>
}

/** The embedded engine, and servers by their addresses. Each is made at its first use and kept; one that failed is tried again. */
export function createSqlEngines(access: ServerAccess): SqlEngines {
  const find = promiseCache(async (server: string): Promise<SqlEngine> => {
    if (server === '') return createSqlJsEngine()
    const address = readServerAddress(server)
    requireReach(address, access.network())
    return createServerEngine(address, await access.password(address.text))
  })
  return { find }
}
