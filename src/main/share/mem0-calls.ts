import { createHash } from 'node:crypto'
import { z } from 'zod'
import { rememberedIn } from '../../core/memory/facts/statement'
import { FACT_KIND, factNotesSchema } from '../../core/memory/facts/fact'
import { daySchema } from '../../core/memory/items/last-day'
import { LoamError } from '../../shared/errors'
import type { FactChange, HeldFact } from './agent-facts'
import type { AgentMemory } from './agent-memory'
import { filterOf, ownerIn } from './mem0-filters'

const owner = z.string().max(200).nullish()
const ownerShape = { user_id: owner, agent_id: owner, app_id: owner, run_id: owner }
/** Longest text that is kept as one memory. */
const LONGEST = 2000

const messageSchema = z.looseObject({ role: z.string(), content: z.unknown().optional() })
/** What is added: a dialog, or a text. */
export const mem0AddSchema = z.looseObject({
  messages: z.union([z.string(), z.array(messageSchema).max(500)]),
  infer: z.boolean().nullish(),
  metadata: factNotesSchema.nullish(),
  expiration_date: daySchema.nullish(),
  ...ownerShape,
})
export const mem0SearchSchema = z.looseObject({
  query: z.string().min(1).max(20_000),
  limit: z.number().int().min(1).max(100).nullish(),
  top_k: z.number().int().min(1).max(100).nullish(),
  threshold: z.number().nullish(),
  filters: z.unknown().optional(),
  ...ownerShape,
})
export const mem0ListSchema = z.looseObject({ filters: z.unknown().optional(), ...ownerShape })
export const mem0UpdateSchema = z
  .looseObject({
    text: z.string().trim().min(1).max(LONGEST).optional(),
    data: z.string().max(LONGEST).optional(),
    metadata: factNotesSchema.nullish(),
    expiration_date: daySchema.nullish(),
  })
  .refine(
    ({ text, data, metadata, expiration_date: until }) =>
      (text ?? data ?? '') !== '' || metadata !== undefined || until !== undefined,
    { message: 'text is missing, and metadata and expiration_date are too' },
  )
const memoryId = z.string().min(1).max(200)
/** Most memories of one batch, as mem0 has it. */
const BATCH = 1000
export const mem0BatchUpdateSchema = z.looseObject({
  memories: z
    .array(z.looseObject({ memory_id: memoryId, text: z.string().trim().min(1).max(LONGEST) }))
    .max(BATCH),
})
export const mem0BatchDeleteSchema = z.looseObject({
  memories: z.array(z.looseObject({ memory_id: memoryId })).max(BATCH),
})
export const mem0FeedbackSchema = z.looseObject({
  memory_id: memoryId,
  feedback: z.enum(['POSITIVE', 'NEGATIVE', 'VERY_NEGATIVE']),
})

/** Texts that a request adds. Nothing is drawn out of them: each message of the user is one, but for questions; without `infer` those of all roles. */
export function textsToAdd({ messages, infer }: z.infer<typeof mem0AddSchema>): string[] {
  const list = typeof messages === 'string' ? [{ role: 'user', content: messages }] : messages
  return list.flatMap(({ role, content }): string[] => {
    const text = textOf(content).trim()
    if (text === '' || role === 'system') return []
    if (infer === false) return [text]
    if (role !== 'user') return []
    return rememberedIn(text) ?? (text.endsWith('?') ? [] : [text])
  })
}

/** What is said in the content of a message: a text, or its parts that are text. */
function textOf(content: unknown): string {
  if (typeof content === 'string') return content
  const parts: unknown[] = Array.isArray(content) ? content : [content]
  return parts
    .flatMap((part) => (typeof part === 'object' && part !== null && 'text' in part ? [part.text] : []))
    .filter((text) => typeof text === 'string')
    .join('\n')
}

/** What is said beside the text of a memory; what is left out stays as it was. */
const besideText = ({
  metadata,
  expiration_date: until,
}: Pick<z.infer<typeof mem0UpdateSchema>, 'metadata' | 'expiration_date'>): FactChange => ({
  ...(metadata !== undefined && { notes: metadata }),
  ...(until !== undefined && { until }),
})

/** A statement without the owner that stands before it. */
const plainText = (statement: string, about: string): string =>
  about !== '' && statement.startsWith(`${about}: `) ? statement.slice(about.length + 2) : statement

/** Whose a memory is, from when to when, and the id it was first told by: mem0's ids outlive every update. */
const spanOf = ({ fact, earlier }: HeldFact) => {
  const { id, at } = earlier.at(-1) ?? fact
  return { id, user_id: fact.about || null, created_at: at, updated_at: fact.at, metadata: fact.notes }
}

/** A memory as mem0's clients read it. */
export function mem0Memory(fact: HeldFact) {
  const { statement, about, by, until } = fact.fact
  const memory = plainText(statement, about)
  return {
    ...spanOf(fact),
    memory,
    hash: createHash('md5').update(memory).digest('hex'),
    actor_id: by,
    expiration_date: until,
    categories: [] as string[],
  }
}

/** mem0's calls on a memory of Loam: its memories are facts about their owner. */
export function mem0Calls(memory: AgentMemory) {
  /** The fact that a client means: by the id of one that holds, or of one whose place it took. */
  const heldAs = async (ids: readonly string[]): Promise<HeldFact[]> => {
    const byId = new Map<string, HeldFact>()
    for (const one of await memory.factsWithEarlier())
      for (const { id } of [one.fact, ...one.earlier]) byId.set(id, one)
    return ids.map((id) => {
      const match = byId.get(id)
      if (match) return match
      throw new LoamError('NOT_FOUND', `There is no memory ${id.slice(0, 80)}.`, {
        suggestion: 'List or search memories to see their ids.',
      })
    })
  }
  const oneHeldAs = async (id: string): Promise<HeldFact> => {
    const [match] = await heldAs([id])
    if (match) return match
    throw new Error('The ids that are looked up come back.')
  }
  const matching = async (body: Readonly<Record<string, unknown>>): Promise<HeldFact[]> => {
    const passes = filterOf(body)
    return (await memory.factsWithEarlier()).filter((one) => passes(spanOf(one)))
  }
  return {
    /** @throws LoamError `BAD_INPUT` for filters that are not known */
    list: async (body: Readonly<Record<string, unknown>>) => (await matching(body)).map(mem0Memory),
    /** @throws LoamError `UNAUTHORIZED` where nothing may be written */
    async add(body: z.infer<typeof mem0AddSchema>, client: string) {
      const owner = ownerIn(body)
      const results: object[] = []
      for (const text of textsToAdd(body)) {
        if (text.length > LONGEST) {
          const reason = `It has ${text.length} characters; a memory holds ${LONGEST}.`
          results.push({ id: null, memory: `${text.slice(0, 80)}...`, event: 'NONE', reason })
          continue
        }
        const telling = { statement: text, about: owner === '' ? null : owner, ...besideText(body) }
        const { factId, adds, replaced, state } = await memory.remember(telling, client)
        // What waits for a person is no memory yet.
        if (state === 'held') continue
        const event = adds.length === 0 ? 'NONE' : replaced.length > 0 ? 'UPDATE' : 'ADD'
        const { id } = event === 'ADD' ? { id: factId } : spanOf(await oneHeldAs(factId))
        results.push({ id, memory: text, data: { memory: text }, event })
      }
      return results
    },
    /** Best first; the score is the likeness in meaning, from 0 to 1. @throws LoamError `BAD_INPUT` */
    async search(body: z.infer<typeof mem0SearchSchema>, signal: AbortSignal) {
      const byFact = new Map((await matching(body)).map((one) => [one.fact.id, one]))
      const limit = body.top_k ?? body.limit ?? 10
      const among = [...byFact.values()].map(({ fact }) => fact)
      const ranked = await memory.rankFacts(body.query, among, limit, signal)
      return ranked.flatMap(({ fact, likeness }) => {
        const one = byFact.get(fact.id)
        return one && likeness >= (body.threshold ?? 0) ? [{ ...mem0Memory(one), score: likeness }] : []
      })
    },
    /** @throws LoamError `NOT_FOUND` */
    get: async (id: string) => mem0Memory(await oneHeldAs(id)),
    /** @throws LoamError `NOT_FOUND`, `UNAUTHORIZED` */
    async update(id: string, body: z.infer<typeof mem0UpdateSchema>, client: string) {
      const { fact } = await oneHeldAs(id)
      const statement = body.text ?? body.data ?? ''
      const text = statement === '' ? plainText(fact.statement, fact.about) : statement
      await memory.change(fact.id, text, client, besideText(body))
      return { id, memory: text, data: { memory: text }, event: 'UPDATE' }
    },
    /** @throws LoamError `NOT_FOUND`, `UNAUTHORIZED` */
    async remove(ids: readonly string[], client: string) {
      const matches = await heldAs(ids)
      return memory.forget(
        matches.map(({ fact }) => fact.id),
        client,
      )
    },
    /** @throws LoamError `NOT_FOUND` */
    async history(id: string) {
      const { fact } = await oneHeldAs(id)
      const versions = await memory.factHistory(fact.id)
      const texts = versions.map(({ title }) => plainText(title, fact.about))
      return versions.map(({ ref, at }, i) => ({
        ...{ id: `${ref.id}-${String(i)}`, memory_id: id },
        old_memory: texts[i - 1] ?? null,
        new_memory: texts[i],
        event: i === 0 ? 'ADD' : 'UPDATE',
        ...{ created_at: at, updated_at: at },
      }))
    },
    /** Whom memories are of, with how many each has. */
    async owners() {
      const byName = new Map<string, ReturnType<typeof spanOf>[]>()
      for (const one of (await memory.factsWithEarlier()).map(spanOf))
        if (one.user_id !== null) byName.set(one.user_id, [...(byName.get(one.user_id) ?? []), one])
      return [...byName].map(([name, own]) => ({
        ...{ id: name, name, type: 'user', total_memories: own.length },
        created_at: own.map(({ created_at }) => created_at).sort()[0],
        updated_at: own
          .map(({ updated_at }) => updated_at)
          .sort()
          .at(-1),
      }))
    },
    /** What helped, or did not. @throws LoamError `NOT_FOUND`, `UNAUTHORIZED` */
    async judge({ memory_id, feedback }: z.infer<typeof mem0FeedbackSchema>, client: string) {
      const { fact } = await oneHeldAs(memory_id)
      const helped = feedback === 'POSITIVE'
      const items = [{ kind: FACT_KIND, id: fact.id }]
      await memory.report({ items, helped, useId: `mem0-${fact.id}-${feedback}` }, client)
    },
  }
}
