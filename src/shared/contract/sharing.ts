import { eventIterator } from '@orpc/contract'
import { z } from 'zod'
import {
  UPSTREAM_DIALECTS,
  proposalSchema,
  clientsFileSchema,
  clientTermsSchema,
  keyBindingSchema,
  programKeySchema,
  servedNowSchema,
  servedSchema,
} from '../domain/sharing'
import { signerSchema } from '../domain/signer'
import { clientChangeSchema, clientListSchema, clientOutcomeSchema } from '../domain/connected-client'
import { deciding, managing, memoryId, reading, SCOPES, showing } from './procedure'
import { count } from '../domain/units'
import { BOUNDS, integerIn } from '../domain/bounds'

const { fingerprint } = signerSchema.shape
const port = integerIn(BOUNDS.port).default(0)
const client = z.string().min(1).max(60).nullable().default(null)
/** The part of the memory that is served, beside what all projects share; null: all of it. */
const project = z.string().trim().min(1).max(100).nullable().default(null)
const writeRef = memoryId.extend({ proposalId: z.string() })

/** A memory as programs outside use it. What is served ends with the feed that told where it is. */
export const sharing = {
  writes: reading('What programs wrote into a memory, newest first.')
    .input(memoryId)
    .output(z.array(proposalSchema)),
  decide: deciding("A person's word on a write that waits.")
    .input(writeRef.extend({ keep: z.boolean() }))
    .output(proposalSchema),
  undo: deciding('Puts what a write added into the trash.').input(writeRef).output(proposalSchema),
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
        scopes: z.array(z.enum(SCOPES)).min(1),
        ...keyBindingSchema.shape,
      }),
    )
    .output(z.object({ key: z.string() })),
  signers: showing("Whose bundles are believed, with this Loam's own key.").output(z.array(signerSchema)),
  knowSigner: deciding('Gives a signer a name; from here on what they sign is believed.')
    .input(z.object({ fingerprint, name: z.string().trim().min(1).max(200) }))
    .output(z.array(signerSchema)),
  revokeSigner: deciding('What is signed with this key is believed no more.')
    .input(z.object({ fingerprint }))
    .output(z.array(signerSchema)),
  rotateKey: deciding("Takes a new key in the place of this Loam's own, which vouches for it.").output(
    z.array(signerSchema),
  ),
  removeKey: showing('Takes a key back; it stops working at once.').input(z.object({ name: z.string() })),
  clients: showing('Programs on this machine that My memory can be put into, and how each stands.').output(
    clientListSchema,
  ),
  previewClient: showing('What connecting a program would write into its configuration; writes nothing.')
    .input(z.object({ id: z.string() }))
    .output(clientChangeSchema),
  connectClient: managing('Tries the memory as a program will start it, then writes what was shown.')
    .input(z.object({ id: z.string(), digest: z.string() }))
    .output(clientOutcomeSchema),
  disconnectClient: managing("Takes out of a program's configuration what was written into it.")
    .input(z.object({ id: z.string() }))
    .output(clientOutcomeSchema),
  causes: showing('What My memory knows to make calls of tools fail, as it is told before such a call.')
    .input(memoryId.extend({ project }))
    .output(
      z.array(z.object({ id: z.string(), tool: z.string(), words: z.array(z.string()), text: z.string() })),
    ),
  serveMemory: managing('Serves a memory to MCP clients on 127.0.0.1, for as long as the feed is followed.')
    .input(
      memoryId.extend({
        port,
        client,
        write: z.boolean().default(false),
        hold: z.boolean().default(false),
        project,
        /** Whose calls are answered: Loam's, or those of the official memory server of MCP. */
        calls: z.enum(['loam', 'graph']).default('loam'),
      }),
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
        /** Address or name of a server that requests are passed on to; null: a model of Loam's answers. */
        upstream: z.string().min(1).nullable().default(null),
        /** What that server speaks; null: as its address says, else whatever it is asked in. */
        upstreamDialect: z.enum(UPSTREAM_DIALECTS).nullable().default(null),
        contextSize: integerIn(BOUNDS.contextSize).nullable().default(null),
        terms: clientTermsSchema,
        clients: clientsFileSchema.default({}),
      }),
    )
    .output(eventIterator(servedSchema.extend({ requests: count }))),
}
