import { z } from 'zod'
import { localServerSchema, modelServerReportSchema, modelServerSchema } from '../domain/model-server'
import { managing, reading } from './procedure'

const zodObject = z.object({ name: z.string() })

/** Model servers under names of the person's own. Keys go in and never come out. */
export const servers = {
  list: reading('The connections, and whether a key is kept for each.').output(
    z.array(modelServerSchema.extend({ key: z.boolean() })),
  ),
  save: managing(
    'Adds a connection, or changes the one of that name. A key left out stays as it is; null forgets it.',
  )
    .input(
      z.object({
        /** `provider` left out: the first one that has servers. */
        server: modelServerSchema.partial({ provider: true }),
        key: z.string().max(10_000).nullable().optional(),
      }),
    )
    .output(modelServerSchema),
  password: managing(
    'Keeps a password for the address of a database server that tasks act on; null forgets it.',
  )
    .input(z.object({ address: z.string().max(500), password: z.string().max(10_000).nullable() }))
    .output(z.object({ address: z.string() })),
  remove: managing('Forgets a connection and its key.').input(zodObject).output(zodObject),
  look: managing(
    'Asks the usual addresses of Ollama and LM Studio on this machine which models they have. Who does not answer is left out.',
  ).output(z.array(localServerSchema)),
  test: managing('Asks a server what it is and has, and greets one of its models when one is named.')
    .input(zodObject.extend({ model: z.string().optional() }))
    .output(modelServerReportSchema),
}
