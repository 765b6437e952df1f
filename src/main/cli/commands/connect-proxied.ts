import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { BOUNDS } from '../../../shared/domain/bounds'
import { LoamError } from '../../../shared/errors'
import { createKey, removeKey } from '../../api/program-keys'
import { findDataPath } from '../../ground/data-path'
import { makeChange, plannedChange, recordOf, undoChange } from '../../share/connect/change-file'
import { BY_PROXY, variablesFile, type ProxiedClient, type ServerCommand } from '../../share/connect/clients'
import { placeId } from '../../share/connect/client-list'
import type { Arguments } from '../arguments'
import type { ConsoleIo } from '../console-io'
import { memoryOfKey } from './keys'
import { readingTime } from './reading-time'

/** Where the proxy listens when --port names no other. */
const PROXY_PORT = 7334

interface ProxiedOptions {
  readonly args: Arguments
  readonly io: ConsoleIo
  readonly name: string
  readonly folder: string
  /** What serves the memory's proxy. */
  readonly proxy: ServerCommand
}

/** Puts the proxy's address and a key of the program's own into the variables of a folder, and takes both out again. */
export async function connectProxied(options: ProxiedOptions) {
  const { args, io, name, folder } = options
  const client = BY_PROXY[name] as ProxiedClient
  const dataPath = findDataPath(args.text('data'))
  const { path } = variablesFile(folder, {})
  const key = { name: placeId(name, path), scopes: ['read' as const], memory: memoryOfKey(args) }
  if (args.flag('undo')) {
    const record = await recordOf(dataPath, path)
    const state = await undoChange(path, dataPath)
    if (record) await removeKey(dataPath, placeId(record.client, path)).catch(() => undefined)
    io.out(state === 'restored' ? `${path} is as it was.` : `What Loam wrote is out of ${path}.`)
    return { client: name, path, state }
  }
  const url = `http://127.0.0.1:${args.whole('port', BOUNDS.port) ?? PROXY_PORT}/v1`
  const planned = await plannedChange(variablesFile(folder, client.values(url, 'KEY')))
  io.out(planned.diff)
  if (args.flag('dry-run')) return { client: name, path, changed: false }
  let patience: string | null = null
  await withProxy(options, url, async () => {
    const secret = await createKey(dataPath, key, new Date())
    try {
      const status = await statusAt(url, secret)
      if (status !== 200)
        throw new LoamError('INTERNAL', `${url} answers with ${status}.`, {
          suggestion: 'End what listens there, or name another --port.',
        })
      patience = await readingTime(url, secret)
      const change = await plannedChange(variablesFile(folder, client.values(url, secret)))
      await makeChange(change, { client: name, dataPath, now: new Date() })
    } catch (error) {
      await removeKey(dataPath, key.name)
      throw error
    }
  })
  io.out(
    `The proxy answers. It has to run meanwhile: loam proxy --port ${new URL(url).port}. It sees what is asked and answered, and ` +
      `who asks it reads ${args.text('memory') ?? 'My memory'}. ${client.next} Undo: loam connect ${name} --undo`,
  )
  if (patience !== null) io.out(patience)
  return { client: name, path, changed: true }
}

/** What a proxy on this machine answers its list of models with; null where none listens. */
const statusAt = (url: string, key: string): Promise<number | null> =>
  fetch(`${url}/models`, { headers: { authorization: `Bearer ${key}` } }).then(
    ({ status }) => status,
    () => null,
  )

/** Does something while the proxy runs: the one that runs already, else one for as long as it takes. @throws LoamError `INTERNAL` where none starts */
async function withProxy({ proxy, folder, io }: ProxiedOptions, url: string, work: () => Promise<void>) {
  if ((await statusAt(url, '')) !== null) return work()
  io.note('Starting the proxy to try it...')
  const args = [...proxy.args, '--port', new URL(url).port, '--json']
  const child = spawn(proxy.command, args, { cwd: folder, stdio: ['ignore', 'pipe', 'ignore'] })
  const closing = once(child, 'close')
  try {
    const line = await Promise.race([once(createInterface({ input: child.stdout }), 'line'), closing])
    if (typeof line[0] === 'string' && line[0].includes('"baseUrl"')) return await work()
    throw new LoamError('INTERNAL', 'The proxy did not start.', {
      suggestion: `Run it to see why: ${[proxy.command, ...args].join(' ')}`,
    })
  } finally {
    child.kill('SIGTERM')
    await closing
  }
}
