import type { Embedder } from '../../../core/ground/ports'
import { LoamError } from '../../../shared/errors'
import { readVectors } from '../../ground/isolate/foreign-answer'
import { below } from './address'
import { callServer, pauseBefore } from './call-server'
import { MAY_PASS, refusalError, unreadable } from './refusal'

/** Everything needed to embed with one model of one server. */
export interface ServerEmbedderOrder {
  /** What the encoder was chosen by. */
  readonly id: string
  readonly model: string
  readonly base: URL
  readonly key: string | null
  readonly silenceMs: number
  /** Times a request that may well succeed is made again. */
  readonly retries: number
  /** Runs work when the server has a place for it. */
  readonly inTurn: <T>(work: () => Promise<T>, signal?: AbortSignal) => Promise<T>
  /** Asked before every request. @throws LoamError `NETWORK_OFF` */
  readonly requireNetwork: () => void
}

/** Texts per request. */
const BATCH = 32

/**
 * A server's `/v1/embeddings` as an encoder. It is asked once, for the length of its vectors.
 * @throws LoamError `NETWORK_OFF`, `MODEL_SERVER`, `UNAUTHORIZED`, in words
 */
export async function serverEmbedder(order: ServerEmbedderOrder, signal?: AbortSignal): Promise<Embedder> {
  const ask = (texts: readonly string[], calling?: AbortSignal): Promise<Float32Array[]> =>
    order.inTurn(() => embedOnce(order, texts, calling), calling)
  const [probe = new Float32Array()] = await ask(['How long are your vectors?'], signal)
  const dimension = probe.length
  return {
    id: order.id,
    dimension,
    async embed(texts, { signal: calling } = {}) {
      const batches: string[][] = []
      for (let start = 0; start < texts.length; start += BATCH)
        batches.push(texts.slice(start, start + BATCH))
      const vectors = (await Promise.all(batches.map((batch) => ask(batch, calling)))).flat()
      const wrong = vectors.find((vector) => vector.length !== dimension)
      if (wrong)
        throw new LoamError(
          'VECTOR_DIMENSION',
          `${order.base.host} answered a vector of ${wrong.length} numbers after ones of ${dimension}.`,
          { suggestion: 'Look what model the server has loaded, then choose the encoder again.' },
        )
      return vectors
    },
  }
}

async function embedOnce(
  { model, base, key, silenceMs, retries, requireNetwork }: ServerEmbedderOrder,
  texts: readonly string[],
  signal?: AbortSignal,
): Promise<Float32Array[]> {
  // Servers refuse empty texts.
  const input = texts.map((text) => (text.trim() === '' ? '.' : text))
  for (let attempt = 0; ; attempt += 1) {
    requireNetwork()
    let wish: number | null = null
    try {
      const answer = await callServer({
        url: below(base, 'embeddings'),
        body: { model, input, encoding_format: 'float' },
        key,
        signal,
        silenceMs,
      })
      wish = answer.retryAfterMs
      const body = await answer.text()
      if (answer.status === 200) return await vectorsOf(base.host, body, texts.length)
      const { status, type } = answer
      const refusal = refusalError({ host: base.host, model, status, type, body })
      if (!MAY_PASS.has(status) || attempt >= retries) throw refusal
    } catch (error) {
      if (!(error instanceof LoamError && error.retryable && attempt < retries)) throw error
    }
    await pauseBefore(attempt + 1, wish, signal)
  }
}

/** In the order of the texts, whatever the order of the answer. */
async function vectorsOf(host: string, body: string, count: number): Promise<Float32Array[]> {
  const list = await readVectors(body, host).catch((error: unknown) => {
    throw unreadable(host, body, error)
  })
  const vectors = new Map(list.map(({ index, vector }) => [index, vector]))
  return Array.from({ length: count }, (_, index) => {
    const vector = vectors.get(index)
    if (vector && vector.length > 0 && vector.every(Number.isFinite)) return vector
    throw unreadable(host, body)
  })
}
