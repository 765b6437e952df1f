import { generateKeyPairSync, sign } from 'node:crypto'
import { readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { signerSchema, type Signer, type SignerStanding } from '../../shared/domain/signer'
import { LoamError } from '../../shared/errors'
import { errnoOf } from '../ground/atomic-file'
import { withFileLock } from '../ground/file-lock'
import { readRecord, writeRecord } from '../ground/record-file'
import {
  fingerprintOf,
  rotationSchema,
  rotationText,
  type BundleSigned,
  type Rotation,
} from '../bundle/manifest'
import { keyIn, publicKeyOf, signingKey } from './bundle/write-bundle'

const fileSchema = z.object({
  format: z.literal(1),
  signers: z.array(signerSchema.omit({ own: true })),
  /** How this Loam's own key came to take the place of earlier ones. */
  rotations: z.array(rotationSchema).default([]),
})
type File = z.infer<typeof fileSchema>

/** Whose bundles a person believes: keys by fingerprint, with names, and this Loam's own. */
export type Signers = ReturnType<typeof openSigners>

/** Opens the record in a data folder. */
export function openSigners(dataPath: string, now: () => Date) {
  const path = join(dataPath, 'signers.json')
  const keyPath = join(dataPath, 'signing-key.pem')
  const read = (): Promise<File> => readRecord(path, fileSchema, { format: 1, signers: [], rotations: [] })
  const change = (next: (file: File) => File | Promise<File>): Promise<void> =>
    withFileLock(path, async () => writeRecord(path, await next(await read())))
  const ownFingerprint = async (): Promise<string | null> => {
    try {
      return fingerprintOf(publicKeyOf(keyIn(await readFile(keyPath, 'utf8'))))
    } catch (error) {
      if (errnoOf(error) === 'ENOENT') return null
      throw error
    }
  }
  const put = (fingerprint: string, fields: Pick<Signer, 'state'> & Partial<Signer>) =>
    change((file) => {
      const before = file.signers.find((one) => one.fingerprint === fingerprint)
      const record = { fingerprint, name: '', since: now().toISOString(), ...before, ...fields }
      return {
        ...file,
        signers: [...file.signers.filter((one) => one !== before), record].sort((a, b) =>
          a.since < b.since ? -1 : 1,
        ),
      }
    })
  const list = async (): Promise<Signer[]> => {
    const { signers } = await read()
    const own = await ownFingerprint()
    const others = signers.map((one) => ({ ...one, own: one.fingerprint === own }))
    return own === null || others.some((one) => one.own)
      ? others
      : [{ fingerprint: own, name: 'This Loam', state: 'known', since: '', own: true }, ...others]
  }
  /** How a signature stands. `named`: the record that says so. */
  const standingOf = async (
    signed: BundleSigned | null,
  ): Promise<{
    readonly standing: SignerStanding
    readonly name: string | null
    readonly replaces: string | null
  }> => {
    if (signed === null) return { standing: 'unsigned', name: null, replaces: null }
    const all = await list()
    const own = all.find(({ fingerprint }) => fingerprint === signed.fingerprint)
    if (own?.state === 'known') return { standing: own.own ? 'own' : 'known', name: own.name, replaces: null }
    if (own) return { standing: 'revoked', name: own.name, replaces: null }
    // Keys that were replaced vouch for the one that took their place, unless one of them was revoked.
    const former = signed.former.flatMap((one) => all.find(({ fingerprint }) => fingerprint === one) ?? [])
    if (former.some(({ state }) => state === 'revoked'))
      return { standing: 'revoked', name: former[0]?.name ?? null, replaces: null }
    const [last] = former
    return last
      ? { standing: 'known', name: last.name, replaces: last.fingerprint }
      : { standing: 'unknown', name: null, replaces: null }
  }
  return {
    list,
    standingOf,
    /** Gives a signer a name; from here on bundles of theirs are believed. @throws LoamError `BAD_INPUT` */
    async know(fingerprint: string, name: string): Promise<Signer[]> {
      await put(whole(fingerprint), { state: 'known', name: name.trim() })
      return list()
    },
    /** Bundles that are signed with it are believed no more, nor keys that took its place. */
    async revoke(fingerprint: string): Promise<Signer[]> {
      await put(whole(fingerprint), { state: 'revoked' })
      return list()
    },
    /** Takes a new key in the place of this Loam's own, which vouches for it and is then gone. */
    async rotate(): Promise<Signer[]> {
      const before = await signingKey(keyPath)
      const { privateKey } = generateKeyPairSync('ed25519')
      const [from, to] = [publicKeyOf(before), publicKeyOf(privateKey)]
      const rotation: Rotation = {
        from,
        to,
        signature: sign(null, rotationText(to), before).toString('base64'),
      }
      const fresh = `${keyPath}.new`
      await writeFile(fresh, privateKey.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600 })
      await change((file) => ({ ...file, rotations: [...file.rotations, rotation] }))
      await rename(fresh, keyPath)
      await put(fingerprintOf(from), { state: 'replaced', name: 'This Loam, before' })
      return list()
    },
    /** How this Loam's key came to take the place of earlier ones, for what it signs. */
    rotations: async (): Promise<readonly Rotation[]> => (await read()).rotations,
    /** What a bundle's signature says of its signer, and what is noted of it once it is imported. */
    async met(signed: BundleSigned | null): Promise<SignerStanding> {
      const { standing, name, replaces } = await standingOf(signed)
      if (signed && replaces !== null) {
        await put(signed.fingerprint, { state: 'known', name: name ?? '' })
        await put(replaces, { state: 'replaced' })
      }
      return standing
    },
  }
}

const whole = (fingerprint: string): string => {
  if (/^[0-9a-f]{64}$/.test(fingerprint)) return fingerprint
  throw new LoamError('BAD_INPUT', 'A fingerprint has 64 digits and letters from a to f.', {
    suggestion: 'Copy it whole from the report of an import.',
  })
}
