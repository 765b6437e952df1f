import type { HttpBindings } from '@hono/node-server'
import type { Context } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import type { Scope } from '../../shared/contract/procedure'
import { LoamError, toErrorShape, type ErrorCode } from '../../shared/errors'
import { findKey, type ProgramKey } from './program-keys'
import { statusOf } from './errors'
import { bearerOf } from './secrets'

/** Who a request comes from, and what that one may do. */
export type Caller = Pick<ProgramKey, 'name' | 'scopes' | 'memory' | 'project'>

/**
 * Callers with a key of a list, which is read for each request, so that a removed key stops working at once. One that is bound to no memory
 * only reads.
 */
export const callersWith =
  (keys: () => Promise<readonly ProgramKey[]>): RestLimits['caller'] =>
  async (header) => {
    const inputText = bearerOf(header)
    const key = inputText === undefined ? null : findKey(await keys(), inputText)
    return key?.memory === null ? { ...key, scopes: key.scopes.filter((scope) => scope === 'read') } : key
  }

/** What a guard holds requests to. */
export interface RestLimits {
  /** Who sent a request, by its authorization header; null for nobody who may. */
  readonly caller: (header: string | undefined) => Promise<Caller | null>
  /** Milliseconds a request may take. Default 30,000. */
  readonly timeoutMs?: number
  /** Requests a key may make in a minute. Default 600. */
  readonly perMinute?: number
  /** Requests of one key at work at a time, feeds aside. Default 8. */
  readonly inFlight?: number
}

/** How one request is held: `endless` for feeds, which last as long as the other side listens. */
export interface Holding {
  readonly scope: Scope
  readonly endless?: boolean
}

/** The one gate that every request of a program passes. */
export type RestGuard = ReturnType<typeof createRestGuard>

/** A refusal in the one error shape. */
export const refuse = (status: number, code: ErrorCode, cause: string, suggestion: string): Response =>
  Response.json(
    new LoamError(code, cause, { suggestion, retryable: status === 429 || status === 408 }).toShape(),
    { status, headers: { 'cache-control': 'no-store', ...(status === 429 ? { 'retry-after': '10' } : {}) } },
  )

/** The refusal of what is asked beside too much else. */
export const tooMany = (): Response =>
  refuse(429, 'UNAUTHORIZED', 'There are too many requests at once.', 'Wait a moment and try again.')

/** Refuses bodies of more than so many bytes. */
export const limitBody = (maxSize: number) =>
  bodyLimit({
    maxSize,
    onError: () =>
      refuse(413, 'BAD_INPUT', `The request is larger than ${maxSize} bytes.`, 'Send less at a time.'),
  })

/** Requests of one program at a time to a memory over MCP, and to the proxy. */
export const MOST_AT_ONCE = 32

/** Requests of each name at a time: nobody waits for what another asked. */
export function createPlaces(most: number) {
  const counts = new Map<string, number>()
  return {
    /** Takes a place until the answer has gone out or its client has left; false where none is free. */
    take(name: string, { env }: Pick<Context, 'env'>): boolean {
      const own = counts.get(name) ?? 0
      if (own >= most) return false
      counts.set(name, own + 1)
      ;(env as HttpBindings).outgoing.once('close', () => {
        const rest = (counts.get(name) ?? 1) - 1
        if (rest > 0) counts.set(name, rest)
        else counts.delete(name)
      })
      return true
    },
  }
}

/** Makes the gate: bearer tokens with scopes, requests per minute and at a time, and a limit of time. */
export function createRestGuard(limits: RestLimits) {
  const timeoutMs = limits.timeoutMs ?? 30_000
  const stats = { requests: 0, totalMs: 0 }
  const rate = new Rate(limits.perMinute ?? 600)
  const places = createPlaces(limits.inFlight ?? 8)
  const feeds = createPlaces(MOST_FEEDS)

  const timed = async (work: Promise<Response>, endless: boolean): Promise<Response> => {
    if (endless) return work
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<Response>((resolve) => {
      timer = setTimeout(
        () => resolve(refuse(408, 'CANCELLED', 'The answer took too long.', 'Ask for less, or try again.')),
        timeoutMs,
      )
    })
    work.catch(() => undefined)
    return Promise.race([work, late]).finally(() => clearTimeout(timer))
  }

  return {
    /** How many requests there were, and how long they took. */
    stats,
    /** Runs one request under all limits, or says why not; what it throws becomes the one error shape. */
    async hold(
      context: Context,
      { scope, endless = false }: Holding,
      answer: (caller: Caller, signal: AbortSignal) => Promise<Response>,
    ): Promise<Response> {
      const key = await limits.caller(context.req.header('authorization'))
      if (!key) return refuse(401, 'UNAUTHORIZED', 'The request has no valid key.', CREATE_KEY)
      if (!key.scopes.includes(scope))
        return refuse(403, 'UNAUTHORIZED', `The key "${key.name}" may not ${scope}.`, CREATE_KEY)
      // What is refused is counted by neither.
      if (!rate.hasRoom(key.name) || !(endless ? feeds : places).take(key.name, context)) return tooMany()
      rate.count(key.name)
      const startTime = performance.now()
      const over = new AbortController()
      const goneSignal = context.req.raw.signal
      const signal = endless ? goneSignal : AbortSignal.any([goneSignal, over.signal])
      try {
        return await timed(answer(key, signal), endless)
      } catch (error) {
        const shape = toErrorShape(error)
        return Response.json(shape, {
          status: statusOf(shape.code),
          headers: { 'cache-control': 'no-store' },
        })
      } finally {
        // What is still at work after the limit is told to stop.
        over.abort()
        stats.requests++
        stats.totalMs += performance.now() - startTime
      }
    },
  }
}

const CREATE_KEY = 'Make one with "loam keys create NAME --scope read,write" and send it as a bearer token.'

/** Feeds that one key listens to at a time. */
const MOST_FEEDS = 16

/** Requests per name within a moving minute. */
class Rate {
  private readonly times = new Map<string, number[]>()
  constructor(private readonly most: number) {}
  hasRoom(name: string): boolean {
    const since = performance.now() - 60_000
    const recent = (this.times.get(name) ?? []).filter((time) => time > since)
    this.times.set(name, recent)
    return recent.length < this.most
  }
  count(name: string): void {
    this.times.get(name)?.push(performance.now())
  }
}
