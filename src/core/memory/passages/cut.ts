/** A part of a text. */
export interface Cut {
  /** Lines, from 1, both included. */
  readonly from: number
  readonly to: number
  readonly headings: readonly string[]
  readonly text: string
}

/** Characters of a part at the most, and from how many on a new paragraph begins a new part. */
const MOST = 1600
const ENOUGH = 700

const HEADING = /^(#{1,6})\s+(\S.*)$/

/**
 * Cuts a text into parts that can be read on their own: at headings of Markdown, then between paragraphs, a long paragraph between lines,
 * a long line between words. What a part says does not depend on what stands before its heading or paragraph, so that a change in one place
 * leaves the parts of the others as they were.
 */
export function cutText(text: string): Cut[] {
  const cuts: Cut[] = []
  const headings: string[] = []
  let lines: string[] = []
  let from = 1
  const close = (to: number): void => {
    const whole = lines.join('\n').trimEnd()
    const blank = lines.findIndex((line) => line.trim() !== '')
    if (blank >= 0)
      cuts.push({
        from: from + blank,
        to,
        headings: headings.filter(Boolean),
        text: whole.slice(whole.search(/\S/)),
      })
    lines = []
  }
  let size = 0
  let fenced = false
  text.split(/\r?\n/).forEach((line, i) => {
    const at = i + 1
    const heading = fenced ? null : HEADING.exec(line)
    const paragraph = !fenced && line.trim() !== '' && lines.at(-1)?.trim() === ''
    if (heading || size + line.length > MOST || (paragraph && size >= ENOUGH)) {
      close(lastText(lines, from))
      from = at
      size = 0
    }
    if (/^\s*(?:```|~~~)/.test(line)) fenced = !fenced
    if (heading) {
      const level = (heading[1] ?? '#').length
      headings.length = Math.max(0, Math.min(headings.length, level - 1))
      while (headings.length < level - 1) headings.push('')
      headings.push((heading[2] ?? '').trim())
    }
    for (const piece of pieces(line)) {
      if (lines.length > 0 && size + piece.length > MOST) {
        close(at)
        from = at
        size = 0
      }
      lines.push(piece)
      size += piece.length + 1
    }
  })
  close(lastText(lines, from))
  return cuts
}

/** The last line, by number, that says something. */
function lastText(lines: readonly string[], from: number): number {
  let last = lines.length - 1
  while (last > 0 && lines[last]?.trim() === '') last--
  return from + Math.max(0, last)
}

/** A line in pieces of at most `MOST` characters, between words where there are some. */
function pieces(line: string): string[] {
  const matches: string[] = []
  let rest = line
  while (rest.length > MOST) {
    const memory = rest.lastIndexOf(' ', MOST)
    const end = memory > MOST / 2 ? memory : MOST
    matches.push(rest.slice(0, end))
    rest = rest.slice(end).trimStart()
  }
  return [...matches, rest]
}
