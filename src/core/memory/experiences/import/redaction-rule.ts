/** What is taken out of texts, and how it is told. */
export interface RedactionRule {
  readonly kind: string
  readonly pattern: RegExp
  /** What is put in the place of a match, given its first group or '' (what stands before a value and stays). Null keeps it all. */
  readonly replace: (match: string, group: string) => string | null
  /** Only in lines that hold this word. */
  readonly beside?: string
}

export const getRemoval = (kind: string): string => `[${kind} removed]`

/** Keeps what stands before a value. */
export const instead =
  (kind: string) =>
  (_match: string, group: string): string =>
    group + getRemoval(kind)
