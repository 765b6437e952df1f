import { portKey } from '../../ground/environment-module'
import type { SqlEngine } from '../../ground/ports'

/** What databases are set up in, one per attempt. */
export interface SqlEngines {
  /**
   * The embedded engine for the empty text, else the server at `mysql://user@host:port`.
   * @throws LoamError `BAD_INPUT` for what is no address, `NETWORK_OFF`, `TASK_SERVER` when it cannot be worked with
   */
  find(server: string): Promise<SqlEngine>
}

export const SQL_ENGINES = portKey<SqlEngines>('SQL engines')
