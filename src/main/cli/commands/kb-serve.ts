import { KB_PORT } from '../../api/serve-kb'
import type { Command } from './command'
import { served } from './served'
import { memoryToServe } from './memory-to-serve'

/** `loam kb serve`: experiences of one memory in Agent KB's protocol. Says its address and key once it listens. */
export const kbServe: Command = (context) => {
  const { args, io } = context
  const input = {
    ...memoryToServe(args, KB_PORT),
    write: args.flag('write'),
    tokenless: args.flag('tokenless'),
  }
  return served(
    context,
    ({ sharing }, signal) => sharing.serveKb(input, { signal }),
    async ({ first: { url, key, memory }, ended }) => {
      const { write, tokenless } = input
      const notice = { url, key, memory: memory.path, write, tokenless }
      const who = tokenless
        ? 'Any program on this machine may ask, without a key.'
        : `Authorization: Bearer ${key}`
      io.tell(args.json ? JSON.stringify(notice) : `${url}\n${who}`)
      await ended()
      return { served: memory.id, url }
    },
  )
}
