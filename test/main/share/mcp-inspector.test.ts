import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createApp } from '../../../src/main/app'
import { LOAM_CLI } from '../cli/loam-process'
import { attempt } from '../memory-store/fixtures'

const run = promisify(execFile)

/** The official Inspector's command; `LOAM_MCP_INSPECTOR` names it where it is not among this project's packages. */
const INSPECTOR = process.env['LOAM_MCP_INSPECTOR'] ?? resolve('node_modules/.bin/mcp-inspector')

describe.skipIf(!existsSync(INSPECTOR))(
  'the Inspector of MCP (skipped where @modelcontextprotocol/inspector is absent)',
  () => {
    let folder: string
    let config: string
    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), 'loam-inspector-'))
      const [data, memory] = [join(folder, 'data'), join(folder, 'space')]
      const app = await createApp({ dataPath: data, host: 'memory' })
      await (
        await app.memories.open(memory)
      ).commit(attempt(1, 'count the boats of the northern harbor', { reward: 1 }))
      await app.dispose()
      config = join(folder, 'mcp.json')
      const program = LOAM_CLI.map((part) => (part.endsWith('.ts') ? resolve(part) : part))
      const args = [...program, 'mcp', 'memory', '--memory', memory, '--data', data, '--write']
      await writeFile(config, JSON.stringify({ mcpServers: { loam: { command: process.execPath, args } } }))
    })
    afterAll(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }))

    const inspect = async (...options: string[]): Promise<Record<string, unknown>> => {
      const { stdout } = await run(INSPECTOR, ['--cli', '--config', config, '--server', 'loam', ...options])
      return JSON.parse(stdout) as Record<string, unknown>
    }

    it('lists the tools with their shapes, the resources and the prompts', { timeout: 120_000 }, async () => {
      const { tools } = (await inspect('--method', 'tools/list')) as {
        tools: { name: string; inputSchema: { type: string } }[]
      }
      expect(tools.map(({ name }) => name).sort()).toEqual([
        'memory_forget',
        'memory_guidance',
        'memory_list',
        'memory_remember',
        'memory_report',
        'memory_search',
        'memory_undo',
        'memory_update',
      ])
      expect(tools.every(({ inputSchema }) => inputSchema.type === 'object')).toBe(true)
      expect(await inspect('--method', 'resources/list')).toHaveProperty('resources')
      const { prompts } = (await inspect('--method', 'prompts/list')) as { prompts: { name: string }[] }
      expect(prompts.map(({ name }) => name)).toContain('plan-with-memory')
    })

    it('calls a tool', { timeout: 120_000 }, async () => {
      const answer = await inspect(
        '--method',
        'tools/call',
        '--tool-name',
        'memory_search',
        '--tool-arg',
        'query=boats of the harbor',
      )
      expect(JSON.stringify(answer)).toContain('northern harbor')
    })
  },
)
