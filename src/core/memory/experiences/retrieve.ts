/** Experiences handed to refinement (the paper's top-k). */
export const TOP_K = 3
/** How many times k each search looks ahead, before reranking and deduplication. */
export const SEARCH_DEPTH = 10
/** Least rows each search looks ahead. */
export const LEAST_DEPTH = 50

/** Which experiences fit where they are to be used. Left out: everything fits. */
export interface Compatibility {
  /** Domains that fit; `general` always does. */
  readonly domains?: readonly string[]
  /** Tools at hand. An experience fits when it used none, or at least one of them or of the same kind. */
  readonly tools?: readonly string[]
}

/** Whether an experience can be used there. `kindOf` puts tools of different frameworks under one verb. */
export function isCompatible(
  experience: { readonly domain: string; readonly tools: readonly string[] },
  compatibility: Compatibility,
  kindOf: (tool: string) => string,
): boolean {
  const { domains, tools } = compatibility
  if (domains && experience.domain !== 'general' && !domains.includes(experience.domain)) return false
  if (!tools || experience.tools.length === 0) return true
  const kinds = new Set(tools.flatMap((tool) => [tool, kindOf(tool)]))
  kinds.delete('other')
  return experience.tools.some((tool) => kinds.has(tool) || kinds.has(kindOf(tool)))
}
