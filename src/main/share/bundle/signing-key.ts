import { createPrivateKey, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { LoamError } from '../../../shared/errors'
import { errnoOf } from '../../ground/atomic-file'

/** A person's key, made where there is none yet. @throws LoamError `BAD_INPUT` when the file holds another one */
export async function signingKey(path: string): Promise<KeyObject> {
  try {
    const key = createPrivateKey(await readFile(path, 'utf8'))
    if (key.asymmetricKeyType === 'ed25519') return key
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') {
      const { privateKey } = generateKeyPairSync('ed25519')
      await writeFile(path, privateKey.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600, flag: 'wx' })
      return privateKey
    }
  }
  throw new LoamError('BAD_INPUT', `${path} holds no Ed25519 key.`, {
    suggestion: 'Name a file that is not there; a key is made in it.',
  })
}
