import { setTimeout as sleep } from 'node:timers/promises'
import { throwIfAborted } from '../../../core/ground/abort'
import { LoamError } from '../../../shared/errors'

/** One request to a server. */
export interface ServerOrder {
  readonly url: string
  readonly method?: 'GET' | 'POST'
  readonly body?: unknown
  readonly key: string | null
  readonly signal?: AbortSignal | undefined
  /** Silence after which it is given up, in ms. */
  readonly silenceMs: number
}

/** An answer whose body can still be read; `alive` is called with each piece, and silence in between ends it. */
export type ServerAnswer = Awaited<ReturnType<typeof callServer>>

/** Longest part of a body that is read into memory at once. */
const MOST_BYTES = 16 * 1024 * 1024

/** Makes one request. @throws LoamError `MODEL_SERVER` saying that nobody answers, or that the answer took too long; AbortError */
export async function callServer(order: ServerOrder) {
  throwIfAborted(order.signal)
  const { host } = new URL(order.url)
  const controller = new AbortController()
  const abort = (): void => controller.abort()
  order.signal?.addEventListener('abort', abort, { once: true })
  let silent = false
  let timer: NodeJS.Timeout | undefined
  const alive = (): void => {
    clearTimeout(timer)
    timer = setTimeout(() => {
      silent = true
      controller.abort()
    }, order.silenceMs)
  }
  /** Lets the connection go. */
  const drop = (): void => {
    clearTimeout(timer)
    order.signal?.removeEventListener('abort', abort)
    controller.abort()
  }
  const explain = (error: unknown, began: boolean): unknown => {
    drop()
    throwIfAborted(order.signal)
    if (silent) return tookTooLong(host, order.silenceMs, began)
    return began ? brokeOff(host, error) : unreachable(host, error)
  }
  alive()
  const response = await fetch(order.url, {
    method: order.method ?? 'POST',
    signal: controller.signal,
    // A key must not follow to wherever a server points.
    redirect: 'error',
    headers: {
      accept: 'text/event-stream, application/json',
      ...(order.body !== undefined && { 'content-type': 'application/json' }),
      ...(order.key !== null && { authorization: `Bearer ${order.key}` }),
    },
    ...(order.body !== undefined && { body: JSON.stringify(order.body) }),
  }).catch((error: unknown) => {
    throw explain(error, false)
  })
  const pieces = (async function* () {
    const decoder = new TextDecoder()
    try {
      for await (const chunk of response.body ?? []) {
        alive()
        yield decoder.decode(chunk as Uint8Array, { stream: true })
      }
    } catch (error) {
      throw explain(error, true)
    } finally {
      drop()
    }
  })()
  return {
    status: response.status,
    type: response.headers.get('content-type') ?? '',
    retryAfterMs: retryAfter(response.headers.get('retry-after')),
    /** The body in pieces of text. Rejects with `MODEL_SERVER` on silence or when the connection breaks, with an AbortError on abort. */
    pieces,
    async text(): Promise<string> {
      let text = ''
      for await (const piece of pieces) {
        text += piece
        if (text.length > MOST_BYTES) throw tooLong(host)
      }
      return text
    },
    drop,
  }
}

/** Seconds or a date, as HTTP has it. */
function retryAfter(text: string | null): number | null {
  if (text === null) return null
  const seconds = Number(text)
  const ms = Number.isFinite(seconds) ? seconds * 1000 : Date.parse(text) - Date.now()
  return Number.isFinite(ms) && ms >= 0 ? ms : null
}

/** Pauses before a further try, growing from half a second to eight; a server's own wish is followed up to half a minute. */
export async function pauseBefore(attempt: number, wish: number | null, signal?: AbortSignal): Promise<void> {
  const own = Math.min(8000, 500 * 2 ** (attempt - 1))
  await sleep(Math.min(30_000, wish ?? own), undefined, { signal }).catch(() => throwIfAborted(signal))
}

const systemCode = (error: unknown): string => {
  const { cause } = error as { cause?: { code?: string; message?: string } }
  return cause?.code ?? cause?.message ?? (error instanceof Error ? error.message : String(error))
}

/** What a certificate that is not trusted is called. */
const UNTRUSTED = /SELF_SIGNED|UNABLE_TO_(VERIFY|GET_ISSUER)|CERT_|ALTNAME/
/** How it is called when the other side does not speak TLS. */
const NO_TLS = /^(EPROTO|ERR_SSL_)/

const unreachable = (host: string, error: unknown): LoamError => {
  const code = systemCode(error)
  if (UNTRUSTED.test(code)) {
    return new LoamError('MODEL_SERVER', `${host} shows a certificate that is not trusted here (${code}).`, {
      suggestion:
        'Start Loam with NODE_EXTRA_CA_CERTS naming the file of the certificate that signed it, or use http:// for a server on this machine.',
      underlying: error,
    })
  }
  if (NO_TLS.test(code)) {
    return new LoamError('MODEL_SERVER', `${host} does not speak https (${code}).`, {
      suggestion: 'Write http:// in its address.',
      underlying: error,
    })
  }
  if (/redirect/.test(code)) {
    return new LoamError('MODEL_SERVER', `${host} points to another address, and a key must not follow it.`, {
      suggestion: 'Give the address it points to: often https:// instead of http://, or another path.',
      underlying: error,
    })
  }
  return nobody(host, code, error)
}

const nobody = (host: string, code: string, error: unknown): LoamError =>
  new LoamError('MODEL_SERVER', `Nobody answers at ${host} (${code}).`, {
    suggestion: 'Is the server running, and is the address right? Start it and go on.',
    retryable: true,
    underlying: error,
  })

const brokeOff = (host: string, error: unknown): LoamError =>
  new LoamError('MODEL_SERVER', `The answer of ${host} broke off (${systemCode(error)}).`, {
    suggestion: 'Look whether the server is still running, then go on.',
    retryable: true,
    underlying: error,
  })

const tookTooLong = (host: string, ms: number, began: boolean): LoamError =>
  new LoamError(
    'MODEL_SERVER',
    `${host} ${began ? 'stopped in the middle of its answer' : 'did not begin to answer'} for ${Math.round(ms / 1000)} seconds.`,
    {
      suggestion:
        'It may be loading the model or be busy with others. Give it more time in the settings of model servers.',
      retryable: true,
    },
  )

const tooLong = (host: string): LoamError =>
  new LoamError('MODEL_SERVER', `${host} answered with more than ${MOST_BYTES >> 20} MiB.`, {
    suggestion: 'Is this the address of a model server?',
  })
