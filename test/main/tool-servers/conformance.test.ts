import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { TOOL_SERVERS } from '../../../src/main/tool-servers'
import {
  optionArguments,
  optionFields,
  readServerOptions,
  serverUsage,
} from '../../../src/main/tool-servers/options'
import { toolSettingsSchema } from '../../../src/shared/domain/tool'
import { TORTURE } from '../../torture'
import { gone } from '../cli/loam-process'
import { startServer, type BuiltServer } from '../tools/built-server'

const ENTRY = resolve('out/main/mcp/index.js')
/** Longest answer of a tool. */
const MOST_CHARACTERS = 25_000
const isLinux = process.platform === 'linux'

/** A server's own processes, as the system lists them. */
async function childrenOf(pid: number): Promise<number[]> {
  const text = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8').catch(() => '')
  return text.split(' ').filter(Boolean).map(Number)
}

/** How a server ends that is started with arguments it cannot use. */
function refused(...args: string[]): Promise<{ code: number | null; err: string }> {
  const child = spawn(process.execPath, [ENTRY, ...args], { stdio: ['ignore', 'ignore', 'pipe'] })
  let err = ''
  child.stderr.on('data', (chunk) => (err += String(chunk)))
  return new Promise((done) => child.on('close', (code) => done({ code, err })))
}

/** A call's words; one that the protocol refuses counts as failed. */
const answerOf = (server: BuiltServer, tool: string, args: Readonly<Record<string, unknown>>) =>
  server.call(tool, { ...args }).catch((error: unknown) => ({ text: String(error), failed: true }))

let base: string
beforeAll(async () => {
  if (!existsSync(ENTRY)) throw new Error('Build the project first: npm run build')
  base = await mkdtemp(join(tmpdir(), 'loam-servers-'))
  await writeFile(join(base, 'private.txt'), 'do not read')
})
afterAll(() => rm(base, { recursive: true, force: true, maxRetries: 5 }))

describe.each(TOOL_SERVERS.map((server) => [server.id, server] as const))('the server %s', (id, server) => {
  /** A fresh folder with the files that its examples speak of, and a server started as a run starts it. */
  const start = async (): Promise<{ server: BuiltServer; folder: string }> => {
    const folder = await mkdtemp(join(base, `${id}-`))
    await mkdir(folder, { recursive: true })
    for (const [name, text] of Object.entries(server.files ?? {})) await writeFile(join(folder, name), text)
    const run = { tools: toolSettingsSchema.parse({}), network: false, folder, libraries: '', seconds: 20 }
    return { server: await startServer(id, ...optionArguments(server, server.forRun(run))), folder }
  }

  it('has words, tools and documented options', () => {
    expect(id).toMatch(/^[a-z][a-z0-9-]{0,30}$/)
    expect(TOOL_SERVERS.filter((other) => other.id === id)).toHaveLength(1)
    for (const words of [server.title, server.about]) expect(words.length).toBeGreaterThan(3)
    expect(server.tools.length).toBeGreaterThan(0)
    for (const { needs } of server.tools) expect(needs).toMatch(/^[a-z][^.]{5,}$/)
    const help = serverUsage(TOOL_SERVERS)
    for (const { flag, title, help: about } of optionFields(server)) {
      for (const words of [title, about]) expect(words.length).toBeGreaterThan(3)
      expect(help).toContain(`--${flag}`)
    }
    for (const { name } of server.tools) expect(help).toContain(name)
  })

  it('reads the options that it writes, and keeps their bounds', () => {
    const fields = optionFields(server)
    const values = Object.fromEntries(
      fields.map(({ key, kind, max }) => [
        key,
        kind === 'switch'
          ? true
          : kind === 'number'
            ? max
            : kind === 'list'
              ? [base]
              : 'https://example.org/',
      ]),
    )
    expect(readServerOptions(server, optionArguments(server, values))).toEqual(values)
    expect(readServerOptions(server, [])).toEqual(server.options.parse({}))
    for (const { flag, kind, min, max } of fields) {
      if (kind !== 'number' || min === null || max === null) continue
      for (const wrong of [min - 1, max + 1, 1.5, 'many'])
        expect(() => readServerOptions(server, [`--${flag}=${wrong}`])).toThrow(
          `--${flag} must be a whole number from ${min} to ${max}`,
        )
    }
  })

  it('refuses options that it does not have, with words and exit code 2', async () => {
    const { code, err } = await refused(id, '--no-such-thing', 'x')
    expect({ code, named: err.includes('no-such-thing'), usage: err.includes('loam mcp') }).toEqual({
      code: 2,
      named: true,
      usage: true,
    })
  })

  it('starts over MCP with the tools it names, and answers a good and a wrong call of each', async () => {
    const { server: running } = await start()
    try {
      const { tools } = await running.client.listTools()
      expect(tools.map(({ name }) => name).sort()).toEqual(server.tools.map(({ name }) => name).sort())
      for (const { name, description } of tools) expect(`${name}: ${description ?? ''}`).toMatch(/: \S{3,}/)
      for (const { name, example, wrong } of server.tools) {
        const good = await answerOf(running, name, example.args)
        expect({ name, text: good.text }).toEqual({
          name,
          text: expect.stringContaining(example.answers) as string,
        })
        expect(good.failed).toBe(example.answers.startsWith('Not available'))
        expect(good.text.length).toBeLessThan(MOST_CHARACTERS)
        if (wrong === null) continue
        const bad = await answerOf(running, name, wrong)
        expect({ name, failed: bad.failed, silent: bad.text.trim() === '' }).toEqual({
          name,
          failed: true,
          silent: false,
        })
        expect(bad.text).not.toContain('do not read')
      }
      const unknown = await answerOf(running, 'no_such_tool', {})
      expect(unknown.failed).toBe(true)
      const long = await answerOf(running, server.tools[0]?.name ?? '', { nonsense: 'x'.repeat(300_000) })
      expect(long.text.length).toBeLessThan(MOST_CHARACTERS)
      // After all that it still works.
      const [first] = server.tools
      if (first)
        expect((await answerOf(running, first.name, first.example.args)).text).toContain(
          first.example.answers,
        )
    } finally {
      await running.close()
    }
  })

  const ends = TORTURE ? ['hung up on', 'killed'] : ['hung up on']
  it.runIf(isLinux).each(ends)(
    'goes on after calls that were cancelled, and is gone when it is %s',
    async (how) => {
      const { server: running } = await start()
      for (const { name, example } of server.tools.slice(0, TORTURE ? undefined : 2)) {
        const controller = new AbortController()
        const call = running.client.callTool({ name, arguments: { ...example.args } }, undefined, {
          signal: controller.signal,
        })
        controller.abort('not needed any more')
        await expect(call).rejects.toThrow()
        const again = await answerOf(running, name, example.args)
        expect({ name, text: again.text }).toEqual({
          name,
          text: expect.stringContaining(example.answers) as string,
        })
      }
      const pid = running.pid ?? 0
      expect(pid).toBeGreaterThan(0)
      const children = await childrenOf(pid)
      if (how === 'killed') process.kill(pid, 'SIGKILL')
      await running.close()
      for (const one of [pid, ...children]) await gone(one)
      await sleep(0)
      for (const one of children) expect(existsSync(`/proc/${one}/exe`)).toBe(false)
    },
  )
})
