import type { Context } from 'hono'
import { streamSSE } from 'hono/streaming'
import { z } from 'zod'
import { isAbortError } from '../../core/ground/abort'
import type { GenerateRequest } from '../../core/ground/chat'
import { LoamError, toErrorShape } from '../../shared/errors'
import type { MemoryProxy, ProxyReply } from '../share/proxy/memory-proxy'
import type { Asked } from '../share/proxy/request'
import { meets } from '../share/proxy/rule-attempt'
import { statusOf } from './errors'

/** Milliseconds between two signs of life while a client waits. */
const PULSE_MS = 10_000

/** An error as clients of this protocol read it. */
export function refusal(error: unknown): Response {
  const shape = error instanceof z.ZodError ? badBody(error).toShape() : toErrorShape(error)
  const type = shape.code === 'INTERNAL' ? 'server_error' : 'invalid_request_error'
  const code = shape.code === 'CONTEXT_OVERFLOW' ? 'context_length_exceeded' : shape.code.toLowerCase()
  return Response.json(
    { error: { message: `${shape.cause} ${shape.suggestion}`, type, param: null, code } },
    { status: statusOf(shape.code), headers: { 'cache-control': 'no-store' } },
  )
}

const badBody = (error: z.ZodError): LoamError => {
  const [issue] = error.issues
  return new LoamError(
    'BAD_INPUT',
    `The request has a form that is not served at "${issue?.path.join('.') ?? ''}": ${issue?.message ?? ''}.`,
    { suggestion: 'docs/share.md says what is served.' },
  )
}

/** Writes one reply, whole or as server-sent events. */
export function answered(
  context: Context,
  proxy: MemoryProxy,
  input: {
    readonly asked: Asked
    readonly request: GenerateRequest
    readonly stream: boolean
    readonly whole: (reply: ProxyReply) => object
    readonly first: (attempt: string) => object[]
    readonly piece: (text: string, attempt: string) => object[]
    readonly last: (reply: ProxyReply) => object[]
    /** What cannot be done as it was asked. Default: nothing. */
    readonly warnings?: readonly string[]
    /** What the reply is to meet, and is checked against where it comes whole. Default: nothing. */
    readonly schema?: Readonly<Record<string, unknown>> | null
    /** Named events, and no mark at the end. */
    readonly named?: boolean
  },
): Promise<Response> | Response {
  const { signal } = context.req.raw
  const warnings = [...(input.warnings ?? [])]
  const warn = (): void => {
    if (warnings.length > 0) context.header('x-loam-warning', warnings.join('; '))
  }
  warn()
  if (!input.stream)
    return proxy.complete(input.asked, input.request, { signal }).then((reply) => {
      context.header('x-loam-attempt', reply.attempt)
      const { text, toolCalls } = reply.result
      if (input.schema && !toolCalls && !meets(text, input.schema)) {
        warnings.push('the reply does not meet the schema')
        warn()
      }
      return context.json(input.whole(reply))
    })
  return streamSSE(context, async (stream) => {
    const controller = new AbortController()
    stream.onAbort(() => controller.abort())
    let attempt = ''
    let writing: Promise<unknown> = Promise.resolve()
    // A long wait for the model, or a long prompt, looks dead to clients that hear nothing.
    const pulse = setInterval(() => {
      writing = writing.then(() => stream.write(': waiting\n\n'))
    }, PULSE_MS)
    const send = (events: readonly object[]): void => {
      for (const event of events) {
        const data = JSON.stringify(event)
        const name = input.named && 'type' in event ? { event: String(event.type) } : {}
        writing = writing.then(() => stream.writeSSE({ data, ...name }))
      }
    }
    try {
      const reply = await proxy.complete(input.asked, input.request, {
        signal: AbortSignal.any([signal, controller.signal]),
        onAttempt: (id) => {
          attempt = id
          send(input.first(id))
        },
        onToken: (text) => send(input.piece(text, attempt)),
      })
      send(input.last(reply))
    } catch (error) {
      if (isAbortError(error)) return
      send([(await refusal(error).json()) as object])
    } finally {
      clearInterval(pulse)
    }
    await writing
    if (input.named !== true) await stream.writeSSE({ data: '[DONE]' })
  })
}
