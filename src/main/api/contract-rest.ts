import { SmartCoercionPlugin } from '@orpc/json-schema'
import { OpenAPIHandler } from '@orpc/openapi/fetch'
import type { Router } from '@orpc/server'
import { ZodToJsonSchemaConverter } from '@orpc/zod/zod4'
import { Hono } from 'hono'
import type { Contract } from '../../shared/contract'
import { mapServerErrors, toRpcError } from './errors'
import { openApiDocument, REST_PREFIX, REST_PROCEDURES, restPath } from './openapi'
import { limitBody, refuse, type RestGuard, callersWith, createRestGuard } from './rest-guard'
import type { App } from '../app'
import { MY_MEMORY } from '../../shared/domain/memory-info'
import { readKeys } from './program-keys'
import { kbRest } from './kb-rest'
import type { LoamRouter } from './transports'

/** Everything that other programs reach over HTTP, behind one gate: the contract, and Agent KB's own protocol. */
export function createRest(app: App, router: LoamRouter): Hono {
  const guard = createRestGuard({ caller: callersWith(() => readKeys(app.data.path)) })
  const rest = new Hono()
  rest.route('/', kbRest({ kb: app.kb, guard, defaultMemory: () => app.memories.resolve(MY_MEMORY) }))
  rest.route(
    '/',
    contractRest({
      router,
      guard,
      version: app.resources.version,
      onBug: (error, procedure) => app.logger.error('a call failed unexpectedly', { procedure, error }),
    }),
  )
  return rest
}

/** What serving the contract over REST needs. */
export interface ContractRestDeps {
  readonly router: Router<Contract, Record<never, never>>
  readonly guard: RestGuard
  readonly version: string
  /** Told of failures that are bugs. */
  readonly onBug?: (error: unknown, procedure: string) => void
}

/** Largest body in bytes; the text of a file is handed in whole. */
const MAX_BODY = 1024 * 1024
const MAX_FILE_BODY = 128 * 1024 * 1024

/**
 * The whole contract as REST, derived from it: `GET` or `POST /api/AREA/NAME`, and `GET /api/openapi.json`, the document that says how.
 * Feeds are server-sent events. Host and Origin are checked by the server this is mounted in.
 */
export function contractRest({ router, guard, version, onBug }: ContractRestDeps): Hono {
  const handler = new OpenAPIHandler(router, {
    clientInterceptors: [mapServerErrors(onBug)],
    plugins: [new SmartCoercionPlugin({ schemaConverters: [new ZodToJsonSchemaConverter()] })],
    // One error shape on every wire.
    customErrorResponseBodyEncoder: (error) => toRpcError(error).data,
  })
  const app = new Hono()

  app.get(`${REST_PREFIX}/openapi.json`, (context) =>
    guard.hold(context, { scope: 'read' }, async () =>
      Response.json(await openApiDocument(version, new URL(context.req.url).origin), {
        headers: { 'cache-control': 'no-store' },
      }),
    ),
  )
  for (const procedure of REST_PROCEDURES) {
    const path = restPath(procedure)
    app.on(
      procedure.method,
      REST_PREFIX + path,
      limitBody(procedure.takesFile ? MAX_FILE_BODY : MAX_BODY),
      (context) =>
        guard.hold(context, procedure, async (key, signal) => {
          if (procedure.method === 'POST' && !key.scopes.includes('admin')) {
            const address = modelAddressIn(await context.req.raw.clone().text())
            if (address !== null)
              return refuse(
                403,
                'UNAUTHORIZED',
                `The key "${key.name}" may not say where a model is: ${address}`,
                'Name a model or a server that Loam knows ("loam servers list"), or use a key with the scope admin.',
              )
          }
          const { matched, response } = await handler.handle(withSignal(context.req.raw, signal), {
            prefix: REST_PREFIX,
            context: {},
          })
          if (!matched) throw new Error(`${path} is not served.`)
          response.headers.set('cache-control', 'no-store')
          return response
        }),
    )
  }
  app.all(`${REST_PREFIX}/*`, () =>
    refuse(404, 'NOT_FOUND', 'There is no such request.', 'GET /api/openapi.json says what there is.'),
  )
  return app
}

/** The first address, `PROVIDER:NAME@URL`, that a body gives as a model; what is asked would be sent there. */
function modelAddressIn(body: string): string | null {
  if (!body.includes('://')) return null
  let address: string | null = null
  try {
    JSON.parse(body, (key, value: unknown) => {
      if (/model$/i.test(key) && typeof value === 'string' && value.includes('://'))
        address ??= value.slice(0, 200)
      return value
    })
  } catch {
    // What is no JSON is refused where it is read.
  }
  return address
}

/** The same request, given up when `signal` fires. Copied by hand, since the server's own is no full `Request`. */
function withSignal({ url, method, headers, body }: Request, signal: AbortSignal): Request {
  return new Request(url, {
    method,
    headers,
    signal,
    ...(body === null || method === 'GET' ? {} : { body, duplex: 'half' }),
  } as RequestInit)
}
