import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { expect, it } from 'vitest'
import { LOAM_CLI } from '../loam-process'

const PROGRAM = LOAM_CLI.map((part) =>
  part === 'tsx' ? resolve('node_modules/tsx/dist/loader.mjs') : part.startsWith('-') ? part : resolve(part),
)

it('a client gains the memory by one command, and loses it by one', { timeout: 300_000 }, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'loam-connect-'))
  const here = join(folder, 'vela')
  mkdirSync(here)
  const { PATH = '' } = process.env
  const env = {
    PATH,
    HOME: folder,
    LOAM_DATA: join(folder, 'data'),
    TSX_TSCONFIG_PATH: resolve('tsconfig.json'),
  }
  const loam = async (...args: string[]): Promise<{ code: number | null; out: string }> => {
    const child = spawn(process.execPath, [...PROGRAM, ...args], { cwd: here, env, stdio: 'pipe' })
    let out = ''
    child.stdout.on('data', (chunk) => (out += String(chunk)))
    child.stderr.on('data', (chunk) => (out += String(chunk)))
    return new Promise((done) => child.on('close', (code) => done({ code, out })))
  }
  try {
    const path = join(here, '.mcp.json')
    const before = '{\n  "mcpServers": {\n    "x": { "command": "y" }\n  }\n}\n'
    writeFileSync(path, before)
    const dry = await loam('connect', 'claude-code', '--dry-run')
    expect(dry.out).toContain('+    "loam-memory": {')
    expect(readFileSync(path, 'utf8')).toBe(before)
    const done = await loam('connect', 'claude-code')
    expect(done).toMatchObject({ code: 0 })
    expect(done.out).toContain('the project "vela"')
    expect(done.out).toContain('answers with 8 tools')

    const settings = join(here, '.claude', 'settings.local.json')
    const { hooks } = JSON.parse(readFileSync(settings, 'utf8')) as {
      hooks: Record<string, [{ hooks: [{ command: string }] }]>
    }
    const told = (event: object): Promise<string> =>
      new Promise((done) => {
        const child = spawn('sh', ['-c', hooks['SessionStart']?.[0].hooks[0].command ?? ''], {
          cwd: here,
          env,
        })
        let out = ''
        child.stdout.on('data', (chunk) => (out += String(chunk)))
        child.on('close', () => done(out))
        child.stdin.end(JSON.stringify(event))
      })
    const start = { hook_event_name: 'SessionStart', source: 'startup' }

    const { mcpServers } = JSON.parse(readFileSync(path, 'utf8')) as {
      mcpServers: Record<string, { command: string; args: string[] }>
    }
    const client = new Client({ name: 'claude-code', version: '2' })
    const server = mcpServers['loam-memory'] as { command: string; args: string[] }
    await client.connect(new StdioClientTransport({ ...server, cwd: folder, env, stderr: 'ignore' }))
    await client.callTool({ name: 'memory_remember', arguments: { fact: 'Vela is tested by make check.' } })
    const listed = await client.callTool({ name: 'memory_list', arguments: {} })
    await client.close()
    expect(JSON.stringify(listed.content)).toMatch(
      /Vela is tested by make check\. \(about Vela, claude-code, .*, vela\)/,
    )

    expect(JSON.parse(await told(start))).toMatchObject({
      hookSpecificOutput: {
        hookEventName: 'SessionStart',
        additionalContext: expect.stringContaining('Vela is tested by make check.') as string,
      },
    })

    expect((await loam('connect')).out).toContain('claude-code  connected since')
    expect(await loam('connect', 'claude-code', '--undo')).toMatchObject({ code: 0 })
    expect(readFileSync(path, 'utf8')).toBe(before)
    expect(existsSync(settings)).toBe(false)
    expect(existsSync(join(here, '.cursor'))).toBe(false)
    // What knows no memory servers gets the proxy's address and a key of its own.
    const variables = join(here, '.env')
    writeFileSync(variables, 'OPENAI_API_KEY=own')
    const proxied = await loam('connect', 'aider', '--port', '17334')
    expect(proxied).toMatchObject({ code: 0 })
    expect(readFileSync(variables, 'utf8')).toMatch(
      /^OPENAI_API_KEY=own\n# loam-memory\nAIDER_OPENAI_API_BASE=/,
    )
    expect((await loam('connect')).out).toContain('aider  connected since')
    expect((await loam('keys', 'list')).out).toContain('aider-')
    expect(await loam('connect', 'aider', '--undo')).toMatchObject({ code: 0 })
    expect(readFileSync(variables, 'utf8')).toBe('OPENAI_API_KEY=own')
    expect((await loam('keys', 'list')).out).not.toContain('aider-')
    expect(await loam('connect', 'nobody')).toMatchObject({ code: 2 })
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  }
})
