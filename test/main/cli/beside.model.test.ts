import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { answerRequests } from '../../../src/main/cli/ask-permission'
import { joinHost } from '../../../src/main/cli/join-host'
import { serveApp } from '../../../src/main/serve-app'
import { isBuilt, startHeadless } from '../headless-process'
import { lastLine, loam, loamHere } from './loam-process'
import { longTest } from '../../torture'

const model = resolve(import.meta.dirname, '../../../models/loam-demo.gguf')

describe.skipIf(!isBuilt || !existsSync(model))('a second command beside a Loam that is open', () => {
  let data: string
  beforeEach(() => {
    data = mkdtempSync(join(tmpdir(), 'loam-beside-'))
  })
  afterEach(() => rmSync(data, { recursive: true, force: true }))

  const run = async (...args: string[]) => {
    const { code, out, err } = await loamHere(...args, '--data', data, '--json')
    expect([args.join(' '), code, err]).toEqual([
      args.join(' '),
      0,
      expect.not.stringContaining('Another Loam'),
    ])
    return lastLine(out)
  }

  longTest(
    'does whatever a command does in it, none is refused for the lock',
    { timeout: 240_000 },
    async () => {
      const host = startHeadless(data)
      try {
        await host.url
        const memory = join(data, 'a-space')
        const log = join(data, 'log.json')
        const entry = {
          question: 'How many legs has a spider?',
          agent_plan: '1. Count.',
          agent_experience: 'Look it up.',
        }
        writeFileSync(
          log,
          JSON.stringify([{ ...entry, search_agent_plan: 'Search.', search_agent_experience: 'Fine.' }]),
        )
        expect(await run('kb', 'import', log, '--format', 'agent-kb', '--memory', memory)).toMatchObject({
          imported: 1,
        })
        expect(await run('kb', 'stats', '--memory', memory)).toMatchObject({ live: 1 })
        expect(await run('memory', 'search', 'spider legs', '--memory', memory)).toMatchObject({
          rows: [{ kind: 'experience', title: entry.question, match: { terms: ['legs', 'spider'] } }],
        })
        expect(await run('kb', 'abstract', '--memory', memory)).toMatchObject({ logs: 0 })
        const file = join(data, 'space.jsonl')
        expect(await run('export', '--memory', memory, '--out', file)).toMatchObject({
          path: file,
          counts: { experience: 1 },
        })
        expect(await run('import', file, '--memory', join(data, 'other'))).toMatchObject({
          imported: 1,
        })
        const listed = (await run('memory', 'list', '--memory', memory)) as {
          rows: { kind: string; id: string }[]
        }
        expect(listed.rows).toMatchObject([{ kind: 'experience' }])
        const id = listed.rows[0]?.id ?? ''
        await run('memory', 'delete', 'experience', id, '--memory', memory)
        const one = ['experience', id, '--memory', memory]
        expect(await run('memory', 'restore', ...one)).toMatchObject({ gone: null })
        expect(await run('memory', 'history', ...one)).toMatchObject({ versions: [{ current: true }] })
        const softPromptList = join(data, 'other')
        expect(await run('memory', 'move', ...one, '--to', softPromptList, '--copy')).toMatchObject({ id })
        expect(await run('guides', 'list', '--memory', memory)).toEqual({ documents: [], builds: [] })
        await run('servers', 'add', 'here', '--url', 'http://127.0.0.1:9')
        expect(await run('servers', 'list')).toMatchObject({ servers: [{ name: 'here', key: false }] })
        await run('servers', 'remove', 'here')
        const world = join(data, 'world.jsonl')
        await run('streams', 'generate', 'house-rules', '--world', '3', '--tasks', '4', '--out', world)
        expect(readFileSync(world, 'utf8').trim().split('\n')).toHaveLength(4)
        expect(await run('storage', 'use')).toMatchObject({ trash: expect.anything() as unknown })
      } finally {
        host.child.kill('SIGKILL')
        await host.ended
      }
    },
  )

  it(
    'is another command as well: the second run joins the line of the first',
    { timeout: 120_000 },
    async () => {
      const args = ['run', '--stream', 'house-rules-a', '--data', data, '--json']
      const first = loam(...args, '--method', 'none', '--tasks', '20')
      await expect.poll(() => existsSync(join(data, 'host.json')), { timeout: 30_000 }).toBe(true)
      const second = loam(...args, '--method', 'case-bank', '--tasks', '6', '--seed', '2')
      const [one, two] = await Promise.all([first.ended, second.ended])
      expect([one.code, two.code], one.err + two.err).toEqual([0, 0])
      expect(two.err).toContain('joins its line')
      // The first has stayed until the other was done, and leaves nothing behind.
      expect(one.err).toContain('Another command works here still')
      expect([lastLine(one.out), lastLine(two.out)]).toMatchObject([{ tasks: 20 }, { tasks: 6, seed: 2 }])
      expect([existsSync(join(data, 'host.json')), existsSync(join(data, 'lock'))]).toEqual([false, false])
      const { runs } = (await run('runs')) as { runs: { status: string }[] }
      expect(runs.map(({ status }) => status)).toEqual(['done', 'done'])
    },
  )

  it('answers what the tools of its own run ask, and shows what they need', { timeout: 60_000 }, async () => {
    const served = await serveApp({ dataPath: data, host: 'headless' })
    const joined = await joinHost(data)
    if (!joined) return expect.fail('nobody let it in')
    const asked: string[] = []
    const io = {
      note: () => undefined,
      ask: (question: string) => {
        asked.push(question)
        return Promise.resolve('always')
      },
    }
    const answering = answerRequests(joined, (from) => from === 'mine', io)
    try {
      const tool = { server: 'code', name: 'run_python', description: '', schema: {} } as never
      const request = { tool, args: { code: 'print(1)' }, read: [] }
      const { permissions } = served.app.tools
      const other = new AbortController()
      const others = permissions
        .askerFor('theirs')(request, other.signal)
        .catch(() => 'still asked')
      expect(await permissions.askerFor('mine')(request)).toBe('run')
      other.abort()
      expect(await others).toBe('still asked')
      expect(asked).toHaveLength(1)
      expect(asked[0]).toMatch(/It needs: \S/)
      expect(asked[0]).toContain('code: print(1)')
    } finally {
      await answering.stop()
      await joined.close()
      await served.close()
    }
  })

  it('says no where nobody could be asked, and how to allow it', { timeout: 60_000 }, async () => {
    const served = await serveApp({ dataPath: data, host: 'terminal' })
    const notes: string[] = []
    const answering = answerRequests({ client: served.transports.client }, () => true, {
      ask: null,
      note: (line) => void notes.push(line),
    })
    try {
      const tool = { server: 'code', name: 'run_python', description: '', schema: {} } as never
      const ask = served.app.tools.permissions.askerFor('mine')
      expect([await ask({ tool, args: {}, read: [] }), await ask({ tool, args: {}, read: [] })]).toEqual([
        'no',
        'no',
      ])
      expect(notes).toEqual([expect.stringContaining('--allow-tools run_python')])
    } finally {
      await answering.stop()
      await served.close()
    }
  })
})
