import { implement } from '@orpc/server'
import { contract } from '../../shared/contract'
import { LoamError } from '../../shared/errors'
import type { App } from '../app'
import { readServerAddress } from '../adapters/environments/server/server-address'
import { servedProviders } from '../providers'
import { lookForServers } from '../providers/local-servers'
import { keepPassword } from '../streams/outside'

const os = implement(contract).servers

/** Model servers under names of the person's own. */
export const serversRouter = ({ servers, credentials, providers }: App) => ({
  list: os.list.handler(async () =>
    Promise.all(
      (await servers.list()).map(async (server) => ({
        ...server,
        key: (await servers.keyOf(server.name)) !== null,
      })),
    ),
  ),
  save: os.save.handler(async ({ input: { server: input, key } }) => {
    const records = servedProviders().map(({ id }) => id)
    const server = { ...input, provider: input.provider ?? records[0] ?? '' }
    if (!records.includes(server.provider))
      throw new LoamError('BAD_INPUT', `No provider is called "${server.provider}".`, {
        suggestion: `One of: ${records.join(', ')}.`,
      })
    await servers.save(server, key)
    return server
  }),
  password: os.password.handler(async ({ input: { address, password } }) => {
    const { text } = readServerAddress(address)
    await keepPassword(credentials, text, password)
    return { address: text }
  }),
  remove: os.remove.handler(async ({ input: { name } }) => {
    await servers.remove(name)
    return { name }
  }),
  look: os.look.handler(() =>
    lookForServers({
      check: (server, signal) => providers.check(server, undefined, signal),
      provider: servedProviders()[0]?.id ?? '',
    }),
  ),
  test: os.test.handler(async ({ input: { name, model } }) =>
    providers.check(await servers.get(name), model),
  ),
})
