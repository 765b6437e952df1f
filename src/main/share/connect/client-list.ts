import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { LoamError } from '../../../shared/errors'
import type {
  ClientChange,
  ClientList,
  ClientOutcome,
  ConnectedClient,
} from '../../../shared/domain/connected-client'
import { allRecords, makeChange, plannedChange, undoChange, type ConnectRecord } from './change-file'
import { BY_PROXY, CLIENTS, filesEverywhere, type Client } from './clients'
import { removeHookNotes } from './hook-notes'
import { builtProgram, commandOf, roundTrip, shellWords } from './server-command'

/** The programs that My memory can be put into, for all folders of a person. Which files that are is known here alone. */
export interface ConnectedClients {
  list(): Promise<ClientList>
  /** What connecting would write; changes nothing. @throws LoamError `NOT_FOUND`, `BAD_INPUT`, `CONFLICT` where it is there already */
  preview(id: string): Promise<ClientChange>
  /** Tries the memory as the client will start it, then writes what was shown. @throws LoamError as `preview`, `CONFLICT` where the files changed since, `INTERNAL` where the memory does not answer */
  connect(id: string, digest: string): Promise<ClientOutcome>
  /** Takes out what was written. @throws LoamError `NOT_FOUND`, `CONFLICT` where it reads differently now */
  disconnect(id: string): Promise<ClientOutcome>
}

interface ListOptions {
  readonly dataPath: string
  readonly now: () => Date
  /** Default: Loam's own as it was built. */
  readonly program?: () => string
  /** Tries a command; how many tools answered. Default: `roundTrip`. */
  readonly trial?: typeof roundTrip
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')
const unknown = (id: string): LoamError =>
  new LoamError('NOT_FOUND', `No program in the list is called "${id}".`, {
    suggestion: 'Look at the list again.',
  })

/** Paths do not depend on what is written. */
const pathsOf = (client: Client): string[] =>
  filesEverywhere(client, { command: '', args: [] }, '').map(({ path }) => path)

/** A client that was connected in one folder, named by its file; the key that it was given has the same name. */
export const placeId = (client: string, path: string): string => `${client}-${sha256(path).slice(0, 12)}`
const idOf = ({ client, path }: ConnectRecord): string => placeId(client, path)

const titleOf = (id: string): string =>
  CLIENTS.find((client) => client.id === id)?.title ?? BY_PROXY[id]?.title ?? id

/** Keeps the list for a data folder. */
export function createConnectedClients(options: ListOptions): ConnectedClients {
  const { dataPath, now, program = builtProgram, trial = roundTrip } = options
  const clientOf = (id: string): Client => {
    const client = CLIENTS.find((one) => one.id === id)
    if (client) return client
    throw unknown(id)
  }
  const planned = async (id: string) => {
    const client = clientOf(id)
    const about = { program: program(), client: id, data: dataPath }
    const server = commandOf(['mcp', 'memory', '--write'], about)
    const files = filesEverywhere(client, server, shellWords(commandOf(['hook'], about)))
    const changes = []
    for (const file of files) changes.push(await plannedChange(file))
    return { client, server, changes, digest: sha256(JSON.stringify(changes.map(({ diff }) => diff))) }
  }
  return {
    async list() {
      const records = await allRecords(dataPath)
      const everywhere = CLIENTS.map((client): ConnectedClient => {
        const paths = pathsOf(client)
        const record = records.find(({ path }) => paths.includes(path))
        return {
          ...{ id: client.id, title: client.title, oneFolder: false, files: paths },
          state: record ? 'connected' : existsSync(client.everywhere.installed()) ? 'found' : 'not-found',
          connectedAt: record?.at ?? null,
        }
      })
      const elsewhere = records
        .filter(({ path }) => !everywhere.some(({ files }) => files.includes(path)))
        .map((record): ConnectedClient => ({
          ...{ id: idOf(record), title: titleOf(record.client), oneFolder: true, files: [record.path] },
          ...{ state: 'connected', connectedAt: record.at },
        }))
      return {
        clients: [...everywhere, ...elsewhere],
        byProxy: Object.entries(BY_PROXY).map(([id, { title, how }]) => ({ id, title, how })),
      }
    },
    async preview(id) {
      const { changes, digest } = await planned(id)
      return { diffs: changes.map(({ diff }) => diff), digest }
    },
    async connect(id, digest) {
      const plan = await planned(id)
      if (plan.digest !== digest) throw changedSince(plan.client)
      const tools = await trial(plan.server, homedir())
      // The trial takes seconds, in which the client may write its files too.
      const { client, changes, ...latest } = await planned(id)
      if (latest.digest !== digest) throw changedSince(client)
      for (const change of changes) await makeChange(change, { client: id, dataPath, now: now() })
      return {
        words: [
          `${client.title} is connected; the memory answers with ${tools} tools.`,
          client.everywhere.next ?? client.next,
        ],
      }
    },
    async disconnect(id) {
      const records = await allRecords(dataPath)
      const client = CLIENTS.find((one) => one.id === id)
      const paths = client ? pathsOf(client) : []
      // A folder that was made goes with the file that it was made for, once the others are out of it.
      const connected = records
        .filter((record) => paths.includes(record.path) || idOf(record) === id)
        .sort((a, b) => a.folders.length - b.folders.length)
      if (connected.length === 0) throw unknown(id)
      const words = []
      for (const { path } of connected) {
        const state = await undoChange(path, dataPath)
        words.push(
          state === 'restored'
            ? `${path} is as it was.`
            : `What Loam wrote is out of ${path}; what was changed there since stays.`,
        )
      }
      await removeHookNotes(dataPath, connected[0]?.client ?? id)
      return { words }
    },
  }
}

const changedSince = ({ title }: Client): LoamError =>
  new LoamError('CONFLICT', `The configuration of ${title} changed since it was shown.`, {
    suggestion: 'Nothing was written. Look at the change again.',
  })
