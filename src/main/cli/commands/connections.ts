import { servedProviders } from '../../providers'
import { UsageError, type Arguments } from '../arguments'
import { keyFromEnvironment } from '../key'
import type { Command } from './command'

const nameOf = ({ positionals: [, verb = '', name] }: Arguments): string => {
  if (name === undefined) throw new UsageError(`Which one? loam connections ${verb} NAME`)
  return name
}

/** `loam connections add NAME --url URL`: a model server by a name of the person's own. */
export const addConnection: Command = async ({ args, io, host }) => {
  const known = servedProviders().map(({ id }) => id)
  const provider = args.text('provider') ?? known[0] ?? ''
  if (!known.includes(provider)) throw new UsageError(`--provider must be one of: ${known.join(', ')}`)
  const connection = { name: nameOf(args), provider, url: args.required('url') }
  const key = keyFromEnvironment(args)
  await (await host()).client.connections.save({ connection, ...(key !== undefined && { key }) })
  io.out(`Models of ${connection.url} are called ${provider}:NAME@${connection.name}`)
  if (key === undefined) io.note('No key was given (--key-env NAME takes one from the environment).')
  return { connection, key: key !== undefined }
}

/** `loam connections list`. */
export const listConnections: Command = async ({ io, host }) => {
  const connections = await (await host()).client.connections.list()
  for (const { name, provider, url, key } of connections)
    io.out(`${name}  ${provider}  ${url}${key ? '  with a key' : ''}`)
  if (connections.length === 0) io.note('There are none. loam connections add NAME --url URL')
  return { connections }
}

/** `loam connections remove NAME`. */
export const removeConnection: Command = async ({ args, io, host }) => {
  const name = nameOf(args)
  await (await host()).client.connections.remove({ name })
  io.out(`${name} and its key are forgotten.`)
  return { name }
}

/** `loam connections password ADDRESS`: for the database server that tasks act on. */
export const keepServerPassword: Command = async ({ args, io, host }) => {
  const password = keyFromEnvironment(args) ?? null
  const { client } = await host()
  const { address } = await client.connections.password({ address: nameOf(args), password })
  io.out(
    password === null ? `The password of ${address} is forgotten.` : `The password of ${address} is kept.`,
  )
  return { address }
}

/** `loam connections test NAME`: asks the server what it has. */
export const testConnection: Command = async ({ args, io, host }) => {
  const model = args.text('model')
  const { connections } = (await host()).client
  const report = await connections.test({ name: nameOf(args), ...(model !== undefined && { model }) })
  io.out(`${report.program} answers at ${report.url}.`)
  io.out(report.models.length === 0 ? 'It lists no models.' : `It has: ${report.models.join(', ')}`)
  if (report.reply) {
    const { contextSize, text, ms } = report.reply
    io.out(`${report.reply.model} reads ${contextSize} tokens and said "${text}" after ${Math.round(ms)} ms.`)
  }
  return report
}
