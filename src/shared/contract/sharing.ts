import { eventIterator } from '@orpc/contract'
import { z } from 'zod'
import { agentWriteSchema, clientsFileSchema, clientTermsSchema, servedSchema } from '../domain/sharing'
import { changing, managing, reading, spaceId } from './procedure'

const port = z.number().int().min(0).max(65_535).default(0)
const client = z.string().min(1).max(60).nullable().default(null)
const writeRef = spaceId.extend({ writeId: z.string() })

/** A space as programs outside use it. What is served ends with the feed that told where it is. */
export const sharing = {
  writes: reading('What programs wrote into a space, newest first.')
    .input(spaceId)
    .output(z.array(agentWriteSchema)),
  decide: changing("A person's word on a write that waits.")
    .input(writeRef.extend({ keep: z.boolean() }))
    .output(agentWriteSchema),
  undo: changing('Puts what a write added into the trash.').input(writeRef).output(agentWriteSchema),
  serveMemory: managing('Serves a space to MCP clients on 127.0.0.1, for as long as the feed is followed.')
    .input(
      spaceId.extend({ port, client, write: z.boolean().default(false), hold: z.boolean().default(false) }),
    )
    .output(eventIterator(servedSchema)),
  serveKb: managing(
    "Serves a space's experiences in Agent KB's protocol on 127.0.0.1, for as long as the feed is followed.",
  )
    .input(
      spaceId.extend({
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
      spaceId.extend({
        port,
        client,
        /** A GGUF's absolute path, or a reference to a provider's; null: the demo model. */
        model: z.string().nullable().default(null),
        contextSize: z.number().int().min(64).max(1_000_000).nullable().default(null),
        terms: clientTermsSchema,
        clients: clientsFileSchema.default({}),
      }),
    )
    .output(eventIterator(servedSchema.extend({ requests: z.number().int() }))),
}
