import { Hono } from 'hono'
import type { RestSettings } from '../../shared/domain/memory-info'
import { toErrorShape } from '../../shared/errors'
import type { Logger } from '../ground/logger'
import { refuse } from './rest-guard'
import { closeServer, listen, isLocalHost, isOwnOrigin, serverOf, type SlowLimits } from './local-server'

/** REST on a port of its own, for hosts that serve no page. */
export type RestServer = Awaited<ReturnType<typeof startRestServer>>

/** Serves requests of other programs on 127.0.0.1 only. @throws LoamError `CONFLICT` when the port is taken */
export async function startRestServer(rest: Hono, wantedCount: number, limits?: SlowLimits) {
  let port = wantedCount
  const app = new Hono()
  app.use(async (context, next) => {
    const { host, origin } = context.req.header()
    if (!isLocalHost(host, port) || !isOwnOrigin(origin, port))
      return refuse(
        403,
        'UNAUTHORIZED',
        'The request came from a page or asked for another host.',
        'Ask 127.0.0.1.',
      )
    return next()
  })
  app.route('/', rest)
  app.notFound(() =>
    refuse(404, 'NOT_FOUND', 'There is nothing here.', 'GET /api/openapi.json says what there is.'),
  )
  app.onError(() => refuse(500, 'INTERNAL', 'The request could not be answered.', 'Try again.'))
  const server = serverOf(app, limits)
  port = await listen(server, wantedCount)
  return { port, close: (): Promise<void> => closeServer(server) }
}

/** Follows the setting: REST runs while it is on, on the port that it names. */
export class RestSwitch {
  private running: { readonly server: RestServer; readonly wanted: number } | null = null
  private turn: Promise<void> = Promise.resolve()

  constructor(
    private readonly rest: () => Hono,
    private readonly logger: Logger,
  ) {}

  /** The port it is on; null while it is off. */
  get port(): number | null {
    return this.running?.server.port ?? null
  }

  /** Turns it on or off as the setting says; resolves when that is done. A port that is taken is logged, and it stays off. */
  follow({ on, port }: RestSettings): Promise<void> {
    this.turn = this.turn.then(async () => {
      if (this.running && (!on || this.running.wanted !== port)) {
        const { server } = this.running
        this.running = null
        await server.close()
      }
      if (!on || this.running) return
      try {
        this.running = { server: await startRestServer(this.rest(), port), wanted: port }
      } catch (error) {
        this.logger.warn('REST could not be served', { port, error: toErrorShape(error) })
      }
    })
    return this.turn
  }

  close(): Promise<void> {
    return this.follow({ on: false, port: 0 })
  }
}
