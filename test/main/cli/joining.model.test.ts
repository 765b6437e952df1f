import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { socketProtocols } from '../../../src/shared/web-host'
import { connectTo, isBuilt, startHeadless, type HeadlessProcess } from '../headless-process'
import { lastLine, loam, loamHere } from './loam-process'
import { longTest } from '../../torture'

const model = resolve(import.meta.dirname, '../../../models/loam-demo.gguf')

interface Report {
  readonly seed: number
  readonly tasks: number
  readonly solved: number
}

/** What becomes of a socket that is opened with this secret. */
const knock = (port: number, secret: string, headers: Record<string, string> = {}): Promise<string> =>
  new Promise((done) => {
    const socket = new WebSocket(`ws://127.0.0.1:${port}/rpc`, socketProtocols(secret), { headers })
    socket.on('open', () => {
      socket.terminate()
      done('open')
    })
    socket.on('error', (error) => done(error.message))
  })

describe.skipIf(!isBuilt || !existsSync(model))('a command while Loam is open', () => {
  let data: string
  let host: HeadlessProcess
  beforeEach(async () => {
    data = mkdtempSync(join(tmpdir(), 'loam-join-'))
    host = startHeadless(data)
    await host.url
  })
  afterEach(async () => {
    host.child.kill('SIGKILL')
    await host.ended
    rmSync(data, { recursive: true, force: true })
  })

  const handshake = () =>
    JSON.parse(readFileSync(join(data, 'host.json'), 'utf8')) as { port: number; secret: string; pid: number }

  it(
    'joins its line: the window sees the run, and the command its report',
    { timeout: 120_000 },
    async () => {
      const { client } = await connectTo(await host.url)
      const args = [
        'run',
        '--stream',
        'house-rules-a',
        '--method',
        'case-bank',
        '--tasks',
        '6',
        '--data',
        data,
        '--json',
      ]
      const [first, second] = await Promise.all([loam(...args).ended, loam(...args, '--seed', '2').ended])
      expect([first.code, second.code], first.err + second.err).toEqual([0, 0])
      expect(first.err).toContain('joins its line')
      const reports = [first, second].map(({ out }) => lastLine(out) as Report)
      const runs = await client.runs.list()
      expect(runs.map(({ status }) => status)).toEqual(['done', 'done'])
      for (const run of runs) {
        const report = reports.find(({ seed }) => seed === run.config.seed)
        expect(report).toMatchObject({ tasks: 6, solved: run.solved })
      }
      // What looks at the folder works as well, without a word about a lock.
      for (const command of [
        ['runs'],
        ['models'],
        ['streams'],
        ['experiments'],
        ['costs', runs[0]?.id ?? ''],
      ]) {
        const { code, err } = await loamHere(...command, '--data', data, '--json')
        expect([command[0], code, err]).toEqual([command[0], 0, expect.not.stringContaining('Another Loam')])
      }
      const definition = [
        '--stream',
        'house-rules-a',
        '--methods',
        'none,case-bank',
        '--seeds',
        '1',
        '--tasks',
        '3',
      ]
      const experiment = await loamHere('experiment', ...definition, '--data', data, '--json')
      expect(experiment.code, experiment.err).toBe(0)
      expect((await client.experiments.list())[0]).toMatchObject({ status: 'done', done: 6 })
    },
  )

  longTest(
    'cancels on Ctrl-C, and leaves the run going when it is only ended',
    { timeout: 120_000 },
    async () => {
      const { client } = await connectTo(await host.url)
      const args = ['run', '--stream', 'house-rules-a', '--method', 'none', '--tasks', '100', '--data', data]
      const going = loam(...args)
      await expect.poll(async () => (await client.runs.list())[0]?.done ?? 0).toBeGreaterThan(0)
      going.child.kill('SIGTERM')
      const { code, err } = await going.ended
      expect([code, err]).toEqual([1, expect.stringContaining('goes on in the Loam that is open')])
      const [run] = await client.runs.list()
      expect(run?.status).toBe('running')
      await client.runs.cancel({ runId: run?.id ?? '' })
      const other = loam(...args)
      await expect.poll(async () => (await client.runs.list()).filter(({ done }) => done > 0).length).toBe(2)
      other.child.kill('SIGINT')
      expect((await other.ended).code).toBe(130)
      expect((await client.runs.list()).map(({ status }) => status)).toEqual(['cancelled', 'cancelled'])
    },
  )

  it('finds its way by a file of the owner alone, and nobody else does', { timeout: 60_000 }, async () => {
    const { port, secret, pid } = handshake()
    if (process.platform !== 'win32') expect(statSync(join(data, 'host.json')).mode & 0o777).toBe(0o600)
    expect(pid).toBe(host.child.pid)
    expect(await knock(port, secret)).toBe('open')
    expect(await knock(port, 'x'.repeat(43))).toContain('401')
    expect(await knock(port, '')).toContain('401')
    // A page that had somehow learned it: a browser names its origin.
    expect(await knock(port, secret, { origin: `http://127.0.0.1:${port}` })).toContain('403')
    expect(await knock(port, secret, { host: 'evil.example' })).toContain('403')
    expect(await knock(port, 'x'.repeat(43), { cookie: `secret=${secret}` })).toContain('401')
    host.child.kill('SIGTERM')
    await host.ended
    expect(existsSync(join(data, 'host.json'))).toBe(false)
  })

  it('works alone when the Loam was killed, whatever has its port now', { timeout: 60_000 }, async () => {
    const left = handshake()
    host.child.kill('SIGKILL')
    await host.ended
    expect(existsSync(join(data, 'host.json'))).toBe(true)
    const { code, err } = await loamHere('runs', '--data', data, '--json')
    expect([code, err]).toEqual([0, ''])
    // Not even a file that names a process of this machine is believed: that process does not hold the folder.
    writeFileSync(join(data, 'host.json'), JSON.stringify({ ...left, pid: process.pid }))
    expect((await loamHere('runs', '--data', data, '--json')).code).toBe(0)
  })
})
