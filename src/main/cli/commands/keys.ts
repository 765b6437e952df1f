import { createKey, readKeys, removeKey, KEY_SCOPES, type KeyScope } from '../../api/program-keys'
import { existsSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { keyBindingWords } from '../../../shared/domain/sharing'
import { MY_MEMORY } from '../../../shared/domain/memory-info'
import { findDataPath } from '../../ground/data-path'
import { UsageError, type Arguments } from '../arguments'
import { memoryNamed } from './memory-named'
import type { Command } from './command'

const isScope = (word: string): word is KeyScope => KEY_SCOPES.some((scope) => scope === word)

/** The memory of --memory by its id; null for --all-memories. @throws UsageError for a folder elsewhere */
export function memoryOfKey(args: Arguments): string | null {
  if (args.flag('all-memories')) return null
  const name = memoryNamed(args)
  if (name === MY_MEMORY) return name
  const dataPath = findDataPath(args.text('data'))
  const folder = resolve(name)
  if (dirname(folder) === join(dataPath, 'spaces') && existsSync(join(folder, 'space.json')))
    return basename(folder)
  throw new UsageError(`There is no memory "${name}" in ${dataPath}; "loam memories" lists them`)
}

/** `loam keys create|list|remove`: who may use the REST interface. Needs no lock, so it works beside a running Loam. */
export const keysCommand: Command = async ({ args, io }) => {
  const [, verb, name] = args.positionals
  const dataPath = findDataPath(args.text('data'))
  switch (verb) {
    case 'create': {
      if (name === undefined) throw new UsageError('For whom? loam keys create NAME')
      const scopes = args.list('scope') ?? ['read']
      if (!scopes.every(isScope)) throw new UsageError(`--scope must list some of: ${KEY_SCOPES.join(', ')}`)
      const memory = memoryOfKey(args)
      const project = args.text('project') ?? null
      const key = await createKey(dataPath, { name, scopes, memory, project }, new Date())
      io.out(key)
      io.note('This is shown once. Programs send it as "Authorization: Bearer KEY".')
      return { name, scopes, memory, project, key }
    }
    case 'list': {
      const keys = (await readKeys(dataPath)).map(({ sha256: _, ...key }) => key)
      for (const key of keys)
        io.out(`${key.name}  ${key.scopes.join(', ')}  ${keyBindingWords(key)}  since ${key.createdAt}`)
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
