import { z } from 'zod'

/**
 * Where an item comes from. `person`: somebody wrote or said it here. `attempt`: an attempt made here taught it. `file`: it is a part of a
 * person's own file. `program`: another program says so. `import`: it came with a file, a bundle or from a peer. `unknown`: nothing is
 * known, as of items that came before this was kept.
 */
export const TRUST_ORIGINS = ['person', 'attempt', 'file', 'program', 'import', 'unknown'] as const

/** Longest name of whom an item is from, and of who says how its attempt ended, in characters. */
export const LONGEST_TELLER = 1000
export const LONGEST_CLAIM = 200

const toldSchema = z.object({
  origin: z.enum(TRUST_ORIGINS),
  /** The program, the file or the peer by name; null for a person, and where that is not known. */
  by: z.string().max(LONGEST_TELLER).nullable(),
  /** SHA-256 of the public key that signed the bundle it came in; null where nobody signed. */
  signer: z.string().max(64).nullable(),
  /** Who says how its attempt ended, in words; null where it claims no outcome, or that is not known. */
  claim: z.string().max(LONGEST_CLAIM).nullable(),
  /** Whether a person saw it: wrote, judged, edited or pinned it, or took it out of quarantine. */
  seen: z.boolean(),
})

/** What a file says of the trust in an item, in whoever wrote that file. It is told, and not believed. */
export const carriedTrustSchema = toldSchema
export type CarriedTrust = z.infer<typeof carriedTrustSchema>

/** What is known of where an item comes from, and who stands for it. */
export const trustSchema = toldSchema.extend({
  /** Text that nobody checked and that the attempt behind it had read, such as `the answer of read_page`. */
  read: z.array(z.string()),
  /** Ids of the attempts and items that it was made from. */
  derivedFrom: z.array(z.string()),
  /** What the file that it came with says of it; null where that says nothing, or it came with none. */
  carried: carriedTrustSchema.nullable(),
})
export type Trust = z.infer<typeof trustSchema>

/** Where an item came from that was not made here, as the journal keeps it. */
export const itemSourceSchema = z.object({
  /** `memory`: another memory of the same person, whose word on it is believed (`carried`). */
  from: z.enum(['import', 'program', 'memory']),
  /** The file, address or program by name; empty for a memory. */
  name: z.string().max(LONGEST_TELLER),
  /** Of a file its format; null for a program. */
  format: z.string().max(80).nullable().default(null),
  signer: z.string().max(64).nullable().default(null),
  /** The import that brought it; null for a program. */
  importId: z.string().max(80).nullable().default(null),
  carried: carriedTrustSchema.nullable().default(null),
})
export type ItemSource = z.infer<typeof itemSourceSchema>

/** Whether an item's text was written outside: by a program, in a file, or by nobody that is known, or learned from such text. */
export const isForeign = ({ origin, read }: Pick<Trust, 'origin' | 'read'>): boolean =>
  (origin !== 'person' && origin !== 'attempt') || read.length > 0

/** First characters of a fingerprint, as people compare them. */
const FINGERPRINT = 16
export const shortFingerprint = (signer: string): string => signer.slice(0, FINGERPRINT)

/** Where an item comes from, in few words: "the program mem0", "the file team.loam, signed by 12ab…". */
export function originWords({
  origin,
  by,
  signer,
  read,
}: Pick<Trust, 'origin' | 'by' | 'signer' | 'read'>): string {
  switch (origin) {
    case 'person':
      return 'a person'
    case 'attempt':
      return read.length === 0 ? 'an attempt made here' : `an attempt that read ${read[0] ?? ''}`
    case 'file':
      return by === null ? 'a file of yours' : `your file ${by}`
    case 'program':
      return by === null ? 'a program' : `the program ${by}`
    case 'import': {
      const signed = signer === null ? 'unsigned' : `signed by ${shortFingerprint(signer)}`
      return `${by === null ? 'an import' : `the import ${by}`}, ${signed}`
    }
    case 'unknown':
      return 'an unknown source'
  }
}

/** What is known of the trust in an item, as rows of words. */
export function trustFacts(trust: Trust): { label: string; value: string }[] {
  const { claim, seen, read, derivedFrom, carried } = trust
  return [
    { label: 'From', value: originWords(trust) },
    { label: 'Who says how it ended', value: claim ?? 'nobody, or not known' },
    { label: 'Seen by a person', value: seen ? 'yes' : 'no' },
    ...(read.length === 0 ? [] : [{ label: 'Its attempt read', value: read.join(', ') }]),
    ...(derivedFrom.length === 0 ? [] : [{ label: 'Made from', value: derivedFrom.join(', ') }]),
    ...(carried === null
      ? []
      : [
          {
            label: 'The file says',
            value: `from ${originWords({ ...carried, read: [] })}${carried.claim === null ? '' : `, judged by ${carried.claim}`}; ${carried.seen ? 'seen by a person there' : 'seen by nobody there'}`,
          },
        ]),
  ]
}

/** Whose items are taken out of quarantine together. */
export const itemReleaseSchema = z.discriminatedUnion('by', [
  z.object({ by: z.literal('signer'), signer: z.string().regex(/^[0-9a-f]{64}$/) }),
  z.object({ by: z.literal('import'), importId: z.string().min(1).max(80) }),
  z.object({ by: z.literal('program'), program: z.string().min(1).max(LONGEST_TELLER) }),
])
export type ItemRelease = z.infer<typeof itemReleaseSchema>
