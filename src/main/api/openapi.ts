import { OpenAPIGenerator } from '@orpc/openapi'
import { getEventIteratorSchemaDetails } from '@orpc/contract'
import { ZodToJsonSchemaConverter } from '@orpc/zod/zod4'
import { contract } from '../../shared/contract'
import type { ProcedureMeta } from '../../shared/contract/procedure'
import { loamErrorShape } from '../../shared/domain/error-shape'
import { z } from 'zod'

/** Where the contract is served over REST. */
export const REST_PREFIX = '/api'

/** What is known of a procedure from its declaration. */
export interface RestProcedure {
  /** Area and name. */
  readonly path: readonly [area: string, name: string]
  readonly method: 'GET' | 'POST'
  readonly summary: string
  /** Whether any key gets an answer, whatever memory it is bound to. */
  readonly general: boolean
  /** The shape of its input; undefined for none. */
  readonly input: z.ZodType | undefined
  /** Whether it answers with a feed (server-sent events) that goes on. */
  readonly endless: boolean
}

interface Declared {
  readonly '~orpc': {
    readonly meta: ProcedureMeta
    readonly route: { readonly method?: string; readonly summary?: string }
    readonly inputSchema?: z.ZodType
    readonly outputSchema?: Parameters<typeof getEventIteratorSchemaDetails>[0]
  }
}

/** Every procedure of the contract that REST serves: those that change nothing and look at no place that is handed in. */
export const REST_PROCEDURES: readonly RestProcedure[] = Object.entries(contract).flatMap(
  ([area, procedures]) =>
    Object.entries(procedures as unknown as Record<string, Declared>)
      .filter(
        ([
          ,
          {
            '~orpc': { meta },
          },
        ]) => meta.by !== 'person',
      )
      .map(([name, { '~orpc': declared }]) => ({
        path: [area, name] as const,
        method: declared.route.method === 'GET' ? ('GET' as const) : ('POST' as const),
        general: declared.meta.general === true,
        input: declared.inputSchema,
        summary: declared.route.summary ?? '',
        endless: getEventIteratorSchemaDetails(declared.outputSchema) !== undefined,
      })),
)

/** The address of a procedure below the prefix. */
export const restPath = ({ path }: Pick<RestProcedure, 'path'>): string => `/${path.join('/')}`

/** The OpenAPI document of the contract; `server` is the address that requests go to, without the prefix. */
export async function openApiDocument(version: string, server: string): Promise<Record<string, unknown>> {
  const generator = new OpenAPIGenerator({ schemaConverters: [new ZodToJsonSchemaConverter()] })
  const error = z.toJSONSchema(loamErrorShape)
  const served = new Set(REST_PROCEDURES.map(restPath))
  const document = await generator.generate(contract, {
    filter: ({ path }) => served.has(`/${path.join('/')}`),
    info: {
      title: 'Loam',
      version,
      description:
        'What Loam knows, for other programs on this machine. Every request needs a bearer token ("loam keys create NAME"), which opens one memory. What changes something is for the window and the command line; programs write over MCP.',
    },
    servers: [{ url: `${server.replace(/\/$/, '')}${REST_PREFIX}` }],
    components: { securitySchemes: { token: { type: 'http', scheme: 'bearer' } } },
    tags: Object.keys(contract).map((name) => ({ name })),
    customErrorResponseBodySchema: () => error as never,
  })
  for (const procedure of REST_PROCEDURES) {
    const at = document.paths?.[restPath(procedure)]
    const operation = procedure.method === 'GET' ? at?.get : at?.post
    if (!operation) throw new Error(`The document lacks ${restPath(procedure)}.`)
    operation.tags = [procedure.path[0]]
    operation.security = [{ token: ['read'] }]
  }
  return document as unknown as Record<string, unknown>
}
