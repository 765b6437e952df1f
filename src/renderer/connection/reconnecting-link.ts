import type { ClientContext, ClientLink, ClientOptions } from '@orpc/client'
import { createStore } from 'zustand/vanilla'
import { connectionLost } from '../../shared/client-errors'
import { LoamError, toErrorShape, type LoamErrorShape } from '../../shared/errors'

/** One established connection. */
export interface Connection {
  readonly link: ClientLink<ClientContext>
  /** Resolves when it is gone. */
  readonly closed: Promise<void>
}

/** Establishes a connection. Rejects with `UNAUTHORIZED` when trying again cannot help, with anything else when it can. */
export type Dial = () => Promise<Connection>

/** How a link reconnects. */
export interface ReconnectOptions {
  /** Pause before attempt n (from 1), in ms. Default: 250 doubling up to 5000. */
  readonly backoff?: (attempt: number) => number
  /** How long a call waits for a connection before it fails with `CONNECTION_LOST`, in ms. Default 3000. */
  readonly patienceMs?: number
}

/**
 * A link that dials again, with back-off, whenever its connection goes. Calls under way then fail with
 * `CONNECTION_LOST`; it never repeats a call by itself, since that could do things twice. Feeds are resumed by those who
 * follow them, from the last seq they saw.
 */
export class ReconnectingLink implements ClientLink<ClientContext> {
  private current: ClientLink<ClientContext> | null = null
  private stopped = false
  private readonly waiting = new Set<() => void>()
  private readonly backoff: (attempt: number) => number
  private readonly patienceMs: number

  constructor(
    private readonly dial: Dial,
    private readonly state: ConnectionStore,
    options: ReconnectOptions = {},
  ) {
    this.backoff = options.backoff ?? ((attempt) => Math.min(5000, 250 * 2 ** (attempt - 1)))
    this.patienceMs = options.patienceMs ?? 3000
  }

  /** Dials and keeps connected from then on. Resolves on the first connection; rejects when the host refuses. */
  async start(): Promise<void> {
    const first = await this.connect()
    void this.keep(first)
  }

  /** Stops dialling. The connection itself belongs to whoever made it. */
  stop(): void {
    this.stopped = true
    this.settle(null)
  }

  async call(
    path: readonly string[],
    input: unknown,
    options: ClientOptions<ClientContext>,
  ): Promise<unknown> {
    if (!this.current) await this.wait(options.signal)
    options.signal?.throwIfAborted()
    if (!this.current) throw this.problem()
    return this.current.call(path, input, options)
  }

  private async keep(connection: Connection): Promise<void> {
    let open = connection
    for (;;) {
      await open.closed
      this.current = null
      if (this.stopped) return
      try {
        open = await this.connect()
      } catch {
        // Refused: the state says so, and every call from now on fails with it.
        return
      }
    }
  }

  /** Dials until it succeeds; rejects only when refused or stopped. */
  private async connect(): Promise<Connection> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        if (attempt === 1) this.state.setState({ status: 'connecting' }, true)
        const connection = await this.dial()
        this.settle(connection.link)
        this.state.setState({ status: 'connected' }, true)
        return connection
      } catch (error) {
        if (error instanceof LoamError && error.code === 'UNAUTHORIZED') {
          this.state.setState({ status: 'refused', problem: toErrorShape(error) }, true)
          this.settle(null)
          throw error
        }
        if (this.stopped) throw error
        const pause = this.backoff(attempt)
        this.state.setState({ status: 'waiting', attempt, retryAt: Date.now() + pause }, true)
        await new Promise((resolve) => setTimeout(resolve, pause))
        if (this.stopped) throw error
      }
    }
  }

  private settle(link: ClientLink<ClientContext> | null): void {
    this.current = link
    for (const wake of this.waiting) wake()
  }

  /** Resolves when the connection's fate is known, the patience is over, or the caller gives up. */
  private async wait(signal: AbortSignal | undefined): Promise<void> {
    if (this.stopped || this.state.getState().status === 'refused') return
    await new Promise<void>((resolve) => {
      const getOutcome = () => {
        clearTimeout(timer)
        this.waiting.delete(getOutcome)
        signal?.removeEventListener('abort', getOutcome)
        resolve()
      }
      const timer = setTimeout(getOutcome, this.patienceMs)
      this.waiting.add(getOutcome)
      signal?.addEventListener('abort', getOutcome)
    })
  }

  private problem(): LoamError {
    const state = this.state.getState()
    return state.status === 'refused' ? LoamError.fromShape(state.problem) : connectionLost()
  }
}

/** Where the connection to the host stands. */
export type ConnectionState =
  | { readonly status: 'connecting' }
  | { readonly status: 'connected' }
  /** Lost; attempt `attempt` (from 1) follows at `retryAt` (ms since 1970). */
  | { readonly status: 'waiting'; readonly attempt: number; readonly retryAt: number }
  /** The host does not let this page in; trying again would not help. */
  | { readonly status: 'refused'; readonly problem: LoamErrorShape }

/** The connection as a store: `getState`, `subscribe`, or `useStore(connection)` in a component. */
export const createConnectionStore = () => createStore<ConnectionState>(() => ({ status: 'connecting' }))

type ConnectionStore = ReturnType<typeof createConnectionStore>
