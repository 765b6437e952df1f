import type { Json } from '../dialects/dialect'

/** A request in another protocol, and what it could not say there. */
export interface TranslatedRequest {
  readonly body: Record<string, unknown>
  readonly lost: readonly string[]
}

/** Notes what cannot be said, each once. */
export class Losses {
  readonly #names = new Set<string>()
  add(name: string): void {
    this.#names.add(name)
  }
  /** Every field of a body that a translation passes over, where it says something. */
  others(body: Json, fields: ReadonlySet<string>): void {
    for (const [name, value] of Object.entries(body)) {
      const isEmpty = value === null || value === undefined || (Array.isArray(value) && value.length === 0)
      if (!fields.has(name) && !isEmpty) this.add(name)
    }
  }
  list(): string[] {
    return [...this.#names]
  }
}

/** Fields that say something. */
export const only = (entries: Json): Record<string, unknown> =>
  Object.fromEntries(Object.entries(entries).filter(([, value]) => value !== undefined && value !== null))

/** Content as plainly as it can be said: one text alone as a string. */
export const plainContent = (parts: readonly object[]): unknown => {
  const [first] = parts
  return parts.length === 1 && first && 'text' in first ? first.text : parts
}
