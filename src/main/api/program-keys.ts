import { readRecord, writeRecord } from '../ground/record-file'
import { timingSafeEqual } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { SCOPES, type Scope } from '../../shared/contract/procedure'
import { keyBindingSchema, type KeyBinding } from '../../shared/domain/sharing'
import { LoamError } from '../../shared/errors'
import { withFileLock } from '../ground/file-lock'
import { digest, newSecret, bearerOf } from './secrets'

/** Who a request's key was given to. */
export interface KeyHolder {
  readonly name: string
  readonly mayWrite: boolean
  /** The project it is bound to; null for the whole memory. */
  readonly project: string | null
  /** Whether it is the server's own. */
  readonly isOwn: boolean
}

/** The keys that a server takes: one of its own, made when it starts, and the keys of the data folder. */
export type KeyRing = ReturnType<typeof createKeyRing>

/**
 * Makes it; `name` is who uses the server's own key, `opens` whether a key of the data folder is for what is served. Keys are read for each
 * request, so that a removed one stops working at once.
 */
export function createKeyRing(
  name: string,
  keys: () => Promise<readonly ProgramKey[]>,
  opens: (key: ProgramKey) => boolean,
) {
  const key = newSecret()
  const bytes = digest(key)
  return {
    /** The server's own key. */
    key,
    /** Null when an authorization header carries no key that counts. */
    async holder(header: string | undefined): Promise<KeyHolder | null> {
      const inputText = bearerOf(header)
      if (inputText === undefined) return null
      if (timingSafeEqual(digest(inputText), bytes))
        return { name, mayWrite: true, project: null, isOwn: true }
      const key = findKey(await keys(), inputText)
      if (!key?.scopes.includes('read') || !opens(key)) return null
      return {
        ...{ name: key.name, project: key.project, isOwn: false },
        // What is bound to no memory only reads.
        mayWrite: key.memory !== null && key.scopes.includes('write'),
      }
    },
  }
}

/** What a key may allow: reading and writing a memory. All else is the person's. */
export const KEY_SCOPES = SCOPES
export type KeyScope = Scope

/** Whether a key opens a memory; `folder` says where the memory of an id lies. A key for a project opens no whole memory. */
export const keyOpens = (
  { memory }: KeyBinding,
  memoryId: string,
  folder: (memoryId: string) => string,
): boolean => memory === null || folder(memory) === folder(memoryId)

const keySchema = z.object({
  /** Who it was given to; writes carry this name. */
  name: z.string().min(1).max(60),
  /** Loam 0.1 knew a third one, which opened all that is the person's; a key keeps what else it had. */
  scopes: z.array(z.string()).transform((names) => KEY_SCOPES.filter((scope) => names.includes(scope))),
  /** SHA-256 of the key; the key itself is not kept. */
  sha256: z.string().length(64),
  createdAt: z.string(),
  /** As in `KeyBinding`; keys of Loam 0.1 were bound to none. */
  memory: keyBindingSchema.shape.memory.unwrap().default(null),
  project: keyBindingSchema.shape.project.unwrap().default(null),
})
const fileSchema = z.object({ format: z.literal(1), tokens: z.array(keySchema) })
/** A key of a program, without the key. */
export type ProgramKey = z.infer<typeof keySchema>

const fileOf = (dataPath: string): string => join(dataPath, 'tokens.json')

/** Keys of a data folder; none where the file and its copy are damaged, so that nobody gets in. */
export async function readKeys(dataPath: string): Promise<ProgramKey[]> {
  const none = { format: 1 as const, tokens: [] }
  return (await readRecord(fileOf(dataPath), fileSchema, none)).tokens
}

/**
 * Makes a key (32 random bytes, base64url) and answers it; it is shown this once. Works while a host has the folder open. Default `memory`:
 * My memory.
 * @throws LoamError `CONFLICT` when the name is taken, `NOT_FOUND` when there is no data folder yet, `BAD_INPUT` for one that is to write to
 *   every memory
 */
export async function createKey(
  dataPath: string,
  input: { readonly name: string; readonly scopes: readonly KeyScope[] } & Partial<KeyBinding>,
  now: Date,
): Promise<string> {
  if (!existsSync(join(dataPath, 'format.json'))) {
    throw new LoamError('NOT_FOUND', `There is no data folder at ${dataPath} yet.`, {
      suggestion: 'Start Loam once, or name the folder with --data.',
    })
  }
  const binding = keyBindingSchema.parse({ memory: input.memory, project: input.project })
  if (binding.memory === null && (input.scopes.includes('write') || binding.project !== null)) {
    throw new LoamError('BAD_INPUT', 'A key for every memory can only read, and all of each.', {
      suggestion: 'Name the one memory that the program may write to.',
    })
  }
  const key = newSecret()
  const entry = keySchema.parse({
    name: input.name,
    scopes: [...input.scopes],
    ...binding,
    sha256: digest(key).toString('hex'),
    createdAt: now.toISOString(),
  })
  await changeKeys(dataPath, (keys) => {
    if (!keys.some(({ name }) => name === input.name)) return [...keys, entry]
    throw new LoamError('CONFLICT', `There is a key called "${input.name}" already.`, {
      suggestion: 'Revoke it first, or choose another name.',
    })
  })
  return key
}

/** Has keys of one project open another in its place. */
export const moveKeys = (dataPath: string, from: string, project: string): Promise<void> =>
  changeKeys(dataPath, (keys) => keys.map((key) => (key.project === from ? { ...key, project } : key)))

/** Takes a key back; it stops working at once. @throws LoamError `NOT_FOUND` */
export async function removeKey(dataPath: string, name: string): Promise<void> {
  await changeKeys(dataPath, (keys) => {
    const rest = keys.filter((key) => key.name !== name)
    if (rest.length < keys.length) return rest
    throw new LoamError('NOT_FOUND', `There is no key called "${name}".`, {
      suggestion: '"loam keys list" shows the names.',
    })
  })
}

/** Read and written behind one lock: the window's host and any number of command lines change this file. */
const changeKeys = (dataPath: string, change: (keys: readonly ProgramKey[]) => ProgramKey[]): Promise<void> =>
  withFileLock(fileOf(dataPath), async () => {
    await writeRecord(fileOf(dataPath), { format: 1, tokens: change(await readKeys(dataPath)) })
  })

/** Whose key this is; null when it is nobody's. Every key is compared, in constant time. */
export function findKey(keys: readonly ProgramKey[], inputText: string): ProgramKey | null {
  const hash = digest(inputText)
  return keys.reduce<ProgramKey | null>(
    (match, key) => (timingSafeEqual(Buffer.from(key.sha256, 'hex'), hash) ? key : match),
    null,
  )
}
