import { createKey, readTokens, revokeKey, KEY_SCOPES, type KeyScope } from '../../api/program-keys'
import { findDataPath } from '../../ground/data-path'
import { UsageError } from '../arguments'
import type { Command } from './command'

const isScope = (word: string): word is KeyScope => KEY_SCOPES.some((scope) => scope === word)

/** `loam tokens create|list|revoke`: who may use the REST interface. Needs no lock, so it works beside a running Loam. */
export const keysCommand: Command = async ({ args, io }) => {
  const [, verb, name] = args.positionals
  const dataPath = findDataPath(args.text('data'))
  switch (verb) {
    case 'create': {
      if (name === undefined) throw new UsageError('For whom? loam keys create NAME')
      const scopes = args.list('scope') ?? ['read']
      if (!scopes.every(isScope)) throw new UsageError(`--scope must list some of: ${KEY_SCOPES.join(', ')}`)
      const token = await createKey(dataPath, { name, scopes }, new Date())
      io.out(token)
      io.note('This is shown once. Programs send it as "Authorization: Bearer TOKEN".')
      return { name, scopes, token }
    }
    case 'list': {
      const tokens = (await readTokens(dataPath)).map(({ sha256: _, ...token }) => token)
      for (const token of tokens)
        io.out(`${token.name}  ${token.scopes.join(', ')}  since ${token.createdAt}`)
      return { tokens }
    }
    case 'revoke':
      if (name === undefined) throw new UsageError('Which one? loam keys revoke NAME')
      await revokeKey(dataPath, name)
      io.out(`${name} may no longer connect.`)
      return { name }
    default:
      throw new UsageError('loam keys does what? One of: create, list, revoke')
  }
}
