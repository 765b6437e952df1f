import { readRecord, writeRecord } from '../ground/record-file'
import { z } from 'zod'
import { createSerial } from '../../shared/serial'
import { LoamError } from '../../shared/errors'
import { formerly } from '../../shared/domain/former-names'
import { modelServerSchema, type ModelServer } from '../../shared/domain/model-server'

const fileSchema = formerly(
  { connections: 'servers' },
  z.object({ format: z.literal(1), servers: z.array(modelServerSchema) }),
)

/** Where secrets of servers are kept. */
export interface SecretStore {
  of(owner: string): Promise<Readonly<Record<string, string>>>
  set(owner: string, names: readonly string[], values: Readonly<Record<string, string>>): Promise<void>
  remove(owner: string): Promise<void>
}

/** Model servers by names of the person's own. Keys lie in the store of secrets, never in this file. */
export type ModelServers = ReturnType<typeof openModelServers>

const ownerOf = (name: string): string => `connection:${name}`
const KEY = 'key'

/** Keeps them in `path`. */
export function openModelServers(path: string, secrets: SecretStore) {
  const inTurn = createSerial()
  const read = async (): Promise<ModelServer[]> => {
    const none = { format: 1 as const, servers: [] }
    return (await readRecord(path, fileSchema, none)).servers
  }
  const write = (servers: readonly ModelServer[]): Promise<void> => writeRecord(path, { format: 1, servers })
  const find = (servers: readonly ModelServer[], name: string): ModelServer => {
    const match = servers.find((server) => server.name === name)
    if (match) return match
    throw new LoamError('NOT_FOUND', `There is no server "${name}".`, {
      suggestion:
        servers.length === 0
          ? 'Add one with "loam servers add".'
          : `There are: ${servers.map((server) => server.name).join(', ')}.`,
    })
  }
  return {
    list: read,
    /** @throws LoamError `NOT_FOUND` */
    get: async (name: string): Promise<ModelServer> => find(await read(), name),
    /** Adds one, or changes the one of that name. `key` undefined keeps the key there is, null forgets it. */
    save: (server: ModelServer, key?: string | null) =>
      inTurn(async () => {
        const check = modelServerSchema.parse(server)
        const others = (await read()).filter(({ name }) => name !== check.name)
        await write([...others, check].sort((a, b) => (a.name < b.name ? -1 : 1)))
        if (key === null) await secrets.remove(ownerOf(check.name))
        else if (key !== undefined) await secrets.set(ownerOf(check.name), [KEY], { [KEY]: key })
      }),
    /** @throws LoamError `NOT_FOUND` */
    remove: (name: string) =>
      inTurn(async () => {
        const servers = await read()
        find(servers, name)
        await write(servers.filter((server) => server.name !== name))
        await secrets.remove(ownerOf(name))
      }),
    /** Null where none was given. */
    keyOf: async (name: string): Promise<string | null> => (await secrets.of(ownerOf(name)))[KEY] ?? null,
  }
}
