import { Hono, type Context } from 'hono'
import { z } from 'zod'
import { LoamError, toErrorShape } from '../../shared/errors'
import type { AgentMemory } from '../share/agent-memory'
import {
  mem0AddSchema,
  mem0Calls,
  mem0ListSchema,
  mem0SearchSchema,
  mem0UpdateSchema,
  ownerIn,
} from '../share/mem0-calls'
import { statusOf } from './errors'
import type { KeyHolder, KeyRing } from './program-keys'
import { limitBody } from './rest-guard'

const MAX_BODY = 4 * 1024 * 1024
/** The platform's versions, and the paths of mem0's own server, which have none. */
const VERSIONS = ['/v1', '/v2', '/v3', '']

interface Mem0Environment {
  readonly Variables: { holder: KeyHolder }
}
type Mem0Context = Context<Mem0Environment>

/**
 * mem0's REST calls (its platform's and its own server's) beside an MCP server: its clients move by an address and a key. `open` gives the memory
 * as the holder of a key may use it.
 */
export function mem0Routes(open: (holder: KeyHolder) => AgentMemory, keys: KeyRing): Hono {
  const app = new Hono<Mem0Environment>()
  const callsOf = (context: Mem0Context) => mem0Calls(open(context.get('holder')))
  const writer = (context: Mem0Context): string => context.get('holder').name
  const gate = async (context: Mem0Context, next: () => Promise<void>): Promise<Response | undefined> => {
    const header = context.req.header('authorization') ?? `Bearer ${context.req.header('x-api-key') ?? ''}`
    const holder = await keys.holder(header.replace(/^Token /i, 'Bearer '))
    if (!holder) return context.json({ detail: 'The request has no valid key of Loam.' }, 401)
    context.set('holder', holder)
    await next()
    return undefined
  }
  for (const version of VERSIONS) {
    for (const path of ['/memories/*', '/memories', '/search', '/search/', '/ping/*']) {
      app.use(`${version}${path}`, gate)
      app.on(['POST', 'PUT'], `${version}${path}`, limitBody(MAX_BODY))
    }
    const on = (
      method: 'GET' | 'POST' | 'PUT' | 'DELETE',
      path: string,
      answer: (context: Mem0Context) => Promise<Response>,
    ) =>
      // Clients write paths with a slash at their end, or without.
      app.on(method, [`${version}${path}`, `${version}${path}/`], answer)
    on('GET', '/ping', (context) =>
      Promise.resolve(context.json({ status: 'ok', org_id: 'loam', project_id: 'loam', user_email: null })),
    )
    const add = async (context: Mem0Context): Promise<Response> => {
      const body = await bodyOf(context, z.union([mem0AddSchema, mem0ListSchema]))
      // The second version lists by POST with filters.
      if (!('messages' in body)) {
        const results = await callsOf(context).list(ownerIn(body))
        return context.json({ count: results.length, next: null, previous: null, results })
      }
      const adding = mem0AddSchema.parse(body)
      return context.json({ results: await callsOf(context).add(adding, writer(context)) })
    }
    on('POST', '/memories', add)
    on('POST', '/memories/add', add)
    const search = async (context: Mem0Context): Promise<Response> => {
      const body = await bodyOf(context, mem0SearchSchema)
      const results = await callsOf(context).search(body, context.req.raw.signal)
      return context.json(version === '/v1' && body['output_format'] !== 'v1.1' ? results : { results })
    }
    on('POST', '/memories/search', search)
    on('POST', '/search', search)
    on('GET', '/memories', async (context) => {
      const results = await callsOf(context).list(ownerIn(context.req.query()))
      return context.json(
        version === '/v1' && context.req.query('output_format') !== 'v1.1' ? results : { results },
      )
    })
    on('DELETE', '/memories', async (context) => {
      const owner = ownerIn(context.req.query())
      // Everything at once is a person's to delete.
      if (owner === '')
        throw new LoamError('BAD_INPUT', 'The request names nobody whose memories go.', {
          suggestion: 'Send user_id, agent_id or run_id.',
        })
      const ids = (await callsOf(context).list(owner)).map(({ id }) => id)
      if (ids.length > 0) await callsOf(context).remove(ids, writer(context))
      return context.json({
        message: `${String(ids.length)} memories are deleted, or wait for a person where another told them.`,
      })
    })
    on('GET', '/memories/:id/history', async (context) =>
      context.json(await callsOf(context).history(idOf(context))),
    )
    on('GET', '/memories/:id', async (context) => {
      const memory = await callsOf(context).get(idOf(context))
      return memory ? context.json(memory) : context.json({ detail: 'There is no such memory.' }, 404)
    })
    on('PUT', '/memories/:id', async (context) => {
      const { text, data = '' } = await bodyOf(context, mem0UpdateSchema)
      return context.json(await callsOf(context).update(idOf(context), text ?? data, writer(context)))
    })
    on('DELETE', '/memories/:id', async (context) => {
      const { state } = await callsOf(context).remove([idOf(context)], writer(context))
      return context.json({
        message: state === 'held' ? 'A person decides about it.' : 'Memory deleted successfully!',
      })
    })
  }
  app.onError((error, context) => {
    if (error instanceof z.ZodError) {
      const [issue] = error.issues
      return context.json({ detail: `${issue?.path.join('.') ?? ''}: ${issue?.message ?? ''}` }, 400)
    }
    const { code, cause, suggestion } = toErrorShape(error)
    return Response.json({ detail: `${cause} ${suggestion}` }, { status: statusOf(code) })
  })
  return app as unknown as Hono
}

const bodyOf = async <T>(context: Mem0Context, schema: z.ZodType<T>): Promise<T> =>
  schema.parse(await context.req.json().catch(() => null))
const idOf = (context: Mem0Context): string => context.req.param('id') ?? ''
