import { SmartCoercionPlugin } from '@orpc/json-schema'
import { OpenAPIHandler } from '@orpc/openapi/fetch'
import type { Router } from '@orpc/server'
import { ZodToJsonSchemaConverter } from '@orpc/zod/zod4'
import { Hono } from 'hono'
import type { Contract } from '../../shared/contract'
import { mapServerErrors, toRpcError } from './errors'
import { openApiDocument, REST_PREFIX, REST_PROCEDURES, restPath } from './openapi'
import { limitBody, refuse, type Caller, type RestGuard, callersWith, createRestGuard } from './rest-guard'
import type { App } from '../app'
import { MY_MEMORY } from '../../shared/domain/memory-info'
import { isRecord } from '../../core/ground/record'
import { LoamError } from '../../shared/errors'
import { memoryFolders } from './serve-one-memory'
import { keyOpens, readKeys } from './program-keys'
import { kbRest, type KbRestDeps } from './kb-rest'
import type { LoamRouter } from './transports'

/** Everything that other programs reach over HTTP, behind one gate: the contract, and Agent KB's own protocol. */
export function createRest(app: App, router: LoamRouter): Hono {
  const guard = createRestGuard({ caller: callersWith(() => readKeys(app.data.path)) })
  const rest = new Hono()
  const opens: KbRestDeps['opens'] = (caller, memory) =>
    caller.project === null && keyOpens(caller, memory, memoryFolders(app))
  const defaultMemory = ({ memory }: Caller) => app.memories.resolve(memory ?? MY_MEMORY)
  rest.route('/', kbRest({ kb: app.kb, guard, defaultMemory, opens }))
  rest.route(
    '/',
    contractRest({
      router,
      guard,
      folder: memoryFolders(app),
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
  /** Where the memory of an id lies. */
  readonly folder: (memoryId: string) => string
  readonly version: string
  /** Told of failures that are bugs. */
  readonly onBug?: (error: unknown, procedure: string) => void
}

/** Largest body in bytes. */
const MAX_BODY = 1024 * 1024

/**
 * What of the contract is not the person's, as REST derived from it: `GET` or `POST /api/AREA/NAME`, and `GET /api/openapi.json`, the document
 * that says how. Feeds are server-sent events. A key answers for the memory that it is bound to. Host and Origin are checked by the server this is
 * mounted in.
 */
export function contractRest({ router, guard, folder, version, onBug }: ContractRestDeps): Hono {
  const handler = new OpenAPIHandler(router, {
    clientInterceptors: [
      mapServerErrors(onBug),
      // Here the input is what the procedure will get, however it was sent.
      ({ next, path, input, context }) => {
        const problem = bindingProblem((context as CallContext).caller, path.join('/'), input, folder)
        if (problem) throw problem
        return next()
      },
    ],
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
    app.on(procedure.method, REST_PREFIX + path, limitBody(MAX_BODY), (context) =>
      guard.hold(context, { scope: 'read', endless: procedure.endless }, async (caller, signal) => {
        const callContext: CallContext = { caller }
        const { matched, response } = await handler.handle(withSignal(context.req.raw, signal), {
          prefix: REST_PREFIX,
          context: callContext,
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

interface CallContext {
  readonly caller: Caller
}

const PROCEDURES = new Map(REST_PROCEDURES.map((procedure) => [procedure.path.join('/'), procedure]))

/** Ids alone: a path would open any folder of this machine as a memory. */
const MEMORY_ID = /^[a-z0-9][a-z0-9_-]{0,79}$/i

/** Why a key gets no answer to a request; null where it does. Inputs that are wrong in themselves are refused by their procedure. */
function bindingProblem(
  { name, memory, project }: Caller,
  path: string,
  input: unknown,
  folder: (memoryId: string) => string,
): LoamError | null {
  const procedure = PROCEDURES.get(path)
  const parsed = procedure?.input?.safeParse(input)
  const fields: unknown = parsed?.success === true ? parsed.data : input
  const memoryId = isRecord(fields) ? fields['memoryId'] : undefined
  if (typeof memoryId === 'string' && !MEMORY_ID.test(memoryId))
    return new LoamError('BAD_INPUT', `"${memoryId.slice(0, 80)}" is not the id of a memory.`, {
      suggestion: 'Name a memory by its id.',
    })
  if (procedure?.general === true || memory === null) return null
  if (project !== null)
    return refusal(
      name,
      `the project "${project}"`,
      'Use it with "loam mcp memory --port", which shows a part.',
    )
  if (typeof memoryId === 'string' && keyOpens({ memory, project }, memoryId, folder)) return null
  return refusal(
    name,
    'another memory',
    `Name the memory "${memory}", or use a key that reads every memory ("loam keys create NAME --all-memories").`,
  )
}

const refusal = (name: string, what: string, suggestion: string): LoamError =>
  new LoamError('FORBIDDEN', `The key "${name}" is for ${what} alone.`, { suggestion })

/** The same request, given up when `signal` fires. Copied by hand, since the server's own is no full `Request`. */
function withSignal({ url, method, headers, body }: Request, signal: AbortSignal): Request {
  return new Request(url, {
    method,
    headers,
    signal,
    ...(body === null || method === 'GET' ? {} : { body, duplex: 'half' }),
  } as RequestInit)
}
