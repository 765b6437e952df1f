import { eventIterator } from '@orpc/contract'
import { z } from 'zod'
import {
  proposalSchema,
  bundleAboutSchema,
  bundleImportSchema,
  clientsFileSchema,
  clientTermsSchema,
  programKeySchema,
  servedNowSchema,
  servedSchema,
} from '../domain/sharing'
import { MAX_BUNDLE_BASE64 } from '../limits'
import { asking, changing, managing, reading, showing, memoryId, takingFile } from './procedure'
import { bytes, count, counts, instant } from '../domain/units'
import { BOUNDS, integerIn } from '../domain/bounds'

const port = integerIn(BOUNDS.port).default(0)
const client = z.string().min(1).max(60).nullable().default(null)
const writeRef = memoryId.extend({ proposalId: z.string() })

const conflicts = z.enum(['keep', 'take', 'both', 'ask'])
/** Base64 of a bundle: up to 96 MiB of it. */
const bundleData = z.string().max(MAX_BUNDLE_BASE64)

/** A memory as programs outside use it. What is served ends with the feed that told where it is. */
export const sharing = {
  writes: reading('What programs wrote into a memory, newest first.')
    .input(memoryId)
    .output(z.array(proposalSchema)),
  decide: changing("A person's word on a write that waits.")
    .input(writeRef.extend({ keep: z.boolean() }))
    .output(proposalSchema),
  undo: changing('Puts what a write added into the trash.').input(writeRef).output(proposalSchema),
  exportBundle: asking(
    'A memory as a bundle; `preview` only says what would be in it, and which secrets were found.',
  )
    .input(
      memoryId.extend({
        preview: z.boolean().default(false),
        /** Kinds of memory, `attempts`, `rubrics`; null: everything, with the history. */
        kinds: z.array(z.string()).nullable().default(null),
        redact: z.boolean().default(false),
        sign: z.boolean().default(false),
        licence: z.string().max(400).nullable().default(null),
        provenance: z.string().max(10_000).nullable().default(null),
      }),
    )
    .output(
      z.object({
        fileName: z.string(),
        /** Base64; null for a preview. */
        data: z.string().nullable(),
        bytes,
        counts,
        found: counts,
      }),
    ),
  importBundle: takingFile('Brings a bundle into a memory; `preview` only says what it would do.')
    .input(
      memoryId.extend({
        data: bundleData,
        preview: z.boolean().default(true),
        conflicts: conflicts.default('keep'),
        answers: z.record(z.string(), z.enum(['keep', 'take', 'both'])).default({}),
      }),
    )
    .output(z.object({ about: bundleAboutSchema, report: bundleImportSchema })),
  writeBundle: managing(
    'Writes a memory as a bundle into a file; without a path it only says what would be in it.',
  )
    .input(
      memoryId.extend({
        path: z.string().nullable().default(null),
        kinds: z.array(z.string()).nullable().default(null),
        /** An earlier bundle of the memory: only what is new since then is written. */
        since: z.string().nullable().default(null),
        redact: z.boolean().default(false),
        /** File of the key to sign with, which is made when it is not there. */
        keyFile: z.string().nullable().default(null),
        licence: z.string().max(400).nullable().default(null),
        provenance: z.string().max(10_000).nullable().default(null),
      }),
    )
    .output(
      z.object({
        path: z.string().nullable(),
        counts,
        /** Null where the history is not in it. */
        commits: count.nullable(),
        bytes,
        found: counts,
        redacted: z.boolean(),
      }),
    ),
  rollBack: changing('Takes the last import of a bundle back.')
    .input(memoryId)
    .output(z.object({ bundle: z.string(), at: instant })),
  served: showing('What is served to programs now, and what was put into their requests.').output(
    z.array(servedNowSchema),
  ),
  start: showing('Serves a memory until it is stopped or Loam closes.')
    .input(
      memoryId.extend({
        what: z.enum(['memory', 'proxy', 'experiences']),
        port,
        write: z.boolean().default(false),
        hold: z.boolean().default(false),
        tokenless: z.boolean().default(false),
        model: z.string().nullable().default(null),
      }),
    )
    .output(servedNowSchema),
  stop: showing('Ends what was started so.').input(z.object({ id: z.string() })),
  keys: showing('Keys that programs were given.').output(z.array(programKeySchema)),
  createKey: showing('Gives a program a key, which is told this once.')
    .input(
      z.object({
        name: z.string().min(1).max(60),
        scopes: z.array(z.enum(['read', 'write', 'admin'])).min(1),
      }),
    )
    .output(z.object({ key: z.string() })),
  removeKey: showing('Takes a key back; it stops working at once.').input(z.object({ name: z.string() })),
  serveMemory: managing('Serves a memory to MCP clients on 127.0.0.1, for as long as the feed is followed.')
    .input(
      memoryId.extend({ port, client, write: z.boolean().default(false), hold: z.boolean().default(false) }),
    )
    .output(eventIterator(servedSchema)),
  serveKb: managing(
    "Serves a memory's experiences in Agent KB's protocol on 127.0.0.1, for as long as the feed is followed.",
  )
    .input(
      memoryId.extend({
        port,
        client,
        write: z.boolean().default(false),
        /** Whether programs on this machine may ask without a key. */
        tokenless: z.boolean().default(false),
      }),
    )
    .output(eventIterator(servedSchema)),
  serveProxy: managing(
    "Serves models in OpenAI's protocol with a memory in between, as long as the feed is followed.",
  )
    .input(
      memoryId.extend({
        port,
        client,
        /** A GGUF's absolute path, or a reference to a provider's; null: the demo model. */
        model: z.string().nullable().default(null),
        contextSize: integerIn(BOUNDS.contextSize).nullable().default(null),
        terms: clientTermsSchema,
        clients: clientsFileSchema.default({}),
      }),
    )
    .output(eventIterator(servedSchema.extend({ requests: count }))),
}
