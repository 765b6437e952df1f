import { spawn, type ChildProcess } from 'node:child_process'
import { getEventListeners } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { PermissionAnswer } from '../../../src/core/agent/tool-permission'
import { ProcessTransport } from '../../../src/main/mcp/process-transport'
import type { ServerSpec } from '../../../src/main/mcp/server-connection'
import { openToolBox, type OpenToolBox, type ToolBoxOptions } from '../../../src/main/mcp/tool-box'
import { builtInSpec } from '../../../src/main/tools/server-specs'
import { toolSettingsSchema } from '../../../src/shared/domain/tool'

const ODD = resolve(import.meta.dirname, '../../fixtures/mcp/odd-server.mjs')
const KEY = 'sk-very-secret-value'

const odd = (id = 'odd'): ServerSpec => ({
  id,
  at: { kind: 'process', command: process.execPath, args: [ODD], env: { ODD_KEY: KEY } },
})

let folder: string
const boxes: OpenToolBox[] = []

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'loam-box-'))
})
afterEach(async () => {
  await Promise.all(boxes.splice(0).map((box) => box.close()))
  await rm(folder, { recursive: true, force: true })
})

async function open(servers: ServerSpec[], more: Partial<ToolBoxOptions> = {}): Promise<OpenToolBox> {
  const box = await openToolBox({
    client: { name: 'test', version: '1' },
    backOffMs: [10, 10, 10],
    servers,
    folder,
    allowed: 'all',
    ask: () => Promise.reject(new Error('nobody was to be asked')),
    secrets: [KEY],
    ...more,
  })
  boxes.push(box)
  return box
}

const math = (): ServerSpec =>
  builtInSpec('math', { tools: toolSettingsSchema.parse({}), network: false, folder })

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

const textOf = (path: string): Promise<string> => readFile(path, 'utf8').catch(() => '')

describe('a tool box', () => {
  it('puts several servers together and tells clashing names apart', async () => {
    const missing: ServerSpec = {
      id: 'gone',
      at: { kind: 'process', command: '/no/such/program', args: [], env: {} },
    }
    const box = await open([math(), odd(), missing])
    const names = box.list().map(({ name }) => name)
    expect(names).toEqual(
      expect.arrayContaining(['math.calculate', 'odd.calculate', 'differentiate', 'echo']),
    )
    expect(names).not.toContain('calculate')
    expect(box.problems).toEqual([{ server: 'gone', reason: expect.stringContaining('ENOENT') as string }])
    expect(await box.call('math.calculate', { expression: '6 * 7' })).toMatchObject({
      text: '42',
      failed: false,
    })
    expect(await box.call('odd.calculate', { expression: '6 * 7' })).toMatchObject({
      text: 'I am not the real one.',
    })
    expect(await box.call('calculate', {})).toMatchObject({
      failed: true,
      text: 'There is no tool "calculate".',
    })
  })

  it('leaves nothing behind on the signal of an attempt, however many calls it makes', async () => {
    const box = await open([odd()])
    const { signal } = new AbortController()
    for (let call = 0; call < 12; call++) await box.call('echo', { text: 'again' }, { signal })
    expect(getEventListeners(signal, 'abort')).toEqual([])
  })

  it('answers with the text of a tool that says the form of its answer too', async () => {
    const args = [join(ODD, '..', 'stock-server.mjs')]
    const box = await open([
      { id: 'stock', at: { kind: 'process', command: process.execPath, args, env: {} } },
    ])
    const result = await box.call('look_up_stock', { item: 'ink' })
    expect(result).toMatchObject({ failed: false, text: 'ink: 40 pieces' })
  })

  it('answers with what a tool refuses, and with wrong arguments', async () => {
    const box = await open([odd()])
    expect(await box.call('refuse', {})).toMatchObject({ failed: true, text: 'I would rather not.' })
    expect(await box.call('echo', { text: 7 })).toMatchObject({ failed: true })
  })

  it('cuts long answers and ends a server that sends far too much', async () => {
    const box = await open([odd()], { mostCharacters: 1000 })
    const { text } = await box.call('flood', { characters: 50_000 })
    expect(text).toBe(`${'x'.repeat(1000)}\n[49000 more characters left out]`)
    expect(await box.call('flood', { characters: 20_000_000 })).toMatchObject({
      failed: true,
      text: expect.stringContaining('more than 16777216 bytes') as string,
    })
    expect(await box.call('echo', { text: 'still here' })).toMatchObject({
      text: 'still here',
      failed: false,
    })
  })

  it('keeps secrets out of descriptions and answers', async () => {
    const box = await open([odd()])
    expect(JSON.stringify(box.list())).not.toContain(KEY)
    expect((await box.call('secret', {})).text).toBe('key=[secret] header=')
  })

  it('names the files a call left', async () => {
    const box = await open([odd()])
    expect((await box.call('write', { path: join(folder, 'made.txt') })).files).toEqual(['made.txt'])
    expect((await box.call('echo', { text: 'x' })).files).toEqual([])
  })
})

describe('a server that is lost', () => {
  it('fails the call it dies in, with the reason, and serves the next', async () => {
    const box = await open([odd()])
    const log = join(folder, 'log')
    const pid = await serverPid(box)
    const call = box.call('wait', { path: log })
    await vi.waitFor(async () => expect(await textOf(log)).toBe('began\n'))
    process.kill(pid, 'SIGKILL')
    expect(await call).toMatchObject({
      failed: true,
      text: expect.stringMatching(/"odd" was lost: its process was ended by SIGKILL/) as string,
    })
    expect(box.list().map(({ name }) => name)).toContain('echo')
    expect(await box.call('echo', { text: 'back' })).toMatchObject({ text: 'back', failed: false })
    expect(await serverPid(box)).not.toBe(pid)
  })

  it('is not started over and over', async () => {
    const box = await open([odd()])
    for (let time = 0; time < 4; time++)
      expect((await box.call('exit', {})).text).toContain('its process ended with code 3')
    expect((await box.call('exit', {})).text).toContain('lost too often')
  })
})

describe('a call', () => {
  it('is cancelled at the server, too', async () => {
    const box = await open([odd()])
    const log = join(folder, 'log')
    const controller = new AbortController()
    const call = box.call('wait', { path: log }, { signal: controller.signal })
    await vi.waitFor(async () => expect(await textOf(log)).toBe('began\n'))
    controller.abort()
    await expect(call).rejects.toMatchObject({ name: 'AbortError' })
    await vi.waitFor(async () => expect(await textOf(log)).toBe('began\ncancelled\n'))
  })

  it('ends at its time limit, and a server that hangs is replaced', async () => {
    const box = await open([odd()], { timeMs: 3000 })
    expect(await box.call('wait', { path: join(folder, 'log') })).toMatchObject({
      failed: true,
      text: 'The tool did not answer within 3 s.',
    })
    const pid = await serverPid(box)
    expect(await box.call('hang', {})).toMatchObject({ failed: true })
    await vi.waitFor(() => expect(isAlive(pid)).toBe(false))
    expect(await box.call('echo', { text: 'anew' })).toMatchObject({ text: 'anew', failed: false })
  })

  it('leaves no process behind when the box is closed', async () => {
    const box = await open([odd()])
    const path = join(folder, 'pid')
    await box.call('child', { path })
    const child = Number(await textOf(path))
    const server = await serverPid(box)
    expect([isAlive(child), isAlive(server)]).toEqual([true, true])
    await box.close()
    await vi.waitFor(() => expect([isAlive(child), isAlive(server)]).toEqual([false, false]))
  })
})

describe('permission', () => {
  it('is asked per tool: once, for the run, or refused', async () => {
    const answers: PermissionAnswer[] = ['once', 'run', 'no']
    const asked: string[] = []
    const box = await open([odd()], {
      allowed: ['refuse'],
      ask: ({ tool }) => {
        asked.push(tool.name)
        return Promise.resolve(answers.shift() ?? 'no')
      },
    })
    await box.call('echo', { text: '1' })
    await box.call('echo', { text: '2' })
    expect((await box.call('echo', { text: '3' })).text).toBe('3')
    const path = join(folder, 'never.txt')
    expect(await box.call('write', { path })).toMatchObject({
      failed: true,
      text: 'The person did not allow this tool to be used.',
    })
    await box.call('refuse', {})
    expect(asked).toEqual(['echo', 'echo', 'write'])
    expect(await textOf(path)).toBe('')
  })
})

describe('a server over HTTP', () => {
  let server: ChildProcess
  let port: number

  const listen = async (env: Record<string, string> = {}): Promise<void> => {
    server = spawn(process.execPath, [ODD, '--http'], {
      env: { ...process.env, ...env },
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    if (!server.stderr) throw new Error('no pipe')
    for await (const line of createInterface(server.stderr)) {
      port = Number(line)
      break
    }
  }
  const at = (url: string, network = false): ServerSpec => ({
    id: 'web',
    at: { kind: 'http', url, network, headers: { 'x-odd-key': KEY } },
  })
  beforeEach(() => listen())
  afterEach(() => void server.kill('SIGKILL'))

  it('is used like any other, with its headers, and again after it was away', async () => {
    const box = await open([at(`http://localhost:${port}/mcp`)])
    expect((await box.call('echo', { text: 'over http' })).text).toBe('over http')
    expect((await box.call('secret', {})).text).toBe('key= header=[secret]')
    server.kill('SIGKILL')
    await new Promise((gone) => server.once('exit', gone))
    expect(await box.call('echo', { text: 'x' })).toMatchObject({
      failed: true,
      text: expect.stringContaining('ECONNREFUSED') as string,
    })
    await listen({ ODD_PORT: String(port) })
    expect((await box.call('echo', { text: 'back' })).text).toBe('back')
  })

  it('is reached on this machine only while the network is off, and never through a redirect', async () => {
    const box = await open([
      at('http://192.0.2.1:9/mcp'),
      { ...at(`http://127.0.0.1:${port}/moved`), id: 'moved' },
    ])
    expect(box.problems).toEqual([
      { server: 'web', reason: expect.stringContaining('the network is off') as string },
      { server: 'moved', reason: expect.any(String) as string },
    ])
  })
})

/** The process of the only server: the one this test's own process has as a child with the odd server's program. */
async function serverPid(box: OpenToolBox): Promise<number> {
  const { text } = await box.call('echo', { text: 'pid?' })
  expect(text).toBe('pid?')
  const pid = started.at(-1)?.pid
  if (pid === undefined) throw new Error('no server was started')
  return pid
}

/** Every process that was started for a server, in order. */
const started: ProcessTransport[] = []
const start = ProcessTransport.prototype.start
vi.spyOn(ProcessTransport.prototype, 'start').mockImplementation(function (this: ProcessTransport) {
  started.push(this)
  return start.call(this)
})
