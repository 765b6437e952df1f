/** A member of an object in a text of JSON with comments; positions are offsets into the text. */
interface Member {
  readonly key: string
  readonly from: number
  readonly value: Value
}

interface Value {
  readonly from: number
  /** Behind its last character. */
  readonly to: number
  /** Of an object; null for any other value. */
  readonly members: readonly Member[] | null
  /** Of a list; null for any other value. */
  readonly items: readonly Value[] | null
}

/** Levels of objects and lists that are read. */
const DEEPEST = 200

/** Thrown for a text that is no JSON with comments. */
export class NotJsonc extends Error {}

/** Reads where things stand in JSON with comments and commas behind the last member. */
class Reader {
  private at = 0
  constructor(private readonly text: string) {}

  whole(): Value {
    const value = this.value(0)
    this.space()
    if (this.at < this.text.length) throw new NotJsonc(`something follows at ${this.at}`)
    return value
  }

  private space(): void {
    for (;;) {
      while (/\s|\uFEFF/.test(this.text.charAt(this.at)) && this.at < this.text.length) this.at++
      if (this.text.startsWith('//', this.at)) {
        const end = this.text.indexOf('\n', this.at)
        this.at = end < 0 ? this.text.length : end
      } else if (this.text.startsWith('/*', this.at)) {
        const end = this.text.indexOf('*/', this.at + 2)
        if (end < 0) throw new NotJsonc('a comment does not end')
        this.at = end + 2
      } else return
    }
  }

  private string(): string {
    const from = this.at++
    while (this.at < this.text.length && this.text[this.at] !== '"')
      this.at += this.text[this.at] === '\\' ? 2 : 1
    if (this.at >= this.text.length) throw new NotJsonc('a string does not end')
    this.at++
    return JSON.parse(this.text.slice(from, this.at)) as string
  }

  private value(depth: number): Value {
    if (depth > DEEPEST) throw new NotJsonc('it nests too deep')
    this.space()
    const from = this.at
    const first = this.text[this.at]
    if (first === '{') return { from, members: this.members(depth), items: null, to: this.at }
    if (first === '[') return { from, members: null, items: this.list(depth), to: this.at }
    if (first === '"') this.string()
    else {
      while (/[\w.+-]/.test(this.text.charAt(this.at))) this.at++
      if (this.at === from) throw new NotJsonc(`no value stands at ${from}`)
    }
    return { from, to: this.at, members: null, items: null }
  }

  private members(depth: number): Member[] {
    const members: Member[] = []
    this.at++
    for (;;) {
      this.space()
      if (this.text[this.at] === '}') break
      const from = this.at
      if (this.text[this.at] !== '"') throw new NotJsonc(`no name stands at ${from}`)
      const key = this.string()
      this.space()
      if (this.text[this.at] !== ':') throw new NotJsonc(`no colon stands at ${this.at}`)
      this.at++
      members.push({ key, from, value: this.value(depth + 1) })
      this.space()
      if (this.text[this.at] === ',') this.at++
      else if (this.text[this.at] !== '}') throw new NotJsonc(`no comma stands at ${this.at}`)
    }
    this.at++
    return members
  }

  private list(depth: number): Value[] {
    const items: Value[] = []
    this.at++
    for (;;) {
      this.space()
      if (this.text[this.at] === ']') break
      items.push(this.value(depth + 1))
      this.space()
      if (this.text[this.at] === ',') this.at++
      else if (this.text[this.at] !== ']') throw new NotJsonc(`no comma stands at ${this.at}`)
    }
    this.at++
    return items
  }
}

/** A text with one piece put in. */
export interface Insertion {
  readonly text: string
  readonly piece: string
  readonly at: number
}

/** Whether a text has a member at a path of names. @throws NotJsonc */
export const hasMember = (text: string, path: readonly string[]): boolean => {
  let value: Value | undefined = new Reader(text).whole()
  for (const name of path) value = value?.members?.find(({ key }) => key === name)?.value
  return value !== undefined
}

/**
 * Puts a value into a text of JSON with comments at a path of names; objects on the way are made, everything else stays as it is, to the byte.
 * @throws NotJsonc for a text that is none, or with something else than an object on the way
 */
export function insertMember(text: string, path: readonly string[], value: unknown): Insertion {
  let holder = new Reader(text).whole()
  let depth = 0
  for (; depth < path.length - 1; depth++) {
    if (holder.members === null) throw new NotJsonc(`"${path.slice(0, depth).join('.')}" is no object`)
    const next = holder.members.find(({ key }) => key === path[depth])?.value
    if (!next) break
    holder = next
  }
  if (holder.members === null) throw new NotJsonc(`"${path.slice(0, depth).join('.')}" is no object`)
  const inner = path.slice(depth + 1).reduceRight<unknown>((one, name) => ({ [name]: one }), value)
  const entries = holder.members.map(({ from, value: { to } }) => ({ from, to }))
  return putLast(
    text,
    { holder, entries },
    (unit) => `${JSON.stringify(path[depth])}: ${JSON.stringify(inner, null, unit)}`,
  )
}

/**
 * Puts a value behind the last one of the list at a path of names; the list and objects on the way are made where they are missing.
 * @throws NotJsonc as `insertMember`, and where something else than a list stands there
 */
export function insertItem(text: string, path: readonly string[], value: unknown): Insertion {
  if (!hasMember(text, path)) return insertMember(text, path, [value])
  let holder = new Reader(text).whole()
  for (const name of path) holder = holder.members?.find(({ key }) => key === name)?.value ?? holder
  if (holder.items === null) throw new NotJsonc(`"${path.join('.')}" is no list`)
  return putLast(text, { holder, entries: holder.items }, (unit) => JSON.stringify(value, null, unit))
}

/** Puts an entry behind the last one of an object or a list, in the form of those that stand there. */
function putLast(
  text: string,
  {
    holder,
    entries,
  }: { readonly holder: Value; readonly entries: readonly { readonly from: number; readonly to: number }[] },
  bodyOf: (unit: string) => string,
): Insertion {
  const newline = text.includes('\r\n') ? '\r\n' : '\n'
  const unit = indentUnit(text)
  const [first] = entries
  const own = first ? indentAt(text, first.from) : `${indentAt(text, holder.from)}${unit}`
  const body = bodyOf(unit).split('\n').join(`${newline}${own}`)
  const last = entries.at(-1)
  const isInLine = first !== undefined && !text.slice(holder.from, first.from).includes('\n')
  const gap = isInLine ? ' ' : `${newline}${own}`
  if (!last) {
    const rest = text.slice(holder.from + 1, holder.to - 1)
    const end = rest.includes('\n') ? '' : `${newline}${indentAt(text, holder.from)}`
    return putIn(text, holder.from + 1, `${newline}${own}${body}${end}`)
  }
  const comma = commaBehind(text, last.to, holder.to)
  return comma === null ? putIn(text, last.to, `,${gap}${body}`) : putIn(text, comma, `${gap}${body},`)
}

const putIn = (text: string, at: number, piece: string): Insertion => ({
  text: text.slice(0, at) + piece + text.slice(at),
  piece,
  at,
})

/** The place behind a comma that follows a last member; null where none does. */
function commaBehind(text: string, from: number, to: number): number | null {
  let at = from
  while (at < to - 1) {
    if (text.startsWith('//', at)) at = Math.max(text.indexOf('\n', at), at + 2)
    else if (text.startsWith('/*', at)) at = text.indexOf('*/', at + 2) + 2
    else if (text[at] === ',') return at + 1
    else at++
  }
  return null
}

/** The blanks that the line of a place begins with. */
function indentAt(text: string, at: number): string {
  const line = text.slice(text.lastIndexOf('\n', at - 1) + 1, at)
  return /^[ \t]*/.exec(line)?.[0] ?? ''
}

/** What a level is indented by in a text. Default two blanks. */
const indentUnit = (text: string): string => /\n([ \t]+)"/.exec(text)?.[1] ?? '  '
