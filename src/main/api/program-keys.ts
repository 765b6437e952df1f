import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { SCOPES, type Scope } from '../../shared/contract/procedure'
import { LoamError } from '../../shared/errors'
import { replaceJson } from '../ground/atomic-file'
import { withFileLock } from '../ground/file-lock'
import { readJsonOr } from '../ground/read-json'

/** What a token may allow: looking, changing, and what only the person should do (settings, tool servers, any file). */
export const KEY_SCOPES = SCOPES
export type KeyScope = Scope

const tokenSchema = z.object({
  /** Who it was given to; writes carry this name. */
  name: z.string().min(1).max(60),
  scopes: z.array(z.enum(KEY_SCOPES)).min(1),
  /** SHA-256 of the token; the token itself is not kept. */
  sha256: z.string().length(64),
  createdAt: z.string(),
})
const fileSchema = z.object({ format: z.literal(1), tokens: z.array(tokenSchema) })
/** A token given to a program, without the token. */
export type ProgramKey = z.infer<typeof tokenSchema>

const digest = (token: string): Buffer => createHash('sha256').update(token).digest()
const fileOf = (dataPath: string): string => join(dataPath, 'tokens.json')

/** Tokens of a data folder. @throws LoamError `DATA_CORRUPT` when the file cannot be read as such */
export async function readTokens(dataPath: string): Promise<ProgramKey[]> {
  const none = { format: 1 as const, tokens: [] }
  const how = 'Remove the file and create the tokens again; programs then need the new ones.'
  return (await readJsonOr(fileOf(dataPath), fileSchema, none, how)).tokens
}

/**
 * Makes a token (32 random bytes, base64url) and answers it; it is shown this once. Works while a host has the folder open.
 * @throws LoamError `CONFLICT` when the name is taken, `NOT_FOUND` when there is no data folder yet
 */
export async function createKey(
  dataPath: string,
  input: { readonly name: string; readonly scopes: readonly KeyScope[] },
  now: Date,
): Promise<string> {
  if (!existsSync(join(dataPath, 'format.json'))) {
    throw new LoamError('NOT_FOUND', `There is no data folder at ${dataPath} yet.`, {
      suggestion: 'Start Loam once, or name the folder with --data.',
    })
  }
  const token = randomBytes(32).toString('base64url')
  const entry = tokenSchema.parse({
    name: input.name,
    scopes: [...input.scopes],
    sha256: digest(token).toString('hex'),
    createdAt: now.toISOString(),
  })
  await changeTokens(dataPath, (tokens) => {
    if (!tokens.some(({ name }) => name === input.name)) return [...tokens, entry]
    throw new LoamError('CONFLICT', `There is a token called "${input.name}" already.`, {
      suggestion: 'Revoke it first, or choose another name.',
    })
  })
  return token
}

/** Takes a token back; it stops working at once. @throws LoamError `NOT_FOUND` */
export async function revokeKey(dataPath: string, name: string): Promise<void> {
  await changeTokens(dataPath, (tokens) => {
    const rest = tokens.filter((token) => token.name !== name)
    if (rest.length < tokens.length) return rest
    throw new LoamError('NOT_FOUND', `There is no token called "${name}".`, {
      suggestion: '"loam keys list" shows the names.',
    })
  })
}

/** Read and written behind one lock: the window's host and any number of command lines change this file. */
const changeTokens = (
  dataPath: string,
  change: (tokens: readonly ProgramKey[]) => ProgramKey[],
): Promise<void> =>
  withFileLock(fileOf(dataPath), async () => {
    await replaceJson(fileOf(dataPath), { format: 1, tokens: change(await readTokens(dataPath)) }, 0o600)
  })

/** Whose token this is; null when it is nobody's. Every token is compared, in constant time. */
export function findKey(tokens: readonly ProgramKey[], inputText: string): ProgramKey | null {
  const hash = digest(inputText)
  return tokens.reduce<ProgramKey | null>(
    (match, token) => (timingSafeEqual(Buffer.from(token.sha256, 'hex'), hash) ? token : match),
    null,
  )
}
