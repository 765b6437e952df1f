import { createHash, randomBytes } from 'node:crypto'

/** A fresh secret: 32 random bytes, base64url. */
export const newSecret = (): string => randomBytes(32).toString('base64url')

/** SHA-256 of a secret: only these are kept and compared, in constant time. */
export const digest = (secret: string): Buffer => createHash('sha256').update(secret).digest()

/** The key of an authorization header; undefined when it carries none. */
export const bearerOf = (header: string | undefined): string | undefined =>
  /^Bearer\s+(\S{1,256})$/i.exec(header ?? '')?.[1]
