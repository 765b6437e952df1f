import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { LOAM_CLI, loamHere, type Ended } from './loam-process'

/** `loam` as a machine has it that never ran it: an empty data folder, and some other folder to work in. */
const PROGRAM = LOAM_CLI.map((part) =>
  part === 'tsx' ? resolve('node_modules/tsx/dist/loader.mjs') : part.startsWith('-') ? part : resolve(part),
)
let folder: string
let env: Record<string, string>
const here = (): string => join(folder, 'here')

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'loam-nothing-'))
  mkdirSync(join(here(), 'work'), { recursive: true })
  const { PATH = '', HOME = '' } = process.env
  env = { PATH, HOME, LOAM_DATA: join(folder, 'data'), TSX_TSCONFIG_PATH: resolve('tsconfig.json') }
})
afterEach(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }))

async function loam(...args: string[]): Promise<Ended> {
  const before = process.cwd()
  process.chdir(here())
  vi.stubEnv('LOAM_DATA', env['LOAM_DATA'])
  try {
    return await loamHere(...args)
  } finally {
    vi.unstubAllEnvs()
    process.chdir(before)
  }
}

const connected = async (...args: string[]): Promise<Client> => {
  const client = new Client({ name: 'some agent', version: '1' })
  const server = { command: process.execPath, args: [...PROGRAM, 'mcp', 'memory', ...args] }
  await client.connect(new StdioClientTransport({ ...server, cwd: here(), env, stderr: 'ignore' }))
  return client
}

describe('on a machine that never ran Loam', () => {
  it('the memory server begins with My memory', async () => {
    const client = await connected('--write')
    await client.callTool({ name: 'memory_remember', arguments: { fact: 'Tests run with make check.' } })
    const listed = await client.callTool({ name: 'memory_list', arguments: {} })
    await client.close()
    expect(JSON.stringify(listed.content)).toContain('Tests run with make check. (some agent')
    const found = await loam('memory', 'list', 'fact')
    expect(found.out).toContain('Tests run with make check.')
    const [told = ''] = (await loam('remember', 'The lift is closed.', '--until', '2100-01-31')).out.split(
      ':',
    )
    expect((await loam('memory', 'show', 'fact', told)).err).toContain('Holds until: 2100-01-31')
    await loam('remember', 'The port of Vela is 5433.')
    const { out } = await loam('remember', 'The port of Vela is 5434.')
    expect(out).toContain('It takes the place of: The port of Vela is 5433.')
    const over = await loam('remember', 'It snows.', '--until', '2001-01-31')
    expect(over.code).not.toBe(0)
    expect(over.err).toContain('over already')
    expect(readdirSync(here())).toEqual(['work'])
  })

  it('the proxy begins with My memory', async () => {
    const child = spawn(process.execPath, [...PROGRAM, 'proxy', '--json'], { cwd: here(), env })
    const ended = new Promise((done) => child.once('close', done))
    const line = await new Promise<string>((done) =>
      createInterface({ input: child.stdout }).once('line', done),
    )
    child.kill('SIGTERM')
    await ended
    const { memory } = JSON.parse(line) as { memory: string }
    const mine = await loam('memory', 'mine', '--json')
    expect(mine.out).toContain(JSON.stringify(memory))
    expect(readdirSync(here())).toEqual(['work'])
  })

  it('memories are made, listed and chosen by their names, which never mean the current folder', async () => {
    const fresh = await loam('memories', 'new', 'Bench')
    expect(fresh).toMatchObject({ code: 0 })
    // Commands could not choose between two of one name.
    const twin = await loam('memories', 'new', 'bench')
    expect(twin.code).toBe(2)
    expect(twin.err).toContain('A memory is called "bench" already.')
    const listed = await loam('memories')
    expect(listed.out).toMatch(/ {2}My memory .*\(My memory\)/)
    expect(listed.out).toMatch(/ {2}Bench /)
    expect(await loam('memory', 'list', '--memory', 'bench')).toMatchObject({ code: 0 })
    // A folder of that name is here; it is not taken for a memory.
    const other = await loam('memory', 'list', '--memory', 'work')
    expect(other.code).toBe(2)
    expect(other.err).toContain('No memory is called "work"')
    expect(other.err).toContain('./work')
    const lost = await loam('mcp', 'memory', '--memory', 'nowhere')
    expect(lost.code).toBe(2)
    expect(lost.err).toContain('"Bench"')
    expect(readdirSync(join(here(), 'work'))).toEqual([])
  })
})
