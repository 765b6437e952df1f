import { isRecord } from '../../core/ground/record'
import type { Rng } from '../../core/ground/random'
import assert from 'node:assert/strict'

/** A rule that every module of a seam keeps; what it throws says how it is broken. */
export interface Check {
  readonly name: string
  run(): void | Promise<void>
}

export const check = (name: string, run: Check['run']): Check => ({ name, run })

/** Words that a person reads: there, and not blank. */
export function saysSomething(words: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(words)) assert.notEqual(text.trim(), '', `"${name}" is empty`)
}

const WORDS = ['amber', 'birch', 'clay', 'dune', 'elm', 'fern']
const USUAL_LENGTH = 3

const bound = (value: unknown, otherwise: number): number => (typeof value === 'number' ? value : otherwise)

function drawText(schema: Readonly<Record<string, unknown>>, rng: Rng): string {
  if (schema['format'] === 'date-time') return new Date(rng.int(1_000_000) * 1000).toISOString()
  if (schema['format'] === 'date') return `${2100 + rng.int(900)}-01-31`
  if (schema['format'] === 'uri') return `http://127.0.0.1/${rng.pick(WORDS)}`
  const least = bound(schema['minLength'], 1)
  const most = bound(schema['maxLength'], Math.max(least, 40))
  let text = rng.pick(WORDS)
  while (text.length < least) text += ` ${rng.pick(WORDS)}`
  return text.slice(0, most)
}

function drawNumber(schema: Readonly<Record<string, unknown>>, rng: Rng): number {
  const least = bound(schema['minimum'], bound(schema['exclusiveMinimum'], 0))
  const most = Math.min(bound(schema['maximum'], least + 10), least + 1000)
  const isWhole = schema['type'] === 'integer'
  const number = isWhole
    ? Math.ceil(least) + rng.int(Math.max(1, Math.floor(most) - Math.ceil(least) + 1))
    : least + rng.next() * (most - least)
  return schema['exclusiveMinimum'] === number ? number + 1 : number
}

/** A value that a JSON schema allows, and the same for the same seed. Properties that may be left out are left out half of the time. */
export function draw(schema: unknown, rng: Rng): unknown {
  if (!isRecord(schema)) return rng.pick(WORDS)
  if ('const' in schema) return schema['const']
  if (Array.isArray(schema['enum'])) return rng.pick(schema['enum'])
  for (const name of ['anyOf', 'oneOf'])
    if (Array.isArray(schema[name])) return draw(rng.pick(schema[name] as unknown[]), rng)
  const type: unknown = Array.isArray(schema['type']) ? schema['type'][0] : schema['type']
  switch (type) {
    case 'object': {
      const required = Array.isArray(schema['required']) ? schema['required'] : []
      const properties = isRecord(schema['properties']) ? schema['properties'] : {}
      return Object.fromEntries(
        Object.entries(properties).flatMap(([key, value]) =>
          required.includes(key) || rng.chance(0.5) ? [[key, draw(value, rng)]] : [],
        ),
      )
    }
    case 'array': {
      const least = bound(schema['minItems'], 1)
      const length = Math.min(
        bound(schema['maxItems'], USUAL_LENGTH),
        Math.max(least, 1 + rng.int(USUAL_LENGTH)),
      )
      return Array.from({ length }, () => draw(schema['items'], rng))
    }
    case 'integer':
    case 'number':
      return drawNumber(schema, rng)
    case 'boolean':
      return rng.chance(0.5)
    case 'null':
      return null
    default:
      return drawText(schema, rng)
  }
}
