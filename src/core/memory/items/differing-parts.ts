import { canonicalJson } from '../../ground/canonical-json'
import { isRecord } from '../../ground/record'

/** A part of two items that are compared, as text; empty where one has none. */
export interface DifferingPart {
  /** Names from the outside in, with dots. */
  readonly part: string
  readonly mine: string
  readonly theirs: string
}

/** Parts that are told, and characters of each. */
const MOST_PARTS = 20
const LONGEST_PART = 2_000
const DEEPEST = 6

/** Where two lines of one kind read differently, part by part. */
export function differingParts(mine: unknown, theirs: unknown): DifferingPart[] {
  const parts: DifferingPart[] = []
  const compare = (a: unknown, b: unknown, part: string, depth: number): void => {
    if (parts.length >= MOST_PARTS || canonicalJson(a ?? null) === canonicalJson(b ?? null)) return
    if (isRecord(a) && isRecord(b) && depth < DEEPEST) {
      for (const name of new Set([...Object.keys(a), ...Object.keys(b)]))
        compare(a[name], b[name], part === '' ? name : `${part}.${name}`, depth + 1)
    } else parts.push({ part, mine: textOf(a), theirs: textOf(b) })
  }
  compare(mine, theirs, '', 0)
  return parts
}

const textOf = (value: unknown): string =>
  (typeof value === 'string' ? value : value === undefined ? '' : JSON.stringify(value)).slice(
    0,
    LONGEST_PART,
  )
