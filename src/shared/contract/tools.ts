import { z } from 'zod'
import {
  ownServerSchema,
  permissionAnswerSchema,
  toolRequestSchema,
  toolResultSchema,
  toolServerInfoSchema,
} from '../domain/tool'
import { following, managing, onlyOne, reading } from './procedure'

/** Tool servers. */
export const tools = {
  servers: reading("Built-in servers first, then the person's own.").output(z.array(toolServerInfoSchema)),
  save: managing(
    "Adds a server of the person's own or changes one. Secrets are only ever sent this way; those left out stay.",
  )
    .input(
      z.object({
        server: ownServerSchema,
        secrets: z.record(z.string(), z.string().max(10_000)).default({}),
        isNew: z.boolean(),
      }),
    )
    .output(z.array(toolServerInfoSchema)),
  remove: managing('Removes a server of your own.')
    .input(z.object({ id: z.string() }))
    .output(z.array(toolServerInfoSchema)),
  enable: managing('Turns a server on or off.')
    .input(z.object({ id: z.string(), enabled: z.boolean() }))
    .output(z.array(toolServerInfoSchema)),
  test: managing('Starts a server, asks for its tools, ends it.')
    .input(z.object({ id: z.string() }))
    .output(toolServerInfoSchema),
  try: managing('One call made by the person.')
    .input(z.object({ id: z.string(), tool: z.string(), args: z.record(z.string(), z.unknown()) }))
    .output(toolResultSchema),
  requests: following("Tools that wait for the person's word.", onlyOne, z.array(toolRequestSchema)),
  answer: managing('Answers a tool that waits for a word.')
    .input(z.object({ id: z.string(), answer: permissionAnswerSchema }))
    .output(z.void()),
}
