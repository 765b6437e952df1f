import { z } from 'zod'
import { createSerial } from '../../shared/serial'
import { LoamError } from '../../shared/errors'
import { replaceJson } from '../ground/atomic-file'
import { readJsonOr } from '../ground/read-json'
import { connectionSchema, type Connection } from '../../shared/domain/connection'

const fileSchema = z.object({ format: z.literal(1), connections: z.array(connectionSchema) })

/** Where secrets of connections are kept. */
export interface SecretStore {
  of(owner: string): Promise<Readonly<Record<string, string>>>
  set(owner: string, names: readonly string[], values: Readonly<Record<string, string>>): Promise<void>
  remove(owner: string): Promise<void>
}

/** Model servers by names of the person's own. Keys lie in the store of secrets, never in this file. */
export type Connections = ReturnType<typeof openConnections>

const ownerOf = (name: string): string => `connection:${name}`
const KEY = 'key'

/** Keeps them in `path`. @throws LoamError `DATA_CORRUPT` from each call when the file cannot be read as such */
export function openConnections(path: string, secrets: SecretStore) {
  const inTurn = createSerial()
  const read = async (): Promise<Connection[]> => {
    const none = { format: 1 as const, connections: [] }
    const how = 'Remove the file and add your connections again.'
    return (await readJsonOr(path, fileSchema, none, how)).connections
  }
  const write = (connections: readonly Connection[]): Promise<void> =>
    replaceJson(path, { format: 1, connections })
  const find = (connections: readonly Connection[], name: string): Connection => {
    const found = connections.find((connection) => connection.name === name)
    if (found) return found
    throw new LoamError('NOT_FOUND', `There is no connection "${name}".`, {
      suggestion:
        connections.length === 0
          ? 'Add one with "loam connections add".'
          : `There are: ${connections.map((connection) => connection.name).join(', ')}.`,
    })
  }
  return {
    list: read,
    /** @throws LoamError `NOT_FOUND` */
    get: async (name: string): Promise<Connection> => find(await read(), name),
    /** Adds one, or changes the one of that name. `key` undefined keeps the key there is, null forgets it. */
    save: (connection: Connection, key?: string | null) =>
      inTurn(async () => {
        const checked = connectionSchema.parse(connection)
        const others = (await read()).filter(({ name }) => name !== checked.name)
        await write([...others, checked].sort((a, b) => (a.name < b.name ? -1 : 1)))
        if (key === null) await secrets.remove(ownerOf(checked.name))
        else if (key !== undefined) await secrets.set(ownerOf(checked.name), [KEY], { [KEY]: key })
      }),
    /** @throws LoamError `NOT_FOUND` */
    remove: (name: string) =>
      inTurn(async () => {
        const connections = await read()
        find(connections, name)
        await write(connections.filter((connection) => connection.name !== name))
        await secrets.remove(ownerOf(name))
      }),
    /** Null where none was given. */
    keyOf: async (name: string): Promise<string | null> => (await secrets.of(ownerOf(name)))[KEY] ?? null,
  }
}
