import { readFile } from 'node:fs/promises'
import type { FoundFile } from '../ground/walk-folder'

/** A session that is kept in several files: what is known of it, its messages in order, and the parts of each. */
export interface StoredSession extends FoundFile {
  readonly messages: readonly { readonly path: string; readonly parts: readonly string[] }[]
}

/** `session/PROJECT/SESSION.json`, `message/SESSION/MESSAGE.json`, `part/MESSAGE/PART.json`: of each the kind, its owner, and its own name. */
const placeOf = (name: string): readonly [kind: string, owner: string, id: string] | null => {
  const [kind, owner, file, ...more] = name.split('/')
  return kind !== undefined && owner !== undefined && file?.endsWith('.json') === true && more.length === 0
    ? [kind, owner, file.slice(0, -'.json'.length)]
    : null
}

/**
 * opencode's sessions among the files below its `storage`, each as if it were one file: all its bytes, and the time of what was written last. Names of
 * messages and parts count up, so that their order is that of the session.
 */
export function sessionsInStorage(files: readonly FoundFile[]): StoredSession[] {
  const byOwner = new Map<string, FoundFile[]>()
  const sessions: { readonly id: string; readonly file: FoundFile }[] = []
  for (const file of files) {
    const place = placeOf(file.name)
    if (!place) continue
    const [kind, owner, id] = place
    if (kind === 'session') sessions.push({ id, file })
    const key = `${kind}/${owner}`
    byOwner.set(key, [...(byOwner.get(key) ?? []), file])
  }
  return sessions.map(({ id, file }) => {
    const messages = (byOwner.get(`message/${id}`) ?? []).map((message) => {
      const messageId = placeOf(message.name)?.[2] ?? ''
      return { message, parts: byOwner.get(`part/${messageId}`) ?? [] }
    })
    const all = [file, ...messages.flatMap(({ message, parts }) => [message, ...parts])]
    return {
      ...file,
      bytes: all.reduce((sum, { bytes }) => sum + bytes, 0),
      modifiedMs: Math.max(...all.map(({ modifiedMs }) => modifiedMs)),
      messages: messages.map(({ message, parts }) => ({
        path: message.path,
        parts: parts.map(({ path }) => path),
      })),
    }
  })
}

/** A session as `opencode export` would write it; nothing in it is read, only put together. */
export async function storedSessionText({ path, messages }: StoredSession): Promise<string> {
  const textOf = async (file: string): Promise<string> => (await readFile(file, 'utf8')).trim()
  const texts: string[] = []
  for (const message of messages) {
    const parts: string[] = []
    for (const part of message.parts) parts.push(await textOf(part))
    texts.push(`{"info": ${await textOf(message.path)}, "parts": [${parts.join(', ')}]}`)
  }
  return `{"info": ${await textOf(path)}, "messages": [${texts.join(',\n')}]}\n`
}
