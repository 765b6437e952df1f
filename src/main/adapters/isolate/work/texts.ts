import { parse as parseToml } from 'smol-toml'
import { parse as parseYaml } from 'yaml'
import { DEEPEST, nestsTooDeep } from '../../../../core/ground/json-check'
import { LoamError } from '../../../../shared/errors'
import type {
  LinesRequest,
  LineValue,
  TextReply,
  TextRequest,
  TextSyntax,
} from '../../../ground/isolate/foreign-text'
import type { Work } from '../../../ground/isolate/protocol'

/** Most lists and objects of one value: more of them would keep the host when it is handed them. */
const MOST_PARTS = 400_000
const TOO_DEEP = `it is nested more than ${DEEPEST} deep`
const TOO_MUCH = `it holds more than ${MOST_PARTS} lists and objects`

const PARSERS: Readonly<Record<TextSyntax, { readonly name: string; parse(text: string): unknown }>> = {
  yaml: { name: 'neither YAML nor JSON', parse: (text) => parseYaml(text) as unknown },
  json: { name: 'no JSON', parse: (text) => JSON.parse(text) as unknown },
  toml: { name: 'no TOML', parse: parseToml },
}

/** Reads texts of settings and data. Nothing deep leaves it, since who gets it goes through it step by step. */
export function openTexts(): Work<TextRequest | LinesRequest, TextReply> {
  return (request) => {
    if ('lines' in request) return { value: request.lines.map(lineValue) }
    const { text, syntax, where } = request
    const { name, parse } = PARSERS[syntax]
    const refuse = (why: string): LoamError =>
      new LoamError('BAD_INPUT', `${where} is ${name}: ${why}`, {
        suggestion: 'Check the place named above.',
      })
    if (syntax === 'json' && nestsTooDeep(text)) throw refuse(TOO_DEEP)
    let value: unknown
    try {
      value = parse(text)
    } catch (error) {
      throw refuse((error as Error).message.split('\n')[0] ?? '')
    }
    const why = whyNot(value)
    if (why !== null) throw refuse(why)
    return { value }
  }
}

/** The value of a line of JSON, or why it has none. */
export function lineValue(line: string): LineValue {
  if (nestsTooDeep(line)) return { why: TOO_DEEP }
  try {
    const value: unknown = JSON.parse(line)
    const why = whyNot(value)
    return why === null ? { value, why } : { why }
  } catch {
    return { why: 'it is not JSON' }
  }
}

/** Why a value is not handed on; null where it is. What stands in it twice is looked at once. */
function whyNot(value: unknown): string | null {
  const visited = new Set<unknown>()
  let level: unknown[] = [value]
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > DEEPEST) return TOO_DEEP
    const next: unknown[] = []
    for (const one of level)
      if (typeof one === 'object' && one !== null && !visited.has(one)) {
        visited.add(one)
        if (visited.size > MOST_PARTS) return TOO_MUCH
        for (const part of Object.values(one)) if (typeof part === 'object') next.push(part)
      }
    level = next
  }
  return null
}
