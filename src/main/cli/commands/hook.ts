import { Client as McpClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { z } from 'zod'
import { BOUNDS } from '../../../shared/domain/bounds'
import { LoamError } from '../../../shared/errors'
import type { Command } from './command'
import { memoryToServe } from './memory-named'
import { served } from './served'

/** Most characters that a hook is told. */
const LONGEST_EVENT = 4 * 1024 * 1024
/** Characters of an error, or of what a tool was given, that are looked for. */
const LONGEST_TEXT = 2000
/** Most tokens that a program is told unasked. */
const TOKENS = 800

/** What Cursor calls the moment that others call `SessionStart`. */
const CURSOR_START = 'sessionStart'

/** What a program tells its hooks, as far as Loam reads it. */
const eventSchema = z.object({
  hook_event_name: z.string(),
  tool_name: z.string().optional(),
  tool_input: z.unknown().optional(),
  error: z.string().optional(),
})
const answerSchema = z.object({ guidance: z.string(), items: z.array(z.unknown()) })

/** What the memory is asked at a moment of a program (`memory_guidance`'s arguments); null where it has nothing to say. */
export function questionOf({
  hook_event_name: name,
  tool_name: tool,
  tool_input: input,
  error,
}: z.infer<typeof eventSchema>) {
  if (name === 'SessionStart' || name === CURSOR_START) return {}
  if (name !== 'PostToolUseFailure' || !error?.trim()) return null
  const task = `${tool ?? ''} ${JSON.stringify(input ?? {})}`.slice(0, LONGEST_TEXT)
  return { task, error: error.slice(0, LONGEST_TEXT) }
}

/** What the memory says, as the program takes it at that moment. */
export function answerTo(name: string, guidance: string): object {
  const text = `<memory from="loam">\n${guidance}\n</memory>`
  if (name === CURSOR_START) return { additional_context: text }
  return { hookSpecificOutput: { hookEventName: name, additionalContext: text } }
}

async function readEvent(): Promise<z.infer<typeof eventSchema>> {
  let text = ''
  for await (const chunk of process.stdin.setEncoding('utf8')) {
    text += String(chunk)
    if (text.length > LONGEST_EVENT) break
  }
  try {
    return eventSchema.parse(JSON.parse(text))
  } catch (error) {
    throw new LoamError('BAD_INPUT', 'What came on standard input is no moment of a program.', {
      suggestion: 'This command is run by the hooks that "loam connect" writes.',
      underlying: error,
    })
  }
}

/** `loam hook`: tells a program what is known when its session starts, and when a tool failed. Says nothing where nothing is known. */
export const hookCommand: Command = async (context) => {
  const { args, io } = context
  const event = await readEvent()
  const question = questionOf(event)
  if (question === null) return { told: false }
  const tokens = args.whole('token-budget', BOUNDS.recallTokens) ?? TOKENS
  const about = { write: false, hold: false, project: args.text('project') ?? null, calls: 'loam' as const }
  const input = { ...memoryToServe(args, 0), ...about }
  const open = ({ sharing }: Parameters<Parameters<typeof served>[1]>[0], signal: AbortSignal) =>
    sharing.serveMemory(input, { signal })
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
      io.tell(JSON.stringify(answerTo(event.hook_event_name, guidance)))
      return { told: true, items: items.length }
    } finally {
      await client.close()
    }
  })
}
