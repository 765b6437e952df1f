import { z } from 'zod'

/** Somebody who signs bundles. */
export const signerSchema = z.object({
  /** SHA-256 of the public key, in hex. */
  fingerprint: z.string().regex(/^[0-9a-f]{64}$/),
  /** What the person calls them. */
  name: z.string().max(200),
  /** `known`: what they sign is believed. `revoked`: it no longer is. `replaced`: another key took its place. */
  state: z.enum(['known', 'revoked', 'replaced']),
  /** ISO time of the last change; empty for one that never changed. */
  since: z.string(),
  /** Whether it is this Loam's own key. */
  own: z.boolean(),
})
export type Signer = z.infer<typeof signerSchema>

/** How the signature of a file stands: by this Loam, by somebody who is known, by somebody who is not, by a key that was revoked or replaced, or by nobody. */
export const SIGNER_STANDINGS = ['own', 'known', 'unknown', 'revoked', 'unsigned'] as const
export const signerStandingSchema = z.enum(SIGNER_STANDINGS)
export type SignerStanding = z.infer<typeof signerStandingSchema>

/** Whether what it signs is in use at once; else it waits in quarantine. */
export const isBelieved = (standing: SignerStanding): boolean => standing === 'own' || standing === 'known'

/** What a person reads of a signature before anything comes in. */
export function signerWords(
  standing: SignerStanding,
  fingerprint: string | null,
  name: string | null,
): string {
  const called = name === null || name === '' ? '' : ` ${name}`
  switch (standing) {
    case 'own':
      return 'This Loam signed it.'
    case 'known':
      return `Signed by${called}, whom you know (${fingerprint ?? ''}).`
    case 'unknown':
      return `Signed by somebody you do not know: ${fingerprint ?? ''}. All of it waits in quarantine until you take it out.`
    case 'revoked':
      return `Signed with a key that is no longer valid:${called} ${fingerprint ?? ''}. All of it waits in quarantine until you take it out.`
    case 'unsigned':
      return 'Nobody signed it. Anybody may have written or changed it. All of it waits in quarantine until you take it out.'
  }
}
