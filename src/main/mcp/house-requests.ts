import type { Client } from '@modelcontextprotocol/sdk/client/index.js'
import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { ErrorCode, McpError } from '@modelcontextprotocol/sdk/types.js'
import { z } from 'zod'
import { LoamError } from '../../shared/errors'

/** Something to look at or listen to. */
const mediaSchema = z.object({
  kind: z.enum(['image', 'audio', 'video']),
  /** As `image/png`. */
  type: z.string().max(100),
  /** Its bytes in base64. */
  data: z.string(),
})
export type Media = z.infer<typeof mediaSchema>

/** What Loam does for its own tool servers, which have no models themselves. */
export interface HouseServices {
  /** Vectors of texts by the encoder that is chosen. */
  embed(texts: readonly string[], signal: AbortSignal): Promise<readonly Float32Array[]>
  /** What a model that sees or hears says of it, asked with `question`. @throws LoamError with words where there is none */
  describe(media: Media, question: string, signal: AbortSignal): Promise<string>
}

const EMBED = 'loam/embed'
const DESCRIBE = 'loam/describe'
/** Texts of one request. */
const MOST_TEXTS = 64
/** Milliseconds a model may take over a picture, a recording or a film. */
const DESCRIBE_MS = 300_000

const embedRequest = z.object({
  method: z.literal(EMBED),
  params: z.object({ texts: z.array(z.string()).max(MOST_TEXTS) }),
})
const embedResult = z.object({ vectors: z.array(z.array(z.number())) })
const describeRequest = z.object({
  method: z.literal(DESCRIBE),
  params: z.object({ media: mediaSchema, question: z.string().max(4000) }),
})
/** Either words, or why there are none. */
const describeResult = z.object({ text: z.string().nullable(), problem: z.string().nullable() })

/** Lets a server of Loam's own ask the house. Others are never answered. */
export function answerHouse(client: Client, house: HouseServices): void {
  client.setRequestHandler(embedRequest, async ({ params }, { signal }) => ({
    vectors: (await house.embed(params.texts, signal)).map((vector) => [...vector]),
  }))
  client.setRequestHandler(describeRequest, async ({ params }, { signal }) => {
    try {
      return { text: await house.describe(params.media, params.question, signal), problem: null }
    } catch (error) {
      signal.throwIfAborted()
      return { text: null, problem: wordsOf(error) }
    }
  })
}

const wordsOf = (error: unknown): string =>
  error instanceof LoamError
    ? `${error.why} ${error.toShape().suggestion}`.trim()
    : error instanceof Error
      ? error.message
      : String(error)

/** Null where the client is not Loam, which then answers no such thing. */
async function getRequest<T>(ask: Promise<T>): Promise<T | null> {
  try {
    return await ask
  } catch (error) {
    if (error instanceof McpError && error.code === (ErrorCode.MethodNotFound as number)) return null
    throw error
  }
}

/** Vectors of texts, in the house that started the server; null where there is none. */
export async function embedInHouse(
  { server }: McpServer,
  texts: readonly string[],
  signal: AbortSignal,
): Promise<readonly Float32Array[] | null> {
  const params = { texts: texts.slice(0, MOST_TEXTS) }
  const match = await getRequest(server.request({ method: EMBED, params }, embedResult, { signal }))
  return match?.vectors.map((vector) => Float32Array.from(vector)) ?? null
}

/** What a model of the house says of a picture, a recording or a film; `problem` says why it is not available. */
export async function describeInHouse(
  { server }: McpServer,
  media: Media,
  question: string,
  signal: AbortSignal,
): Promise<z.infer<typeof describeResult>> {
  const request = { method: DESCRIBE, params: { media, question } }
  const match = await getRequest(server.request(request, describeResult, { signal, timeout: DESCRIBE_MS }))
  return match ?? { text: null, problem: 'it was not started by Loam, which has the models' }
}
