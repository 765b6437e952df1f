import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { NO_MARIADB, startMariaDb, type MariaDb } from '../adapters/environments/server/mariadb'
import { tempFolder } from '../runs/rig-app'
import { lastLine, loam, type Ended } from './loam-process'

describe.skipIf(NO_MARIADB !== null)(
  `tasks on a database server${NO_MARIADB === null ? '' : ` (${NO_MARIADB})`}`,
  () => {
    let folder: string
    let server: MariaDb
    let address: string
    beforeAll(async () => {
      folder = await tempFolder()
      server = await startMariaDb()
      address = `mysql://loam@127.0.0.1:${server.port}`
      process.env['LOAM_TEST_PASSWORD'] = 'secret'
    }, 120_000)
    afterAll(async () => {
      delete process.env['LOAM_TEST_PASSWORD']
      await server.stop()
      await rm(folder, { recursive: true, force: true })
    })

    const run = (...args: string[]): Promise<Ended> =>
      loam(...args, '--data', join(folder, 'data'), '--json').ended
    const onServer = () => ['--set', `lab-db.server=${address}`]

    it(
      'are refused in words without its password, and verified and run with it',
      { timeout: 240_000 },
      async () => {
        const refused = await run('verify-env', 'lab-db', 'house-rules-a', ...onServer())
        expect(refused.code).not.toBe(0)
        expect(refused.err).toContain('loam servers password')

        const kept = await run('servers', 'password', address, '--key-env', 'LOAM_TEST_PASSWORD')
        expect(lastLine(kept.out)).toEqual({ address })
        expect(kept.out + kept.err).not.toContain('secret')

        const verified = lastLine((await run('verify-env', 'lab-db', 'house-rules-a', ...onServer())).out)
        expect(verified).toMatchObject({ unknown: 0, failures: [] })

        const choice = ['--stream', 'house-rules-a', '--method', 'none', '--tasks', '6']
        const ran = lastLine((await run('run', ...choice, ...onServer())).out) as { rewards: number[] }
        const here = lastLine((await run('run', ...choice)).out) as { rewards: number[] }
        expect(ran.rewards).toHaveLength(6)
        expect(ran.rewards).toEqual(here.rewards)

        const root = await server.connect()
        const [left] = await root.query("SHOW DATABASES LIKE 'loam\\_%'")
        await root.end()
        expect(left).toEqual([])
        for (const file of ['settings.json', 'connections.json'])
          expect(await readFile(join(folder, 'data', file), 'utf8').catch(() => '')).not.toContain('secret')
      },
    )
  },
)
