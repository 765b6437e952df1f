import { z } from 'zod'
import { createSerial } from '../../shared/serial'
import { LoamError } from '../../shared/errors'
import { readIfThere, replaceFile } from './atomic-file'

const fileSchema = z.object({
  format: z.literal(1),
  /** Values by name, by server. */
  servers: z.record(z.string(), z.record(z.string(), z.string())),
})
type Values = Readonly<Record<string, string>>

/** Secrets of tool servers, in a file of their own that only its owner may read. They are handed to servers and to nothing else. */
export type Credentials = ReturnType<typeof openCredentials>

/** @throws LoamError `DATA_CORRUPT` from each call when the file cannot be read as such */
export function openCredentials(path: string) {
  const inTurn = createSerial()
  const read = async (): Promise<Record<string, Values>> => {
    const text = await readIfThere(path)
    if (text === null) return {}
    try {
      return fileSchema.parse(JSON.parse(text)).servers
    } catch {
      // The parser's own words would quote the file.
      throw new LoamError('DATA_CORRUPT', `${path} is not readable.`, {
        suggestion: 'Remove the file and enter the secrets of your tool servers again.',
      })
    }
  }
  const write = (servers: Record<string, Values>): Promise<void> =>
    replaceFile(path, async (file) => {
      await file.chmod(0o600)
      await file.writeFile(`${JSON.stringify({ format: 1, servers }, null, 2)}\n`)
    })
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
