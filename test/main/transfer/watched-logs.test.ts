import { appendFile, copyFile, mkdir, utimes, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { appPerTest } from '../app-in-temp'

const opened = appPerTest('watched')
let sessions: string
beforeEach(async () => {
  vi.stubEnv('CLAUDE_CONFIG_DIR', join(opened.folder, 'claude'))
  vi.stubEnv('CODEX_HOME', join(opened.folder, 'codex'))
  vi.stubEnv('XDG_DATA_HOME', join(opened.folder, 'share'))
  sessions = join(opened.folder, 'claude', 'projects', 'shop')
  await mkdir(sessions, { recursive: true })
})
afterEach(() => vi.unstubAllEnvs())

const LOG = 'test/fixtures/kb/logs/claude-code.jsonl'
const anHourAgo = () => new Date(Date.now() - 3_600_000)
const settle = (path: string) => utimes(path, anHourAgo(), anHourAgo())
const claude = async () => {
  const found = (await opened.app.watchedLogs.list()).find(({ agent }) => agent === 'claude-code')
  if (!found) throw new Error('Claude Code can be watched')
  return found
}
const take = async () => {
  const { status, problem } = await opened.app.watchedLogs.takeNow().finished
  expect({ status, problem }).toEqual({ status: 'done', problem: null })
  return (await claude()).last
}

test('sessions come in once they are quiet, each once, counted, and go with one undo', async () => {
  const { app } = opened
  const first = join(sessions, 'a.jsonl')
  const growing = join(sessions, 'b.jsonl')
  const broken = join(sessions, 'c.jsonl')
  await copyFile(LOG, first)
  await settle(first)
  await copyFile(LOG, growing)
  await writeFile(broken, 'no log\n')
  await settle(broken)

  expect(await claude()).toMatchObject({ on: false, sessions: 3, last: null })
  expect(() => app.watchedLogs.takeNow()).toThrow('No agent is switched on.')
  await app.saveSettings({ watchedAgents: ['claude-code'] })
  const last = await take()
  expect(last).toMatchObject({ sessions: 2, duplicates: 0 })
  expect(last?.reasons).toContainEqual({
    why: expect.stringContaining('does not look like') as string,
    count: 1,
  })
  expect(last?.imported).toBeGreaterThan(0)
  expect(last?.rows).toBe((last?.imported ?? 0) + (last?.duplicates ?? 0) + (last?.leftOut ?? 0))
  expect(await claude()).toMatchObject({ fresh: 1, growing: 1 })

  // The same attempts in another file are there already.
  await settle(growing)
  expect(await take()).toMatchObject({ sessions: 1, imported: 0, duplicates: last?.imported, importId: null })
  expect(await claude()).toMatchObject({ fresh: 0 })

  // A session that goes on is looked at again; what was taken is not taken twice.
  await appendFile(first, '\n')
  await settle(first)
  expect(await claude()).toMatchObject({ fresh: 1 })
  expect(await take()).toMatchObject({ sessions: 1, imported: 0 })

  const undone = await app.imports.undo('mine', last?.importId ?? '')
  expect(undone).toMatchObject({ removed: last?.imported, stays: [] })
  expect(await claude()).toMatchObject({ fresh: 0 })
})

/** A session of one request, that goes on line by line. */
const at = (minute: number) => `2026-03-01T10:${String(minute).padStart(2, '0')}:00.000Z`
const line = (minute: number, type: string, content: unknown) =>
  `${JSON.stringify({ type, sessionId: 's1', uuid: `u${minute}`, timestamp: at(minute), message: { role: type, content } })}\n`
const call = (minute: number, command: string) =>
  line(minute, 'assistant', [{ type: 'tool_use', id: `c${minute}`, name: 'Bash', input: { command } }])
const answer = (minute: number, of: number, content: string) =>
  line(minute, 'user', [{ type: 'tool_result', tool_use_id: `c${of}`, content }])

test('a session that goes on is one attempt, whatever was read of it before, and one undo brings back what was', async () => {
  const { app } = opened
  const path = join(sessions, 'a.jsonl')
  await app.saveSettings({ watchedAgents: ['claude-code'] })
  const goOn = async (...lines: string[]) => {
    await appendFile(path, lines.join(''))
    await settle(path)
    return take()
  }
  const inUse = async () => {
    const memory = await app.memories.open('mine')
    const live = [...memory.experiences.entries()].filter(({ gone }) => gone === null)
    const stored = await Promise.all(live.map(({ id }) => memory.experiences.get(id)))
    return stored.map((one) => one && [one.experience.steps.length, one.experience.meta.outcome])
  }
  // Read while the agent had only spoken: what it did then takes the place of its words.
  const words = [{ type: 'text', text: 'I look at the tests first.' }]
  await goOn(line(0, 'user', 'Make the tests pass.'), line(0, 'assistant', words))
  expect(await inUse()).toEqual([[1, 'unknown']])
  await goOn(call(1, 'make'), answer(2, 1, 'two fail'), call(3, 'vi a.c'))
  expect(await inUse()).toEqual([[2, 'unknown']])
  const longer = await goOn(answer(4, 3, 'ok'), call(5, 'cat a.c'), answer(6, 5, 'int x;'))
  expect(longer).toMatchObject({ imported: 1, duplicates: 0 })
  expect(await inUse()).toEqual([[3, 'unknown']])
  expect(await goOn('\n')).toMatchObject({ imported: 0, duplicates: 1 })
  // What the person says next tells how it ended; the steps are the same.
  const told = await goOn(
    line(7, 'user', 'No, that is wrong, the tests still fail. Undo it.'),
    call(8, 'git checkout .'),
    answer(9, 8, 'ok'),
  )
  expect(told).toMatchObject({ imported: 2, duplicates: 0 })
  expect(await inUse()).toEqual([
    [3, 'failure'],
    [1, 'unknown'],
  ])
  expect(await goOn('\n')).toMatchObject({ imported: 0, duplicates: 2 })
  await app.imports.undo('mine', told?.importId ?? '')
  expect(await inUse()).toEqual([[3, 'unknown']])
})

test('opencode: its files of messages and parts are one session, and its database is read as it is', async () => {
  const { app } = opened
  const storage = join(opened.folder, 'share', 'opencode', 'storage')
  const put = async (name: string, value: object) => {
    const path = join(storage, name)
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, JSON.stringify(value))
    await settle(path)
  }
  const time = { created: 1_767_000_000_000 }
  await put('session/p1/ses_1.json', { id: 'ses_1', version: '1.0.138', projectID: 'p1' })
  await put('message/ses_1/msg_1.json', { id: 'msg_1', sessionID: 'ses_1', role: 'user', time })
  await put('part/msg_1/prt_1.json', {
    id: 'prt_1',
    messageID: 'msg_1',
    type: 'text',
    text: 'Why does it fail?',
  })
  await put('message/ses_1/msg_2.json', {
    id: 'msg_2',
    sessionID: 'ses_1',
    role: 'assistant',
    modelID: 'glm-5',
    time,
  })
  await put('part/msg_2/prt_2.json', {
    ...{ id: 'prt_2', messageID: 'msg_2', type: 'tool', tool: 'bash', callID: 'c1' },
    state: { status: 'completed', input: { command: 'cat log' }, output: 'disk full' },
  })
  await put('session/p1/ses_2.json', { id: 'ses_2', version: '1.0.138', parentID: 'ses_1' })
  const database = join(dirname(storage), 'opencode.db')
  const samples = 'test/fixtures/kb/databases'
  await copyFile(`${samples}/opencode.db`, database)
  await settle(database)
  await app.saveSettings({ watchedAgents: ['opencode'] })
  const state = async () => (await app.watchedLogs.list()).find(({ agent }) => agent === 'opencode')
  expect(await state()).toMatchObject({ sessions: 3, fresh: 3, growing: 0, folder: dirname(storage) })
  await take()
  expect((await state())?.last).toMatchObject({ sessions: 3, imported: 2, leftOut: 2 })
  expect(await state()).toMatchObject({ fresh: 0 })
  // SQLite writes what is new into the log beside the database.
  await copyFile(`${samples}/opencode.db-wal`, `${database}-wal`)
  expect(await state()).toMatchObject({ fresh: 1, growing: 1 })
  await settle(`${database}-wal`)
  expect(await state()).toMatchObject({ fresh: 1, growing: 0 })
  await take()
  // Two that are new, and how the first one ended.
  expect((await state())?.last).toMatchObject({ sessions: 1, imported: 3 })
  // A part that is written later makes the session new again.
  await put('part/msg_2/prt_3.json', {
    id: 'prt_3',
    messageID: 'msg_2',
    type: 'text',
    text: 'The disk is full.',
  })
  expect(await state()).toMatchObject({ fresh: 1 })
  await take()
  expect((await state())?.last).toMatchObject({ imported: 1, duplicates: 0 })
  const memory = await app.memories.open('mine')
  expect([...memory.experiences.entries()].filter(({ gone }) => gone === null)).toHaveLength(4)
})
