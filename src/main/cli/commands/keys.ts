import { createKey, readKeys, removeKey, KEY_SCOPES, type KeyScope } from '../../api/program-keys'
import { findDataPath } from '../../ground/data-path'
import { UsageError } from '../arguments'
import type { Command } from './command'

const isScope = (word: string): word is KeyScope => KEY_SCOPES.some((scope) => scope === word)

/** `loam keys create|list|remove`: who may use the REST interface. Needs no lock, so it works beside a running Loam. */
export const keysCommand: Command = async ({ args, io }) => {
  const [, verb, name] = args.positionals
  const dataPath = findDataPath(args.text('data'))
  switch (verb) {
    case 'create': {
      if (name === undefined) throw new UsageError('For whom? loam keys create NAME')
      const scopes = args.list('scope') ?? ['read']
      if (!scopes.every(isScope)) throw new UsageError(`--scope must list some of: ${KEY_SCOPES.join(', ')}`)
      const key = await createKey(dataPath, { name, scopes }, new Date())
      io.out(key)
      io.note('This is shown once. Programs send it as "Authorization: Bearer KEY".')
      return { name, scopes, key }
    }
    case 'list': {
      const keys = (await readKeys(dataPath)).map(({ sha256: _, ...key }) => key)
      for (const key of keys) io.out(`${key.name}  ${key.scopes.join(', ')}  since ${key.createdAt}`)
      return { keys }
    }
    case 'remove':
      if (name === undefined) throw new UsageError('Which one? loam keys remove NAME')
      await removeKey(dataPath, name)
      io.out(`${name} may no longer connect.`)
      return { name }
    default:
      throw new UsageError('loam keys does what? One of: create, list, remove')
  }
}
