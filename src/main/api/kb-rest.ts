import { Hono, type Context } from 'hono'
import { z } from 'zod'
import { TOP_K } from '../../core/memory/experiences/retrieve'
import { ALPHA } from '../../core/retrieval/fuse'
import { templateSchema } from '../../core/memory/experiences/template'
import type { ExperienceHit } from '../../core/ground/ports'
import { guidanceText, retrievalModeSchema, type StoredExperience } from '../../shared/domain/experience'
import type { Scope } from '../../shared/contract/procedure'
import { LoamError } from '../../shared/errors'
import type { ExperienceBase } from '../kb/experience-base'
import { limitBody, type Caller, type RestGuard } from './rest-guard'

export interface KbRestDeps {
  readonly kb: Pick<ExperienceBase, 'search' | 'submit' | 'report'>
  readonly guard: RestGuard
  /** The memory of a caller's requests that name none. */
  readonly defaultMemory: (caller: Caller) => string
  /** Whether a caller's key is for a memory. */
  readonly opens: (caller: Caller, memoryId: string) => boolean
  /** The one memory that is served; requests that name another are refused. Default: all of the data folder. */
  readonly only?: string
}

/** Largest body, in bytes: a search, and an experience that is handed in. */
const MAX_SEARCH = 64 * 1024
const MAX_SUBMIT = 1024 * 1024

/** By id alone: a path would open any folder of this machine. */
const memoryId = z.string().regex(/^[a-z0-9][a-z0-9_-]{0,79}$/i, 'must be the id of a memory')

/** As the released client sends it: `weights` are those of words and meaning, their share is alpha. */
const searchBody = z.object({
  query: z.string().trim().min(1).max(20_000),
  top_k: z.number().int().min(1).max(100).default(TOP_K),
  weights: z
    .object({ text: z.number().min(0), semantic: z.number().min(0) })
    .partial()
    .nullish(),
  domains: z.array(z.string()).optional(),
  tools: z.array(z.string()).optional(),
  /** Memory to search; Loam 0.1 called it `space`. */
  memory: memoryId.optional(),
  space: memoryId.optional(),
})

/** An entry of a data file, bare or as `content`. */
const submitBody = z.object({
  content: templateSchema,
  memory: memoryId.optional(),
  space: memoryId.optional(),
  /** Which framework made it. Default: the token's name. */
  framework: z.string().min(1).max(60).optional(),
  domain: z.string().min(1).max(60).default('general'),
})

/** How an attempt went that an entry was used for. */
const feedbackBody = z.object({
  workflow_id: z.string().min(1).max(200),
  /** r in [0, 1]: 1 when the attempt was right. */
  reward: z.number().min(0).max(1),
  /** Names the attempt, so that a report that is sent twice counts once. */
  attempt: z.string().min(1).max(200),
  memory: memoryId.optional(),
  space: memoryId.optional(),
  /** Which framework used it. Default: the token's name. */
  framework: z.string().min(1).max(60).optional(),
})

interface NamedMemory {
  readonly memory?: string | undefined
  readonly space?: string | undefined
}

/**
 * Agent KB's protocol for other programs on this machine: `POST /search/{text,semantic,hybrid}`, `POST /submit`,
 * `GET /performance`, and beyond it `POST /feedback`. Payloads are those of the released client; every request needs a bearer token (`loam tokens
 * create`). Host and Origin are checked by the server this is mounted in.
 */
export function kbRest(deps: KbRestDeps): Hono {
  const { guard } = deps
  const getResponse = (
    context: Context,
    scope: Scope,
    answer: (caller: Caller) => Promise<unknown>,
  ): Promise<Response> =>
    guard.hold(context, { scope }, async (token) =>
      Response.json(await answer(token), { headers: { 'cache-control': 'no-store' } }),
    )
  const memoryOf = (caller: Caller, { memory, space: formerly }: NamedMemory): string => {
    const name = memory ?? formerly
    if (name !== undefined && deps.only !== undefined && name !== deps.only)
      throw badInput('Another memory is served here.', 'Leave "memory" out.')
    const id = name ?? deps.defaultMemory(caller)
    if (deps.opens(caller, id)) return id
    throw new LoamError('FORBIDDEN', `The key "${caller.name}" is for another memory, or for a project.`, {
      suggestion: 'Leave "memory" out, or use a key of that memory.',
    })
  }
  const app = new Hono()

  app.post('/search/:mode', limitBody(MAX_SEARCH), (context) =>
    getResponse(context, 'read', async (caller) => {
      const mode = retrievalModeSchema.safeParse(context.req.param('mode'))
      if (!mode.success) throw badInput('There is no such search.', 'Use text, semantic or hybrid.')
      const body = await readBody(context, searchBody)
      const memory = memoryOf(caller, body)
      const { text = 0.5, semantic = 0.5 } = body.weights ?? {}
      const { hits } = await deps.kb.search(memory, {
        text: body.query,
        mode: mode.data,
        k: body.top_k,
        alpha: text + semantic > 0 ? text / (text + semantic) : ALPHA,
        ...(body.domains ? { domains: body.domains } : {}),
        ...(body.tools ? { tools: body.tools } : {}),
      })
      return hits.map(workflowOf)
    }),
  )
  app.post('/submit', limitBody(MAX_SUBMIT), (context) =>
    getResponse(context, 'write', async (token) => {
      const body = await readBody(context, submitBody)
      const memory = memoryOf(token, body)
      const about = { client: token.name, framework: body.framework ?? token.name, domain: body.domain }
      const { stored, isNew } = await deps.kb.submit(memory, body.content, about)
      return { added: isNew, workflow_id: stored.experience.id, memory }
    }),
  )
  app.post('/feedback', limitBody(MAX_SEARCH), (context) =>
    getResponse(context, 'write', async (token) => {
      const { workflow_id, reward, attempt, framework, ...body } = await readBody(context, feedbackBody)
      const memory = memoryOf(token, body)
      const { stored, counted } = await deps.kb.report(memory, {
        experienceId: workflow_id,
        useId: `${token.name}/${attempt}`,
        framework: framework ?? token.name,
        reward,
      })
      const { utility, uses } = stored.standing
      return { counted, workflow_id, utility, uses, memory }
    }),
  )
  app.get('/performance', (context) =>
    getResponse(context, 'read', () =>
      Promise.resolve({
        total_requests: guard.stats.requests,
        // Seconds, as the released service gives them.
        avg_response_time: guard.stats.requests === 0 ? 0 : guard.stats.totalMs / guard.stats.requests / 1000,
        // Nothing is cached: every answer is made from the memory as it is.
        cache_hit_rate: 0,
      }),
    ),
  )
  return app
}

const badInput = (cause: string, suggestion: string): LoamError =>
  new LoamError('BAD_INPUT', cause, { suggestion })

async function readBody<T>(context: Context, shape: z.ZodType<T>): Promise<T> {
  if (!/^application\/json\b/i.test(context.req.header('content-type') ?? ''))
    throw badInput('The body is not sent as JSON.', 'Send it with content-type application/json.')
  const input: unknown = await context.req.json().catch(() => undefined)
  const bare = typeof input === 'object' && input !== null && !('content' in input) && 'question' in input
  const body = shape.safeParse(bare ? { content: input } : input)
  if (body.success) return body.data
  const issue = body.error.issues[0]
  throw badInput(
    `The body is wrong at "${issue?.path.join('.') ?? ''}": ${issue?.message ?? ''}.`,
    'Check the values and try again.',
  )
}

/** A hit as the released service answers it, both flat (hybrid) and with `score` and `content` (text, semantic). */
function workflowOf(hit: ExperienceHit): Record<string, unknown> {
  const content = contentOf(hit)
  return {
    workflow_id: hit.experience.id,
    total_score: hit.score,
    score: hit.score,
    text_score: hit.textScore,
    semantic_score: hit.semanticScore,
    kb_source: hit.experience.meta.framework,
    is_success: hit.experience.meta.outcome === 'unknown' ? null : hit.experience.meta.outcome === 'success',
    created_at: hit.experience.createdAt,
    ...content,
    content,
  }
}

const contentOf = ({ experience }: StoredExperience) => ({
  query: experience.question,
  plan: experience.agentPlan,
  search_plan: experience.searchAgentPlan,
  agent_experience: guidanceText(experience.agentExperience),
  search_agent_experience: guidanceText(experience.searchAgentExperience),
})
