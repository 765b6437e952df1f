import type { Credentials } from '../ground/credentials'

/** What environments may use beyond Loam's own files. */
export type Outside = ReturnType<typeof outsideOf>

/** This machine alone, and no passwords. */
export const NOTHING_OUTSIDE: Outside = { network: () => false, password: () => Promise.resolve(null) }

const PASSWORD = 'password'

/** Who keeps the password of an address. */
export const ownerOf = (address: string): string => `address:${address}`

/** What the settings allow, with the passwords of the person's own store. */
export const outsideOf = (network: () => boolean, credentials: Pick<Credentials, 'of'>) => ({
  /** Whether other machines may be reached; this one always may. */
  network,
  /** A password that was kept for an address; null where there is none. */
  password: async (address: string): Promise<string | null> =>
    (await credentials.of(ownerOf(address)))[PASSWORD] ?? null,
})

/** Keeps a password for an address; null forgets it. */
export const keepPassword = (
  credentials: Pick<Credentials, 'set' | 'remove'>,
  address: string,
  password: string | null,
): Promise<void> =>
  password === null
    ? credentials.remove(ownerOf(address))
    : credentials.set(ownerOf(address), [PASSWORD], { [PASSWORD]: password })
