import type { SqlValue } from '../ground/ports'
import { MySqlError } from './errors'
import type { SqlFunction } from './types'

type Json = null | boolean | number | string | Json[] | { [key: string]: Json }

const invalid = (place: number, name: string): MySqlError =>
  new MySqlError(
    3141,
    '22032',
    `Invalid JSON text in argument ${place} to function ${name}: "Invalid value." at position 0.`,
  )

const badPath = (): MySqlError =>
  new MySqlError(3143, '42000', 'Invalid JSON path expression. The error is around character position 1.')

/** Deepest nesting that is read. */
const MAX_DEPTH = 100

/** @throws MySqlError 3141 for what is no JSON */
function read(value: SqlValue | undefined, place: number, name: string): Json {
  try {
    const json = JSON.parse(String(value)) as Json
    if (depthOf(json) <= MAX_DEPTH) return json
  } catch {
    // Told below.
  }
  throw invalid(place, name)
}

const isObject = (json: Json): json is { [key: string]: Json } =>
  typeof json === 'object' && json !== null && !Array.isArray(json)

const childrenOf = (json: Json): Json[] =>
  Array.isArray(json) ? json : isObject(json) ? Object.values(json) : []

function depthOf(json: Json): number {
  let level = [json]
  let depth = 0
  for (; level.length > 0 && depth <= MAX_DEPTH; depth++) level = level.flatMap(childrenOf)
  return depth
}

/** As MySQL prints it: a blank behind commas and colons, keys by length and then by letters. */
function print(json: Json): string {
  if (Array.isArray(json)) return `[${json.map(print).join(', ')}]`
  if (!isObject(json)) return JSON.stringify(json)
  const keys = Object.keys(json).sort((a, b) => a.length - b.length || (a < b ? -1 : 1))
  return `{${keys.map((key) => `${JSON.stringify(key)}: ${print(json[key] ?? null)}`).join(', ')}}`
}

type Leg =
  | { readonly key: string }
  | { readonly index: number; readonly fromEnd: boolean }
  | 'keys'
  | 'cells'
  | 'any depth'

const LEG =
  /\.(?:(\*)|([\w$\u0080-\uffff]{1,200})|"([^"]{0,500})")|\[(?:(\*)|(\d{1,9})|last(?:-(\d{1,9}))?)\]|(\*\*)/y

function pathOf(value: SqlValue | undefined): Leg[] {
  const text = String(value).trim()
  if (!text.startsWith('$')) throw badPath()
  const legs: Leg[] = []
  LEG.lastIndex = 1
  for (let at = 1; at < text.length; at = LEG.lastIndex) {
    LEG.lastIndex = at
    const match = LEG.exec(text)
    if (match === null) throw badPath()
    const [, keys, bare, quoted, cells, index, back, deep] = match
    if (keys !== undefined) legs.push('keys')
    else if (bare !== undefined || quoted !== undefined) legs.push({ key: bare ?? quoted ?? '' })
    else if (cells !== undefined) legs.push('cells')
    else if (deep !== undefined) legs.push('any depth')
    else legs.push({ index: Number(index ?? back ?? 0), fromEnd: index === undefined })
  }
  return legs
}

const isWild = (legs: readonly Leg[]): boolean => legs.some((leg) => typeof leg === 'string')

function withDescendants(json: Json): Json[] {
  return [json, ...childrenOf(json).flatMap(withDescendants)]
}

function step(json: Json, leg: Leg): Json[] {
  if (leg === 'any depth') return withDescendants(json)
  if (leg === 'keys') return isObject(json) ? Object.values(json) : []
  if (leg === 'cells') return Array.isArray(json) ? json : []
  if ('key' in leg) return isObject(json) && Object.hasOwn(json, leg.key) ? [json[leg.key] ?? null] : []
  // What is no array counts as one of itself alone.
  const cells = Array.isArray(json) ? json : [json]
  const at = leg.fromEnd ? cells.length - 1 - leg.index : leg.index
  return at in cells ? [cells[at] ?? null] : []
}

const getMatches = (json: Json, legs: readonly Leg[]): Json[] =>
  legs.reduce<Json[]>((all, leg) => all.flatMap((one) => step(one, leg)), [json])

function extract(value: SqlValue | undefined, ...paths: SqlValue[]): string | null {
  const json = read(value, 1, 'json_extract')
  const legs = paths.map(pathOf)
  const all = legs.flatMap((path) => getMatches(json, path))
  if (all.length === 0) return null
  return print(paths.length > 1 || legs.some(isWild) ? all : (all[0] ?? null))
}

/** A JSON text as MySQL compares it with others: strings without their quotes. */
function plain(value: SqlValue | undefined): SqlValue {
  const text = String(value)
  if (text === 'true' || text === 'false') return text === 'true' ? 1 : 0
  if (!text.startsWith('"')) return text
  try {
    return String(JSON.parse(text))
  } catch {
    return text
  }
}

/** Values come in pairs: `j` before what is JSON already, `v` before any other value. */
const getInput = (kind: SqlValue | undefined, value: SqlValue | undefined): Json =>
  value === null || value === undefined || value instanceof Uint8Array
    ? null
    : kind === 'j'
      ? (JSON.parse(String(value)) as Json)
      : value

type Change = 'set' | 'insert' | 'replace'

function getChange(json: Json, legs: readonly Leg[], value: Json, how: Change): Json {
  const [leg, ...rest] = legs
  if (leg === undefined) return how === 'insert' ? json : value
  if (typeof leg === 'string') throw badPath()
  if ('key' in leg) {
    if (!isObject(json)) return json
    const isThere = Object.hasOwn(json, leg.key)
    if (!isThere && (how === 'replace' || rest.length > 0)) return json
    return { ...json, [leg.key]: isThere ? getChange(json[leg.key] ?? null, rest, value, how) : value }
  }
  const cells = Array.isArray(json) ? [...json] : [json]
  const at = leg.fromEnd ? cells.length - 1 - leg.index : leg.index
  if (at in cells) cells[at] = getChange(cells[at] ?? null, rest, value, how)
  else if (how !== 'replace' && rest.length === 0) cells.push(value)
  return Array.isArray(json) || cells.length > 1 ? cells : (cells[0] ?? null)
}

const change =
  (how: Change): SqlFunction =>
  (value, ...rest) => {
    let json = read(value ?? null, 1, `json_${how}`)
    for (let i = 0; i < rest.length; i += 3)
      json = getChange(json, pathOf(rest[i]), getInput(rest[i + 1], rest[i + 2]), how)
    return print(json)
  }

function getRemoval(json: Json, legs: readonly Leg[]): Json {
  const [leg, ...rest] = legs
  if (leg === undefined || typeof leg === 'string') throw badPath()
  const isLast = rest.length === 0
  if ('key' in leg) {
    if (!isObject(json) || !Object.hasOwn(json, leg.key)) return json
    const { [leg.key]: inner = null, ...others } = json
    return isLast ? others : { ...json, [leg.key]: getRemoval(inner, rest) }
  }
  if (!Array.isArray(json)) return json
  const at = leg.fromEnd ? json.length - 1 - leg.index : leg.index
  return json.flatMap((cell, i) => (i !== at ? [cell] : isLast ? [] : [getRemoval(cell, rest)]))
}

function contains(json: Json, part: Json): boolean {
  if (Array.isArray(json))
    return Array.isArray(part)
      ? part.every((one) => contains(json, one))
      : json.some((cell) => contains(cell, part))
  if (isObject(json))
    return (
      isObject(part) &&
      Object.keys(part).every(
        (key) => Object.hasOwn(json, key) && contains(json[key] ?? null, part[key] ?? null),
      )
    )
  return json === part
}

function typeName(json: Json): string {
  if (json === null) return 'NULL'
  if (Array.isArray(json)) return 'ARRAY'
  if (typeof json === 'object') return 'OBJECT'
  if (typeof json === 'string') return 'STRING'
  if (typeof json === 'boolean') return 'BOOLEAN'
  return Number.isInteger(json) ? 'INTEGER' : 'DOUBLE'
}

/** What stands at a path of a document, or the document; undefined where there is nothing. */
const at = (json: Json, path: SqlValue | undefined): Json | undefined =>
  path === undefined ? json : getMatches(json, pathOf(path))[0]

function mergedPatch(json: Json, patch: Json): Json {
  if (!isObject(patch)) return patch
  const before = isObject(json) ? json : {}
  const selection = Object.entries(before).filter(([key]) => !Object.hasOwn(patch, key))
  const changes = Object.entries(patch).filter(([, value]) => value !== null)
  return Object.fromEntries([
    ...selection,
    ...changes.map(([key, value]) => [key, mergedPatch(before[key] ?? null, value)] as const),
  ])
}

/** MySQL's JSON functions without their `my_` prefix; any NULL argument gives NULL. */
export const JSON_FUNCTIONS: Readonly<Record<string, SqlFunction>> = {
  json_extract: extract,
  json_plain: plain,
  json_unquote: (value) => {
    const text = String(value)
    return /^"[\s\S]*"$/.test(text) ? String(read(text, 1, 'json_unquote')) : text
  },
  json_value: (value, path) => {
    const json = at(read(value, 1, 'json_value'), path)
    return json === undefined || json === null || typeof json === 'object' ? null : String(json)
  },
  json_valid: (value) => {
    try {
      JSON.parse(String(value))
      return true
    } catch {
      return false
    }
  },
  json_type: (value) => typeName(read(value, 1, 'json_type')),
  json_depth: (value) => depthOf(read(value, 1, 'json_depth')),
  json_quote: (value) => JSON.stringify(String(value)),
  json_length: (value, path) => {
    const json = at(read(value, 1, 'json_length'), path)
    return json === undefined ? null : Array.isArray(json) || isObject(json) ? childrenOf(json).length : 1
  },
  json_keys: (value, path) => {
    const json = at(read(value, 1, 'json_keys'), path)
    return json !== undefined && isObject(json) ? print(Object.keys(json)) : null
  },
  json_contains: (value, part, path) => {
    const json = at(read(value, 1, 'json_contains'), path)
    return json === undefined ? null : contains(json, read(part, 2, 'json_contains'))
  },
  json_contains_path: (value, mode, ...paths) => {
    const json = read(value, 1, 'json_contains_path')
    const isThere = (path: SqlValue) => getMatches(json, pathOf(path)).length > 0
    return String(mode).toLowerCase() === 'all' ? paths.every(isThere) : paths.some(isThere)
  },
  json_remove: (value, ...paths) =>
    print(paths.reduce<Json>((json, path) => getRemoval(json, pathOf(path)), read(value, 1, 'json_remove'))),
  json_merge_patch: (first, ...others) =>
    print(
      others.reduce<Json>(
        (json, other, i) => mergedPatch(json, read(other, i + 2, 'json_merge_patch')),
        read(first, 1, 'json_merge_patch'),
      ),
    ),
  json_pretty: (value) => JSON.stringify(read(value, 1, 'json_pretty'), null, 2),
}

/** Those that NULL is a value for; other values come in pairs, as `given` reads them. */
export const JSON_MAKERS: Readonly<Record<string, SqlFunction>> = {
  my_json_array: (...pairs) =>
    print(Array.from({ length: pairs.length / 2 }, (_, i) => getInput(pairs[2 * i], pairs[2 * i + 1]))),
  my_json_object: (...triples) =>
    print(
      Object.fromEntries(
        Array.from({ length: triples.length / 3 }, (_, i) => [
          String(triples[3 * i]),
          getInput(triples[3 * i + 1], triples[3 * i + 2]),
        ]),
      ),
    ),
  my_json_set: (value, ...rest) => (value === null ? null : change('set')(value ?? null, ...rest)),
  my_json_insert: (value, ...rest) => (value === null ? null : change('insert')(value ?? null, ...rest)),
  my_json_replace: (value, ...rest) => (value === null ? null : change('replace')(value ?? null, ...rest)),
}
