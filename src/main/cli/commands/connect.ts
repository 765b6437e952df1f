import { resolve } from 'node:path'
import { Client as McpClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { LoamError } from '../../../shared/errors'
import { findDataPath } from '../../ground/data-path'
import { UsageError, type Arguments } from '../arguments'
import { makeChange, plannedChange, recordOf, undoChange } from '../connect/change-file'
import { BY_PROXY, CLIENTS, projectOfFolder, type Client, type ServerCommand } from '../connect/clients'
import type { ConsoleIo } from '../console-io'
import type { Command } from './command'

/** The command that a client starts; everything in it holds in any folder. */
function serverOf(args: Arguments, client: Client, folder: string): ServerCommand {
  const project = args.text('project') ?? (client.scope === 'project' ? projectOfFolder(folder) : '')
  const memory = args.text('memory')
  const dataFolder = args.text('data') ?? process.env['LOAM_DATA']
  return {
    command: process.execPath,
    args: [
      ...process.execArgv,
      resolve(process.argv[1] ?? ''),
      ...['mcp', 'memory', '--write', '--client', client.id],
      ...(memory === undefined ? [] : ['--memory', memory]),
      ...(project === '' ? [] : ['--project', project]),
      ...(dataFolder === undefined ? [] : ['--data', findDataPath(dataFolder)]),
    ],
  }
}

/** Starts the memory as the client will, and asks for its tools and facts. @throws LoamError `INTERNAL` where it does not answer */
async function roundTrip({ command, args }: ServerCommand, folder: string): Promise<number> {
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

const clientNamed = (name: string): Client => {
  const client = CLIENTS.find(({ id }) => id === name)
  if (client) return client
  throw new UsageError(
    `Loam does not know a client called "${name}"`,
    `One of: ${[...CLIENTS.map(({ id }) => id), ...Object.keys(BY_PROXY)].join(', ')}.`,
  )
}

/** Every client, and whether it is connected from here. */
async function listClients(io: ConsoleIo, dataPath: string, folder: string) {
  const clients = []
  for (const client of CLIENTS) {
    const { path } = client.file(folder, { command: '', args: [] })
    const record = await recordOf(dataPath, path)
    clients.push({ id: client.id, path, connectedAt: record?.at ?? null })
    io.out(`${client.id}  ${record ? `connected since ${record.at.slice(0, 16)}` : 'not connected'}  ${path}`)
  }
  for (const [id, how] of Object.entries(BY_PROXY)) io.out(`${id}  by "loam proxy": ${how}`)
  return { clients }
}

/** `loam connect [NAME]`: puts My memory into a client's own configuration, and takes it out again. A person's act: no key reaches it. */
export const connectCommand: Command = async ({ args, io }) => {
  const [, name] = args.positionals
  const dataPath = findDataPath(args.text('data'))
  const folder = process.cwd()
  if (name === undefined) return listClients(io, dataPath, folder)
  const how = BY_PROXY[name]
  if (how !== undefined) {
    io.out(
      `${name} knows no memory servers; it gains memory by the proxy, which has to run while it is used:`,
    )
    io.out(`1. loam proxy --port 7334      (prints URL and KEY)\n2. ${how}`)
    io.out('The proxy sees what it is asked and answered; nothing was written.')
    return { client: name, changed: false, how }
  }
  const client = clientNamed(name)
  const server = serverOf(args, client, folder)
  const file = client.file(folder, server)
  if (args.flag('undo')) {
    const state = await undoChange(file.path, dataPath)
    io.out(
      state === 'restored'
        ? `${file.path} is as it was.`
        : `What Loam wrote is out of ${file.path}; what was changed there since stays.`,
    )
    return { client: name, path: file.path, state }
  }
  const change = await plannedChange(file)
  io.out(change.diff)
  if (args.flag('dry-run')) return { client: name, path: file.path, changed: false }
  const tools = await roundTrip(server, folder)
  await makeChange(change, { client: name, dataPath, now: new Date() })
  io.out(seenWords(client, args, folder))
  io.out(`The memory answers with ${tools} tools. ${client.next} Undo: loam connect ${name} --undo`)
  return { client: name, path: file.path, changed: true, tools }
}

/** What will be seen, and by whom. */
function seenWords(client: Client, args: Arguments, folder: string): string {
  const project = args.text('project') ?? (client.scope === 'project' ? projectOfFolder(folder) : null)
  const memory = args.text('memory') ?? 'My memory'
  const part =
    project === null ? 'all of it' : `what belongs to the project "${project}" and what all projects share`
  return (
    `${client.title}, and the model it uses wherever that runs, may now read ${memory}: ${part}. ` +
    `What it writes carries the name ${client.id}; "loam proposals" lists it and takes it back.`
  )
}
