import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { LoamError } from '../../../shared/errors'
import { findPackageRoot, unpacked } from '../../ground/resources'
import type { ServerCommand } from './clients'

/** Loam's own program for the terminal as it was built. @throws LoamError `NOT_FOUND` where there is none that stays when Loam closes */
export function builtProgram(): string {
  const root = unpacked(findPackageRoot(import.meta.dirname))
  if (process.env['APPIMAGE'] !== undefined)
    throw new LoamError(
      'NOT_FOUND',
      'An AppImage has no place that other programs can start its memory from.',
      {
        suggestion: 'Install the deb package, or run Loam from its source.',
      },
    )
  const program = join(root, 'out', 'main', 'cli', 'index.js')
  if (existsSync(program)) return program
  throw new LoamError('NOT_FOUND', `${program} is missing.`, {
    suggestion: 'Build Loam first: npm run build.',
  })
}

/** What starts a program of Loam's from any folder. Electron is told to be Node, on Windows by the installed `loam.cmd`. */
function startOf(program: string): readonly [string, ...string[]] {
  const node = [process.execPath, ...process.execArgv, program] as const
  if (process.versions.electron === undefined) return node
  if (process.platform !== 'win32') return ['/usr/bin/env', 'ELECTRON_RUN_AS_NODE=1', ...node]
  const root = unpacked(findPackageRoot(import.meta.dirname))
  return ['cmd', '/d', '/c', join(dirname(root), 'bin', 'loam.cmd')]
}

/** A command of Loam's that a client starts; everything in it holds in any folder. `program`: Loam's for the terminal. */
export function commandOf(
  words: readonly string[],
  about: {
    readonly program: string
    readonly client: string
    readonly memory?: string | undefined
    readonly project?: string | undefined
    /** An absolute path. Default: the usual data folder. */
    readonly data?: string | undefined
  },
): ServerCommand {
  const [command, ...args] = startOf(about.program)
  const { client, memory, project, data } = about
  const options = Object.entries({ client, memory, project, data })
  return {
    command,
    args: [
      ...args,
      ...words,
      ...options.flatMap(([name, value]) =>
        value === undefined || value === '' ? [] : [`--${name}`, value],
      ),
    ],
  }
}

/** A command as a shell reads it. */
export const shellWords = ({ command, args }: ServerCommand): string =>
  [command, ...args]
    .map((word) => (/^[\w./:=@-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`))
    .join(' ')

/** Starts the memory as a client will, and asks for its tools and facts: how many tools. @throws LoamError `INTERNAL` where it does not answer */
export async function roundTrip({ command, args }: ServerCommand, folder: string): Promise<number> {
  const [{ Client: McpClient }, { StdioClientTransport }] = await Promise.all([
    import('@modelcontextprotocol/sdk/client/index.js'),
    import('@modelcontextprotocol/sdk/client/stdio.js'),
  ])
  const client = new McpClient({ name: 'loam connect', version: '1' })
  const env = Object.fromEntries(
    Object.entries(process.env).filter((pair): pair is [string, string] => pair[1] !== undefined),
  )
  try {
    await client.connect(
      new StdioClientTransport({ command, args: [...args], cwd: folder, env, stderr: 'ignore' }),
    )
    const { tools } = await client.listTools()
    await client.callTool({ name: 'memory_list', arguments: { limit: 1 } })
    return tools.length
  } catch (error) {
    throw new LoamError('INTERNAL', 'The memory did not answer as the client would start it.', {
      suggestion: `Run it to see why: ${[command, ...args].join(' ')}`,
      underlying: error,
    })
  } finally {
    await client.close()
  }
}
