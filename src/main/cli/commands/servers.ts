import { servedProviders } from '../../providers'
import { keyFromEnvironment, UsageError, type Arguments } from '../arguments'
import type { Command } from './command'

const nameOf = ({ positionals: [, verb = ''], word }: Arguments): string =>
  word(2, `Which one? loam servers ${verb} NAME`)

/** `loam servers add NAME --url URL`: a model server by a name of the person's own. */
export const addServer: Command = async ({ args, io, host }) => {
  const records = servedProviders().map(({ id }) => id)
  const provider = args.text('provider') ?? records[0] ?? ''
  if (!records.includes(provider)) throw new UsageError(`--provider must be one of: ${records.join(', ')}`)
  const server = { name: nameOf(args), provider, url: args.required('url') }
  const key = keyFromEnvironment(args)
  await (await host()).client.servers.save({ server, ...(key !== undefined && { key }) })
  io.out(`Models of ${server.url} are called ${provider}:NAME@${server.name}`)
  if (key === undefined) io.note('No key was given (--key-env NAME takes one from the environment).')
  return { server, key: key !== undefined }
}

/** `loam servers list`. */
export const listServers: Command = async ({ io, host }) => {
  const servers = await (await host()).client.servers.list()
  for (const { name, provider, url, key } of servers)
    io.out(`${name}  ${provider}  ${url}${key ? '  with a key' : ''}`)
  if (servers.length === 0) io.note('There are none. loam servers add NAME --url URL')
  return { servers }
}

/** `loam servers remove NAME`. */
export const removeServer: Command = async ({ args, io, host }) => {
  const name = nameOf(args)
  await (await host()).client.servers.remove({ name })
  io.out(`${name} and its key are forgotten.`)
  return { name }
}

/** `loam servers password ADDRESS`: for the database server that tasks act on. */
export const keepServerPassword: Command = async ({ args, io, host }) => {
  const password = keyFromEnvironment(args) ?? null
  const { client } = await host()
  const { address } = await client.servers.password({ address: nameOf(args), password })
  io.out(
    password === null ? `The password of ${address} is forgotten.` : `The password of ${address} is kept.`,
  )
  return { address }
}

/** `loam servers test NAME`: asks the server what it has. */
export const testServer: Command = async ({ args, io, host }) => {
  const model = args.text('model')
  const { servers } = (await host()).client
  const report = await servers.test({ name: nameOf(args), ...(model !== undefined && { model }) })
  io.out(`${report.program} answers at ${report.url}.`)
  io.out(report.models.length === 0 ? 'It lists no models.' : `It has: ${report.models.join(', ')}`)
  if (report.reply) {
    const { contextSize, text, ms } = report.reply
    io.out(`${report.reply.model} reads ${contextSize} tokens and said "${text}" after ${Math.round(ms)} ms.`)
  }
  return report
}
