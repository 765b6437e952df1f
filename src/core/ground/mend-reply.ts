import { wholePart } from './cut-json'
import { isRecord } from './record'
import { LooseJson } from './replies/loose-json'
import { takeThoughts } from './replies/thoughts'

type Schema = Readonly<Record<string, unknown>>

const SENTENCES = /^[\s\S]*[.!?…](?=\s)/
const BULLET = /^\s*(?:[-*•]|\d{1,3}[.)])\s+/

/** The first JSON value of a reply, however it is wrapped and written, and whether it broke off; undefined where there is none. */
function looseValue(reply: string): { readonly value: unknown; readonly cut: boolean } | undefined {
  const { text } = takeThoughts(reply)
  const start = text.search(/[{[]/)
  if (start < 0) return undefined
  const foundLooseValue = new LooseJson(text).at(start)
  if (foundLooseValue) return { value: foundLooseValue.value, cut: false }
  const value = wholePart(text.slice(start).trim())
  return value === undefined ? undefined : { value, cut: true }
}

/** A name without what models change about it: `Error_Lesson`, `errorLesson`. */
const plainName = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, '')

/** The whole sentences at the beginning of a text that is longer than `most` characters; undefined where the first one is too long. */
const shortened = (text: string, most: number): string | undefined =>
  text.length <= most ? text : SENTENCES.exec(text.slice(0, most + 1))?.[0]

function fitText({ enum: choices, maxLength }: Schema, value: unknown): unknown {
  const text = Array.isArray(value)
    ? value.filter((one) => typeof one === 'string').join('\n')
    : typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
      ? String(value)
      : undefined
  if (text === undefined) return undefined
  if (Array.isArray(choices)) return choices.find((one) => plainName(String(one)) === plainName(text))
  return typeof maxLength === 'number' ? shortened(text, maxLength) : text
}

const isText = (schema: unknown): boolean => isRecord(schema) && schema['type'] === 'string'

function fitList({ items, maxItems }: Schema, value: unknown, cut: boolean): unknown {
  const lines = typeof value === 'string' && isText(items) ? value.split('\n') : null
  const all: unknown[] | null =
    lines?.map((line) => line.replace(BULLET, '')).filter((line) => line.trim() !== '') ??
    (Array.isArray(value) ? (value as unknown[]) : isRecord(value) ? [value] : null)
  const fits = all?.map((one) => fitValue(items, one, cut)).filter((one) => one !== undefined)
  // One entry that is of no use takes none of the others with it.
  if (!fits || (fits.length === 0 && all && all.length > 0)) return undefined
  return typeof maxItems === 'number' ? fits.slice(0, maxItems) : fits
}

function fitObject({ properties, required }: Schema, value: unknown, cut: boolean): unknown {
  const input = Array.isArray(value) && value.length === 1 ? (value as unknown[])[0] : value
  if (!isRecord(input) || !isRecord(properties)) return undefined
  const namedMap = new Map(Object.entries(input).map(([name, own]) => [plainName(name), own]))
  if (!Object.keys(properties).some((name) => namedMap.has(plainName(name)))) return undefined
  const fit: Record<string, unknown> = {}
  for (const [name, schema] of Object.entries(properties)) {
    const own = namedMap.get(plainName(name))
    const isLeftOut = own === undefined || own === null
    const read = isLeftOut ? emptyOf(schema, cut) : fitValue(schema, own, cut)
    if (read !== undefined) fit[name] = read
    else if (!isLeftOut || (Array.isArray(required) && required.includes(name))) return undefined
  }
  return fit
}

/** What a reply did not come to before it was cut: nothing. A choice is not made for it. */
function emptyOf(schema: unknown, cut: boolean): unknown {
  if (!cut || !isRecord(schema) || 'enum' in schema) return undefined
  return schema['type'] === 'array' ? [] : schema['type'] === 'string' ? '' : undefined
}

/** A value brought to a schema as far as that takes no guess: other spellings of names, lists and texts for each other, texts cut to their limits. */
function fitValue(schema: unknown, value: unknown, cut: boolean): unknown {
  if (!isRecord(schema)) return value
  if (isRecord(schema['properties'])) return fitObject(schema, value, cut)
  if (schema['type'] === 'array') return fitList(schema, value, cut)
  if (schema['type'] === 'string' || Array.isArray(schema['enum'])) return fitText(schema, value)
  if (schema['type'] === 'integer' || schema['type'] === 'number') {
    const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
    return typeof number === 'number' && Number.isFinite(number) ? number : undefined
  }
  return value
}

/**
 * What a reply that is slightly off its form says, in that form: behind a thought or in a fence, in single quotes, with other spellings of names, a
 * list written as a text, more than was asked for, or cut at its end. Undefined where that is not enough. Nothing is made up: only what a reply did not come
 * to before it was cut is empty.
 */
export function mendReply(reply: string, schema: Schema): unknown {
  const match = looseValue(reply)
  return match && fitValue(schema, match.value, match.cut)
}
