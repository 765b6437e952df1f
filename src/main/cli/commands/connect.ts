import { resolve } from 'node:path'
import { findDataPath } from '../../ground/data-path'
import { UsageError, type Arguments } from '../arguments'
import { allRecords, makeChange, plannedChange, recordOf, undoChange } from '../../share/connect/change-file'
import {
  BY_PROXY,
  CLIENTS,
  filesEverywhere,
  projectOfFolder,
  variablesFile,
  withHooks,
  type Client,
  type ClientFile,
  type ServerCommand,
} from '../../share/connect/clients'
import { removeHookNotes } from '../../share/connect/hook-notes'
import { commandOf, roundTrip, shellWords } from '../../share/connect/server-command'
import type { ConsoleIo } from '../console-io'
import { connectProxied } from './connect-proxied'
import type { Command } from './command'

/** A command of Loam's as it runs now, for a client in a folder. */
function commandFor(
  words: readonly string[],
  {
    args,
    client,
    folder,
  }: { readonly args: Arguments; readonly client: Pick<Client, 'id' | 'scope'>; readonly folder: string },
): ServerCommand {
  const dataFolder = args.text('data') ?? process.env['LOAM_DATA']
  return commandOf(words, {
    program: resolve(process.argv[1] ?? ''),
    client: client.id,
    memory: args.text('memory'),
    project: args.text('project') ?? (client.scope === 'project' ? projectOfFolder(folder) : ''),
    data: dataFolder === undefined ? undefined : findDataPath(dataFolder),
  })
}

const clientNamed = (name: string): Client => {
  const client = CLIENTS.find(({ id }) => id === name)
  if (client) return client
  throw new UsageError(
    `Loam does not know a client called "${name}"`,
    `One of: ${[...CLIENTS.map(({ id }) => id), ...Object.keys(BY_PROXY)].join(', ')}.`,
  )
}

/** Paths do not depend on what is written. */
const NO_SERVER: ServerCommand = { command: '', args: [] }

/** Every client, and whether it is connected from here or, in the window, for all folders. */
async function listClients(io: ConsoleIo, dataPath: string, folder: string) {
  const clients = []
  const records = await allRecords(dataPath)
  for (const client of CLIENTS) {
    const here = client.file(folder, NO_SERVER).path
    const everywhere = filesEverywhere(client, NO_SERVER, '').map(({ path }) => path)
    const record = (await recordOf(dataPath, here)) ?? records.find(({ path }) => everywhere.includes(path))
    const path = record?.path ?? here
    clients.push({ id: client.id, path, connectedAt: record?.at ?? null })
    io.out(`${client.id}  ${record ? `connected since ${record.at.slice(0, 16)}` : 'not connected'}  ${path}`)
  }
  const { path } = variablesFile(folder, {})
  const variables = await recordOf(dataPath, path)
  for (const [id, { how }] of Object.entries(BY_PROXY)) {
    const connectedAt = variables?.client === id ? variables.at : null
    clients.push({ id, path, connectedAt })
    io.out(
      `${id}  ${connectedAt ? `connected since ${connectedAt.slice(0, 16)}` : 'by "loam proxy"'}  ${how}`,
    )
  }
  return { clients }
}

/** `loam connect [NAME]`: puts My memory into a client's own configuration, and takes it out again. A person's act: no key reaches it. */
export const connectCommand: Command = async ({ args, io }) => {
  const [, name] = args.positionals
  const dataPath = findDataPath(args.text('data'))
  const folder = process.cwd()
  if (name === undefined) return listClients(io, dataPath, folder)
  if (BY_PROXY[name]) {
    const proxy = commandFor(['proxy'], { args, client: { id: name, scope: 'user' }, folder })
    return connectProxied({ args, io, name, folder, proxy })
  }
  const client = clientNamed(name)
  const about = { args, client, folder }
  const server = commandFor(['mcp', 'memory', '--write'], about)
  const command = args.flag('no-hooks') ? null : shellWords(commandFor(['hook'], about))
  const hooks = client.hooks?.(folder, command ?? '')
  const servers = client.file(folder, server)
  const file = command === null ? servers : withHooks(client, servers, command)
  if (args.flag('undo')) return undo(io, { name, file, hooks, dataPath })
  const changes = await Promise.all(
    [file, ...(hooks && command !== null ? [hooks] : [])].map((one) => plannedChange(one)),
  )
  for (const { diff } of changes) io.out(diff)
  const paths = changes.map(({ path }) => path)
  if (args.flag('dry-run')) return { client: name, path: file.path, paths, changed: false }
  const tools = await roundTrip(server, folder)
  for (const change of changes) await makeChange(change, { client: name, dataPath, now: new Date() })
  io.out(seenWords(client, args, folder))
  if (command !== null && (client.hooks ?? client.hooksWithin)) {
    const also = client.deafToFailures ? '' : ', when a tool fails'
    io.out(
      `${client.title} is told what is known when a session starts${also}, and before a call that failed so in earlier tasks (--no-hooks: not).`,
    )
  }
  io.out(`The memory answers with ${tools} tools. ${client.next} Undo: loam connect ${name} --undo`)
  return { client: name, path: file.path, paths, changed: true, tools }
}

/** Takes everything out that was written for a client. */
async function undo(
  io: ConsoleIo,
  {
    name,
    file,
    hooks,
    dataPath,
  }: {
    readonly name: string
    readonly file: ClientFile
    readonly hooks: ClientFile | undefined
    readonly dataPath: string
  },
) {
  const hooked = hooks && (await recordOf(dataPath, hooks.path)) ? [hooks.path] : []
  const files = []
  // The last that was written first, so that a folder that was made for both is empty in the end.
  for (const path of [...hooked, file.path]) {
    const state = await undoChange(path, dataPath)
    files.push({ path, state })
    io.out(
      state === 'restored'
        ? `${path} is as it was.`
        : `What Loam wrote is out of ${path}; what was changed there since stays.`,
    )
  }
  await removeHookNotes(dataPath, name)
  return { client: name, path: file.path, state: files[0]?.state, files }
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
