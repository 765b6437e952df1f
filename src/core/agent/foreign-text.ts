import { isForeign, originWords, type Trust } from '../../shared/domain/trust'
import type { Method, MethodContext, PromptParts, RecalledPart, RecallInput } from '../ground/method'
import { quoted } from '../ground/quote'
import type { ToolBox } from '../ground/tools'
import { kindOf } from '../memory'
import type { MemorySource } from '../memory/items/kind'
import { trustOf } from '../memory/items/trust'
import { BELIEF_KIND } from '../memory/beliefs/belief'
import { NO_SOFT_PROMPTS } from '../recall/candidates'

/** What a method recalls, each item with the trust in it, and what was written outside quoted as data with its origin. Every prompt is made of this. */
export async function recallFor(
  method: Pick<Method, 'recall'>,
  input: RecallInput,
  context: MethodContext,
): Promise<PromptParts> {
  return withOrigins(await method.recall(input, context), context)
}

/** Parts with the trust in each, quoted where they were written outside. */
export async function withOrigins(
  parts: PromptParts,
  { bank }: Pick<MethodContext, 'bank'>,
): Promise<PromptParts> {
  const { documents = [], errorLessons, successLessons, retrieved } = parts
  const isNothing = [documents, errorLessons, successLessons, retrieved].every(({ length }) => length === 0)
  if (isNothing || !bank.memorySource) return parts
  const { memorySource } = bank
  const source: MemorySource = { ...memorySource, softPrompts: NO_SOFT_PROMPTS }
  const marked = (list: readonly RecalledPart[]): Promise<RecalledPart[]> =>
    Promise.all(list.map((part) => withOrigin(part, source)))
  return {
    ...parts,
    ...(parts.documents && { documents: await marked(parts.documents) }),
    errorLessons: await marked(parts.errorLessons),
    successLessons: await marked(parts.successLessons),
    retrieved: await marked(parts.retrieved),
  }
}

async function withOrigin(part: RecalledPart, source: MemorySource): Promise<RecalledPart> {
  const trust = await trustOfPart(part, source)
  if (trust === null) return part
  const text = isForeign(trust) ? quoted(part.text, originWords(trust)) : part.text
  return { text, item: { ...part.item, trust } }
}

/** Trust in what nobody knows the origin of. */
const UNKNOWN: Trust = {
  ...{ origin: 'unknown', by: null, signer: null, claim: null, seen: false },
  ...{ read: [], derivedFrom: [], carried: null },
}

/** The trust in what was recalled: of an item as it is kept, of an attempt as it is known. */
async function trustOfPart({ item }: RecalledPart, source: MemorySource): Promise<Trust | null> {
  const kind = kindOf(item.kind)
  // What is recalled of a document is a version of it.
  const version = kind && source.state.concepts.versions.get(item.id)
  if (kind) {
    const trust = await trustOf(kind, source, version?.conceptId ?? item.id)
    return trust ?? (item.kind === BELIEF_KIND ? UNKNOWN : null)
  }
  const attempt = item.trajectoryId === null ? undefined : source.state.trajectories.get(item.trajectoryId)
  if (!attempt) return null
  return {
    ...{ origin: 'attempt', by: null, signer: null, claim: attempt.claim, seen: false },
    ...{ read: [...attempt.read], derivedFrom: [attempt.id], carried: null },
  }
}

/** Where the text is from that was written outside and that parts hold. */
export const foreignIn = (parts: PromptParts): string[] =>
  [...(parts.documents ?? []), ...parts.errorLessons, ...parts.successLessons, ...parts.retrieved].flatMap(
    ({ item: { trust } }) => (trust && isForeign(trust) ? [originWords(trust)] : []),
  )

/** Tools that are told what text of others was read by the time they are called. */
export interface WatchedTools extends ToolBox {
  /** Where the text is from that nobody checked and that was recalled or read so far, each once. */
  read(): string[]
}

/** The tools of one attempt. `first`: what was read before any call. */
export function watchedTools(tools: ToolBox, first: readonly string[]): WatchedTools {
  const origins = new Set(first)
  return {
    list: () => tools.list(),
    read: () => [...origins],
    async call(name, args, options = {}) {
      const result = await tools.call(name, args, { ...options, read: [...origins] })
      if (result.text.trim() !== '') origins.add(`the answer of ${name}`)
      return result
    },
  }
}
