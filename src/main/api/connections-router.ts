import { implement } from '@orpc/server'
import { contract } from '../../shared/contract'
import { LoamError } from '../../shared/errors'
import type { App } from '../app'
import { readServerAddress } from '../adapters/environments/server/server-address'
import { servedProviders } from '../providers'
import { keepPassword } from '../streams/outside'

const os = implement(contract).connections

/** Model servers under names of the person's own. */
export const connectionsRouter = ({ connections, credentials, providers }: App) => ({
  list: os.list.handler(async () =>
    Promise.all(
      (await connections.list()).map(async (connection) => ({
        ...connection,
        key: (await connections.keyOf(connection.name)) !== null,
      })),
    ),
  ),
  save: os.save.handler(async ({ input: { connection: given, key } }) => {
    const known = servedProviders().map(({ id }) => id)
    const connection = { ...given, provider: given.provider ?? known[0] ?? '' }
    if (!known.includes(connection.provider))
      throw new LoamError('BAD_INPUT', `No provider is called "${connection.provider}".`, {
        suggestion: `One of: ${known.join(', ')}.`,
      })
    await connections.save(connection, key)
    return connection
  }),
  password: os.password.handler(async ({ input: { address, password } }) => {
    const { text } = readServerAddress(address)
    await keepPassword(credentials, text, password)
    return { address: text }
  }),
  remove: os.remove.handler(async ({ input: { name } }) => {
    await connections.remove(name)
    return { name }
  }),
  test: os.test.handler(async ({ input: { name, model } }) =>
    providers.check(await connections.get(name), model),
  ),
})
