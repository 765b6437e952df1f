import { createHash } from 'node:crypto'
import { z } from 'zod'
import { rememberedIn } from '../../core/memory/facts/statement'
import { FACT_KIND } from '../../core/memory/facts/fact'
import type { KnownFact } from './agent-facts'
import type { AgentMemory } from './agent-memory'

/** Whom memories are of, as mem0 says it; the first that is named counts. */
const OWNERS = ['user_id', 'agent_id', 'app_id', 'run_id'] as const
const owner = z.string().max(200).nullish()
const ownerShape = { user_id: owner, agent_id: owner, app_id: owner, run_id: owner }
/** Longest text that is kept as one memory. */
const LONGEST = 2000

const messageSchema = z.looseObject({ role: z.string(), content: z.unknown().optional() })
/** What is added: a dialog, or a text. */
export const mem0AddSchema = z.looseObject({
  messages: z.union([z.string(), z.array(messageSchema).max(500)]),
  infer: z.boolean().nullish(),
  ...ownerShape,
})
export const mem0SearchSchema = z.looseObject({
  query: z.string().min(1).max(20_000),
  limit: z.number().int().min(1).max(100).nullish(),
  top_k: z.number().int().min(1).max(100).nullish(),
  filters: z.unknown().optional(),
  ...ownerShape,
})
export const mem0ListSchema = z.looseObject({ filters: z.unknown().optional(), ...ownerShape })
export const mem0UpdateSchema = z
  .looseObject({
    text: z.string().trim().min(1).max(LONGEST).optional(),
    data: z.string().max(LONGEST).optional(),
  })
  .refine(({ text, data }) => (text ?? data ?? '') !== '', { message: 'text is missing' })

/** Whom a request is about: in a field of its own, or anywhere in its filters; empty for everybody. */
export function ownerIn(body: Readonly<Record<string, unknown>>): string {
  for (const name of OWNERS) if (typeof body[name] === 'string' && body[name] !== '') return body[name]
  const { filters } = body
  if (typeof filters !== 'object' || filters === null) return ''
  for (const value of [filters, ...Object.values(filters as object).flat()] as unknown[]) {
    if (typeof value !== 'object' || value === null || value === body) continue
    const match = OWNERS.map((name) => (value as Record<string, unknown>)[name]).find(
      (one) => typeof one === 'string' && one !== '*',
    )
    if (typeof match === 'string') return match
  }
  return ''
}

/** Texts that a request adds. Nothing is drawn out of them: each message of the user is one, but for questions; without `infer` those of all roles. */
export function textsToAdd({ messages, infer }: z.infer<typeof mem0AddSchema>): string[] {
  const list = typeof messages === 'string' ? [{ role: 'user', content: messages }] : messages
  return list.flatMap(({ role, content }): string[] => {
    const text = (typeof content === 'string' ? content : '').trim().slice(0, LONGEST)
    if (text === '' || role === 'system') return []
    if (infer === false) return [text]
    if (role !== 'user') return []
    return rememberedIn(text) ?? (text.endsWith('?') ? [] : [text])
  })
}

/** A memory as mem0's clients read it. Its owner stands before the statement of a fact, and is no part of it here. */
export function mem0Memory({ id, statement, about, at, by, pinned }: KnownFact, owner: string) {
  const prefix = `${about}: `
  const memory = about !== '' && statement.startsWith(prefix) ? statement.slice(prefix.length) : statement
  return {
    ...{ id, memory, user_id: owner === '' ? about || null : owner },
    hash: createHash('md5').update(memory).digest('hex'),
    metadata: { by, pinned },
    categories: [] as string[],
    ...{ created_at: at, updated_at: at },
  }
}

/** mem0's calls on a memory of Loam: its memories are facts about their owner. */
export function mem0Calls(memory: AgentMemory) {
  const factCalled = async (id: string): Promise<KnownFact | undefined> =>
    (await memory.facts()).find((fact) => fact.id === id)
  const list = async (owner: string) => (await memory.facts(owner)).map((fact) => mem0Memory(fact, owner))
  return {
    list,
    /** @throws LoamError `UNAUTHORIZED` where nothing may be written */
    async add(body: z.infer<typeof mem0AddSchema>, client: string) {
      const owner = ownerIn(body)
      const results: object[] = []
      for (const text of textsToAdd(body)) {
        const { factId, adds, replaced, state } = await memory.remember(
          { statement: text, about: owner === '' ? null : owner },
          client,
        )
        const event = adds.length === 0 ? 'NONE' : replaced.length > 0 ? 'UPDATE' : 'ADD'
        // What waits for a person is no memory yet.
        if (state !== 'held') results.push({ id: factId, memory: text, data: { memory: text }, event })
      }
      return results
    },
    async search(body: z.infer<typeof mem0SearchSchema>, signal: AbortSignal) {
      const owner = ownerIn(body)
      const most = body.top_k ?? body.limit ?? 10
      // Those of other owners are left out afterwards.
      const limit = owner === '' ? most : Math.min(50, most * 5)
      const items = await memory.search({ text: body.query, limit, kinds: [FACT_KIND], signal })
      const facts = new Map((await memory.facts(owner)).map((fact) => [fact.id, fact]))
      return items
        .flatMap(({ id, score }) => {
          const fact = facts.get(id)
          return fact ? [{ ...mem0Memory(fact, owner), score }] : []
        })
        .slice(0, most)
    },
    /** Null where there is none. */
    async get(id: string) {
      const fact = await factCalled(id)
      return fact ? mem0Memory(fact, '') : null
    },
    /** @throws LoamError `NOT_FOUND`, `UNAUTHORIZED` */
    async update(id: string, text: string, client: string) {
      const { factId } = await memory.change(id, text, client)
      return { id: factId, memory: text, data: { memory: text }, event: 'UPDATE' }
    },
    /** @throws LoamError `NOT_FOUND`, `UNAUTHORIZED` */
    remove: (ids: readonly string[], client: string) => memory.forget(ids, client),
    /** @throws LoamError `NOT_FOUND` */
    async history(id: string) {
      const versions = await memory.factHistory(id)
      return versions.map(({ ref, at, title }, i) => ({
        ...{ id: `${ref.id}-${String(i)}`, memory_id: id },
        old_memory: versions[i - 1]?.title ?? null,
        new_memory: title,
        event: i === 0 ? 'ADD' : 'UPDATE',
        ...{ created_at: at, updated_at: at },
      }))
    },
  }
}
