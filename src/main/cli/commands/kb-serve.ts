import { KB_PORT } from '../../api/serve-kb'
import type { Command } from './command'
import { served } from './served'
import { spaceToServe } from './space-to-serve'

/** `loam kb serve`: experiences of one space in Agent KB's protocol. Says its address and key once it listens. */
export const kbServe: Command = (context) => {
  const { args, io } = context
  const input = {
    ...spaceToServe(args, KB_PORT),
    write: args.flag('write'),
    tokenless: args.flag('tokenless'),
  }
  return served(
    context,
    ({ sharing }, signal) => sharing.serveKb(input, { signal }),
    async ({ first: { url, key, space }, ended }) => {
      const { write, tokenless } = input
      const told = { url, key, space: space.path, write, tokenless }
      const who = tokenless
        ? 'Any program on this machine may ask, without a key.'
        : `Authorization: Bearer ${key}`
      io.tell(args.json ? JSON.stringify(told) : `${url}\n${who}`)
      await ended()
      return { served: space.id, url }
    },
  )
}
