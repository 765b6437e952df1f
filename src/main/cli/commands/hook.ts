import { Client as McpClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { z } from 'zod'
import { memoryMark } from '../../../core/ground/memory-mark'
import { BOUNDS } from '../../../shared/domain/bounds'
import { LoamError } from '../../../shared/errors'
import { writeHookNote } from '../../share/connect/hook-notes'
import { hookPlace } from '../before-tool'
import { hookEventOf, hookInput, type HookEvent } from '../hook-event'
import type { Command } from './command'
import { memoryToServe } from './memory-named'
import { served } from './served'

/** Characters of an error, or of what a tool was given, that are looked for. */
const LONGEST_TEXT = 2000
/** Most tokens that a program is told unasked. */
const TOKENS = 800

const answerSchema = z.object({ guidance: z.string(), items: z.array(z.unknown()) })

/** What the memory is asked at a moment of a program (`memory_guidance`'s arguments); null where it has nothing to say. */
export function questionOf({ moment, tool, action, error }: HookEvent) {
  if (moment === 'start') return {}
  if (moment !== 'after' || error === null) return null
  return { task: `${tool} ${action}`.slice(0, LONGEST_TEXT), error: error.slice(0, LONGEST_TEXT) }
}

/** What the memory says, as the program takes it at that moment. */
export function answerTo(name: string, guidance: string): object {
  const text = memoryMark(guidance)
  // What Cursor calls its sessions' start.
  if (name === 'sessionStart') return { additional_context: text }
  return { hookSpecificOutput: { hookEventName: name, additionalContext: text } }
}

async function readEvent(): Promise<HookEvent> {
  try {
    return hookEventOf(await hookInput())
  } catch (error) {
    throw new LoamError('BAD_INPUT', 'What came on standard input is no moment of a program.', {
      suggestion: 'This command is run by the hooks that "loam connect" writes.',
      underlying: error,
    })
  }
}

/**
 * `loam hook`: tells a program what is known when its session starts, and when a tool failed. Says nothing where nothing is known. What is to be
 * told before calls is kept when a session starts; `answeredAtOnce` tells it.
 */
export const hookCommand: Command = async (context) => {
  const { args, io } = context
  const event = await readEvent()
  const question = questionOf(event)
  if (question === null) return { told: false }
  const tokens = args.whole('token-budget', BOUNDS.recallTokens) ?? TOKENS
  const about = { write: false, hold: false, project: args.text('project') ?? null, calls: 'loam' as const }
  const input = { ...memoryToServe(args, 0), ...about }
  const open = async ({ sharing }: Parameters<Parameters<typeof served>[1]>[0], signal: AbortSignal) => {
    if (event.moment === 'start') {
      const { dataPath, owner } = hookPlace(process.argv)
      await writeHookNote(dataPath, owner, await sharing.causes(input, { signal }), new Date())
    }
    return sharing.serveMemory(input, { signal })
  }
  return served(context, open, async ({ first: { url, key } }) => {
    const client = new McpClient({ name: 'loam hook', version: '1' })
    try {
      const headers = { authorization: `Bearer ${key}` }
      await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }))
      const result = await client.callTool({ name: 'memory_guidance', arguments: { ...question, tokens } })
      if (result.isError === true)
        throw new LoamError('INTERNAL', 'The memory did not answer.', {
          suggestion: JSON.stringify(result.content),
        })
      const { guidance, items } = answerSchema.parse(result.structuredContent)
      if (items.length === 0) return { told: false }
      io.tell(JSON.stringify(answerTo(event.name, guidance)))
      return { told: true, items: items.length }
    } finally {
      await client.close()
    }
  })
}
