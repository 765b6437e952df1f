/** Most characters of one page. */
export const PAGE_LIMIT = 40_000
/** Characters of a page when nothing else is asked for. */
export const PAGE_DEFAULT = 12_000

/** Part of a text, with words on where it lies and how to go on. */
export function page(text: string, offset: number, limit: number): string {
  if (text === '') return '(empty)'
  if (offset >= text.length) return `(the text ends at character ${text.length})`
  const part = text.slice(offset, offset + limit)
  const end = offset + part.length
  if (offset === 0 && end === text.length) return part
  const next = end < text.length ? `; go on with offset ${end}` : ''
  return `${part}\n\n[characters ${offset} to ${end} of ${text.length}${next}]`
}
