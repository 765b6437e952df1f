import { z } from 'zod'
import { createSerial } from '../../shared/serial'
import { readRecord, writeRecord } from './record-file'

const fileSchema = z.object({
  format: z.literal(1),
  /** Values by name, by server. */
  servers: z.record(z.string(), z.record(z.string(), z.string())),
})
type Values = Readonly<Record<string, string>>

/** Secrets of tool servers, in a file of their own that only its owner may read. They are handed to servers and to nothing else. */
export type Credentials = ReturnType<typeof openCredentials>

/** Opens them; where the file and its copy are damaged there are none, and they are to be entered again. */
export function openCredentials(path: string) {
  const inTurn = createSerial()
  const read = async (): Promise<Record<string, Values>> =>
    (await readRecord(path, fileSchema, { format: 1, servers: {} })).servers
  const write = (servers: Record<string, Values>): Promise<void> => writeRecord(path, { format: 1, servers })
  return {
    of: async (serverId: string): Promise<Values> => (await read())[serverId] ?? {},
    /** Every value there is, to be kept out of texts. */
    all: async (): Promise<string[]> =>
      Object.values(await read()).flatMap((values) => Object.values(values)),
    /** Keeps exactly `names`: a value given here, else the one there was. */
    set: (serverId: string, names: readonly string[], values: Values) =>
      inTurn(async () => {
        const servers = await read()
        const before = servers[serverId] ?? {}
        const groupedSelection = names.flatMap((name) => {
          const value = values[name] ?? before[name]
          return value === undefined ? [] : [[name, value] as const]
        })
        await write({ ...servers, [serverId]: Object.fromEntries(groupedSelection) })
      }),
    remove: (serverId: string) =>
      inTurn(async () => {
        const { [serverId]: removal, ...rest } = await read()
        if (removal !== undefined) await write(rest)
      }),
  }
}
