import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import { findResources } from '../ground/resources'
import { TOOL_SERVERS } from '.'
import type { AnyToolServer, ToolServer } from './module'
import { readServerOptions, serverUsage } from './options'

/**
 * Runs a server of the list on standard input and output until its client hangs up or the process is asked to end.
 * Answers the exit code: 2 when the arguments cannot be used.
 */
export async function serveTools(
  argv: readonly string[],
  servers: readonly AnyToolServer[] = TOOL_SERVERS,
): Promise<number> {
  if (argv.includes('--help') || argv.includes('-h')) {
    process.stdout.write(serverUsage(servers))
    return 0
  }
  const [name, ...rest] = argv
  const server = servers.find(({ id }) => id === name)
  let open: () => Promise<ToolServer>
  try {
    if (!server) throw new Error(`Which server? One of: ${servers.map(({ id }) => id).join(', ')}`)
    const options = readServerOptions(server, rest)
    open = () => server.open(options, findResources().version)
  } catch (error) {
    process.stderr.write(`loam: ${(error as Error).message}\n\n${serverUsage(servers)}`)
    return 2
  }
  const { mcp, close } = await open()
  await mcp.connect(new StdioServerTransport())
  await new Promise<void>((resolve) => {
    process.stdin.once('end', resolve).once('close', resolve)
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => resolve())
  })
  close()
  await mcp.close()
  return 0
}
