import { Hono, type Context, type MiddlewareHandler } from 'hono'
import { z } from 'zod'
import { LoamError, toErrorShape } from '../../shared/errors'
import type { AgentMemory } from '../share/agent-memory'
import {
  mem0AddSchema,
  mem0BatchDeleteSchema,
  mem0BatchUpdateSchema,
  mem0Calls,
  mem0FeedbackSchema,
  mem0ListSchema,
  mem0SearchSchema,
  mem0UpdateSchema,
} from '../share/mem0-calls'
import { ownerIn } from '../share/mem0-filters'
import { statusOf } from './errors'
import { readJsonBody } from '../ground/json-body'
import type { KeyHolder, KeyRing } from './program-keys'
import { limitBody } from './rest-guard'

const MAX_BODY = 4 * 1024 * 1024
/** The platform's versions, and the paths of mem0's own server, which have none. */
const VERSIONS = ['/v1', '/v2', '/v3', '']
/** Paths below each, all behind a key. */
const PATHS = [
  '/memories',
  '/search',
  '/ping',
  '/entities',
  '/batch',
  '/feedback',
  ...['/exports', '/summary', '/profiles'],
]
/** What the platform's account has, and a memory on this machine does not. */
const ABSENT = ['/exports/*', '/summary/*', '/profiles/*', '/entities/:type/:name/profile/*']

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
    if (!holder)
      return context.json(
        { detail: 'The request has no valid key of Loam. Send one of "loam keys create" as the api key.' },
        401,
      )
    context.set('holder', holder)
    await next()
    return undefined
  }
  for (const version of VERSIONS) {
    for (const path of PATHS.flatMap((one) => [one, `${one}/*`])) {
      app.use(`${version}${path}`, gate)
      app.on(['POST', 'PUT', 'DELETE'], `${version}${path}`, limitSize)
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
      if (!('messages' in body)) return pageOf(context, await callsOf(context).list(body))
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
      const results = await callsOf(context).list(context.req.query())
      return context.json(
        version === '/v1' && context.req.query('output_format') !== 'v1.1' ? results : { results },
      )
    })
    const answerRemoval = async (context: Mem0Context, query: Readonly<Record<string, string>>) => {
      const ids = (await callsOf(context).list(query)).map(({ id }) => id)
      if (ids.length > 0) await callsOf(context).remove(ids, writer(context))
      return context.json({
        message: `${String(ids.length)} memories are deleted, or wait for a person where another told them.`,
      })
    }
    on('DELETE', '/memories', async (context) => {
      const owner = ownerIn(context.req.query())
      // Everything at once is a person's to delete.
      if (owner === '')
        throw new LoamError('BAD_INPUT', 'The request names nobody whose memories go.', {
          suggestion: 'Send user_id, agent_id or run_id.',
        })
      return answerRemoval(context, context.req.query())
    })
    on('GET', '/memories/:id/history', async (context) =>
      context.json(await callsOf(context).history(idOf(context))),
    )
    on('GET', '/memories/:id', async (context) => {
      return context.json(await callsOf(context).get(idOf(context)))
    })
    on('PUT', '/memories/:id', async (context) => {
      const body = await bodyOf(context, mem0UpdateSchema)
      return context.json(await callsOf(context).update(idOf(context), body, writer(context)))
    })
    on('DELETE', '/memories/:id', async (context) => {
      const { state } = await callsOf(context).remove([idOf(context)], writer(context))
      return context.json({
        message: state === 'held' ? 'A person decides about it.' : 'Memory deleted successfully!',
      })
    })
    on('GET', '/entities', async (context) => pageOf(context, await callsOf(context).owners()))
    on('DELETE', '/entities/:type/:name', (context) =>
      answerRemoval(context, { user_id: context.req.param('name') ?? '' }),
    )
    on('PUT', '/batch', async (context) => {
      const { memories } = await bodyOf(context, mem0BatchUpdateSchema)
      const calls = callsOf(context)
      for (const { memory_id, text } of memories) await calls.update(memory_id, { text }, writer(context))
      return context.json({ message: `Successfully updated ${String(memories.length)} memories` })
    })
    on('DELETE', '/batch', async (context) => {
      const { memories } = await bodyOf(context, mem0BatchDeleteSchema)
      await callsOf(context).remove(
        memories.map(({ memory_id }) => memory_id),
        writer(context),
      )
      return context.json({ message: `Successfully deleted ${String(memories.length)} memories` })
    })
    on('POST', '/feedback', async (context) => {
      const body = await bodyOf(context, mem0FeedbackSchema)
      await callsOf(context).judge(body, writer(context))
      return context.json({ id: body.memory_id, feedback: body.feedback })
    })
    for (const path of ABSENT)
      app.all(`${version}${path}`, (context) =>
        context.json(
          { detail: `Loam has no ${path.split('/').findLast((part) => /^[a-z]/.test(part)) ?? ''}.` },
          501,
        ),
      )
  }
  app.all('/api/v1/*', gate, (context) =>
    context.json({ detail: "Loam has no webhooks, organizations and projects of mem0's platform." }, 501),
  )
  app.onError(answerError)
  return app as unknown as Hono
}

function answerError(error: Error): Response {
  if (error instanceof z.ZodError) {
    const [issue] = error.issues
    const detail = [issue?.path.join('.') ?? '', issue?.message ?? '']
      .filter((part) => part !== '')
      .join(': ')
    return Response.json({ detail }, { status: 400 })
  }
  const { code, cause, suggestion } = toErrorShape(error)
  return Response.json({ detail: `${cause} ${suggestion}` }, { status: statusOf(code) })
}

/** Few requests to delete have a body, and one that has none cannot be measured. */
const limitSize: MiddlewareHandler = async (context, next) =>
  ['content-length', 'transfer-encoding'].some((name) => context.req.header(name) !== undefined)
    ? limitBody(MAX_BODY)(context, next)
    : next()

/** A list as the platform answers: all of it, or the page that is asked for. */
function pageOf(context: Mem0Context, all: readonly object[]): Response {
  const { page, page_size: size } = context.req.query()
  if (page === undefined && size === undefined)
    return context.json({ count: all.length, next: null, previous: null, results: all })
  const { number, length } = pageSchema.parse({ number: page, length: size })
  const addressOf = (wish: number): string | null => {
    if (wish < 1 || (wish - 1) * length >= all.length) return null
    const url = new URL(context.req.url)
    url.searchParams.set('page', String(wish))
    return url.href
  }
  return context.json({
    ...{ count: all.length, next: addressOf(number + 1), previous: addressOf(number - 1) },
    results: all.slice((number - 1) * length, number * length),
  })
}
const pageSchema = z.object({
  number: z.coerce.number().int().min(1).default(1),
  length: z.coerce.number().int().min(1).max(1000).default(100),
})

const bodyOf = async <T>(context: Mem0Context, schema: z.ZodType<T>): Promise<T> =>
  schema.parse(await readJsonBody(await context.req.text()))
const idOf = (context: Mem0Context): string => context.req.param('id') ?? ''
