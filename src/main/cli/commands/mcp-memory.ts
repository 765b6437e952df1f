import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import type { z } from 'zod'
import type { proposalSchema, Served } from '../../../shared/domain/sharing'
import { EVIDENCE_WORDS } from '../../../shared/domain/verdict'
import { LoamError } from '../../../shared/errors'
import { UsageError } from '../arguments'
import type { Command } from './command'
import { served } from './served'
import { memoryNamed, memoryToServe } from './memory-named'

/** `loam mcp memory`: serves a memory to any MCP client, on standard input and output, or with --port over HTTP. */
export const memoryServerCommand: Command = (context) => {
  const { args, io } = context
  const input = {
    ...memoryToServe(args, 0),
    ...{ write: args.flag('write'), hold: args.flag('hold'), project: args.text('project') ?? null },
    calls: callsOf(args.text('calls')),
  }
  return served(
    context,
    ({ sharing }, signal) => sharing.serveMemory(input, { signal }),
    async ({ first, ended }) => {
      const { url, key, memory } = first
      if (args.text('port') === undefined) {
        await Promise.race([bridged(first), ended()])
        return { served: memory.id }
      }
      const notice = { url, key, memory: memory.path, write: input.write }
      io.tell(args.json ? JSON.stringify(notice) : `${url}\nAuthorization: Bearer ${key}`)
      await ended()
      return { served: memory.id, url }
    },
  )
}

function callsOf(word = 'loam'): 'loam' | 'graph' {
  if (word === 'loam' || word === 'graph') return word
  throw new UsageError(`--calls must be loam or graph, not "${word}"`)
}

/** Carries messages between standard input and output and a server over HTTP until one of them ends. */
async function bridged({ url, key }: Served): Promise<void> {
  const http = new StreamableHTTPClientTransport(new URL(url), {
    requestInit: { headers: { authorization: `Bearer ${key}` } },
  })
  const stdio = new StdioServerTransport()
  const removalPromise = new Promise<void>((resolve) => {
    process.stdin.once('end', resolve).once('close', resolve)
    http.onclose = resolve
  })
  http.onmessage = (message) => {
    const version = 'result' in message ? message.result['protocolVersion'] : undefined
    if (typeof version === 'string') http.setProtocolVersion(version)
    void stdio.send(message)
  }
  stdio.onmessage = (message) => {
    http.send(message).catch((error: unknown) => {
      // Whoever waits for an answer hears that none will come.
      if (!('id' in message) || !('method' in message)) return
      const text = error instanceof Error ? error.message : String(error)
      void stdio.send({ jsonrpc: '2.0', id: message.id, error: { code: -32_603, message: text } })
    })
  }
  await http.start()
  await stdio.start()
  await removalPromise
  await http.close()
  await stdio.close()
}

/** `loam proposals`: what programs wrote into a memory, and a person's word on it. */
export const proposalsCommand: Command = async ({ args, io, host }) => {
  const [, verb = 'list', proposalId] = args.positionals
  const memoryId = memoryNamed(args)
  if (verb !== 'list' && (proposalId === undefined || !['trace', 'keep', 'refuse', 'undo'].includes(verb)))
    throw new UsageError(
      'loam proposals does what? list, or trace, keep, refuse or undo with the id of a write',
    )
  const { sharing } = (await host()).client
  if (verb === 'list' || proposalId === undefined) {
    const writes = await sharing.writes({ memoryId })
    for (const write of writes)
      io.out(`${write.id}  ${write.at}  ${write.state}  ${write.client}: ${write.what}`)
    return { writes }
  }
  if (verb === 'trace') {
    const write = writeNamed(await sharing.writes({ memoryId }), proposalId)
    for (const line of traceOf(write)) io.out(line)
    return { write }
  }
  const ref = { memoryId, proposalId }
  const write =
    verb === 'undo' ? await sharing.undo(ref) : await sharing.decide({ ...ref, keep: verb === 'keep' })
  io.out(`The write is ${write.state}.`)
  return { write }
}

type Write = z.infer<typeof proposalSchema>

function writeNamed(writes: readonly Write[], id: string): Write {
  const match = writes.find((write) => write.id === id)
  if (match) return match
  throw new LoamError('NOT_FOUND', `There is no write ${id} in this memory.`, {
    suggestion: '"loam proposals" lists them.',
  })
}

/** Where something in a memory comes from, a line each. */
function traceOf({ client, at, what, adds, ends, state, drawnFrom }: Write): string[] {
  const items = (refs: Write['adds']): string => refs.map(({ kind, id }) => `${kind} ${id}`).join(', ')
  return [
    `${at}  ${client}: ${what} (${state})`,
    ...(adds.length > 0 ? [`added: ${items(adds)}`] : []),
    ...(ends.length > 0 ? [`put out of use: ${items(ends)}`] : []),
    ...(drawnFrom
      ? [
          `attempt: ${drawnFrom.attempt}`,
          `request: ${drawnFrom.request}`,
          `written next: ${drawnFrom.next ?? 'nothing'}`,
          ...drawnFrom.evidence.map(
            ({ kind, weight }) => `sign: ${EVIDENCE_WORDS[kind]} (${weight > 0 ? '+' : ''}${String(weight)})`,
          ),
        ]
      : []),
  ]
}
