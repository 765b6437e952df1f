import { UsageError } from '../arguments'
import type { Command } from './command'
import type { Signer } from '../../../shared/domain/signer'

const lineOf = ({ fingerprint, name, state, own }: Signer): string =>
  `${fingerprint}  ${own ? 'own' : state}  ${name}`

/** `loam signers [know FINGERPRINT NAME | revoke FINGERPRINT | rotate]`: whose bundles are believed. */
export const signersCommand: Command = async ({ args, io, host }) => {
  const [, verb = 'list', fingerprint = '', name = ''] = args.positionals
  const { sharing } = (await host()).client
  const answer = async (): Promise<Signer[]> => {
    switch (verb) {
      case 'list':
        return sharing.signers()
      case 'know':
        if (name === '') throw new UsageError('Who? loam signers know FINGERPRINT NAME')
        return sharing.knowSigner({ fingerprint, name })
      case 'revoke':
        if (fingerprint === '') throw new UsageError('Which one? loam signers revoke FINGERPRINT')
        return sharing.revokeSigner({ fingerprint })
      case 'rotate':
        return sharing.rotateKey()
      default:
        throw new UsageError('loam signers does what? list, know, revoke or rotate')
    }
  }
  const signers = await answer()
  for (const signer of signers) io.out(lineOf(signer))
  if (signers.length === 0) io.note('Nobody yet. An import says who signed its file.')
  return { signers }
}
