import { execFileSync, spawn } from 'node:child_process'
import { mkdtempSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createConnection, type Connection } from 'mysql2/promise'

const isThere = (program: string): boolean => {
  try {
    execFileSync(program, ['--version'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

/** Why no server can be started here; null where one can. */
export const NO_MARIADB: string | null =
  isThere('mariadbd') && isThere('mariadb-install-db')
    ? null
    : 'mariadbd and mariadb-install-db are not installed'

/** A server of its own, in a folder of its own. */
export interface MariaDb {
  readonly port: number
  /** As its root, who has no password. */
  connect(): Promise<Connection>
  stop(): Promise<void>
}

const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const server = createServer()
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo
      server.close(() => resolve(port))
    })
  })

/** Starts Debian's MariaDB with a user `loam` (password `secret`), who may make databases and users as docs/environments.md says. `at`: its port; default: a free one. */
export async function startMariaDb(at?: number): Promise<MariaDb> {
  const folder = mkdtempSync(join(tmpdir(), 'loam-mariadb-'))
  const data = join(folder, 'data')
  const common = ['--no-defaults', `--datadir=${data}`, ...(process.getuid?.() === 0 ? ['--user=root'] : [])]
  execFileSync(
    'mariadb-install-db',
    [...common, '--auth-root-authentication-method=normal', '--skip-test-db'],
    { stdio: 'ignore' },
  )
  const port = at ?? (await freePort())
  const small = [
    '--innodb-buffer-pool-size=32M',
    '--performance-schema=OFF',
    '--innodb-flush-log-at-trx-commit=0',
  ]
  const where = [`--port=${port}`, '--bind-address=127.0.0.1', `--socket=${join(folder, 's')}`]
  // It ends with this process, however that ends.
  const [program = '', ...before] = isThere('setpriv')
    ? ['setpriv', '--pdeathsig', 'KILL', 'mariadbd']
    : ['mariadbd']
  const child = spawn(program, [...before, ...common, ...where, ...small], { stdio: 'ignore' })
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()))
  const connect = () => createConnection({ host: '127.0.0.1', port, user: 'root' })
  const stop = async () => {
    child.kill('SIGKILL')
    await ended
    await rm(folder, { recursive: true, force: true })
  }
  for (let tries = 0; ; tries++) {
    try {
      const root = await connect()
      await root.query("CREATE USER loam@'%' IDENTIFIED BY 'secret'")
      await root.query("GRANT CREATE USER ON *.* TO loam@'%'")
      await root.query("GRANT ALL ON `loam\\_%`.* TO loam@'%' WITH GRANT OPTION")
      await root.end()
      return { port, connect, stop }
    } catch (error) {
      if (tries > 150) {
        await stop()
        throw error
      }
      await sleep(200)
    }
  }
}
