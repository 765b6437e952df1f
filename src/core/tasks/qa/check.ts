import type { AnswerCheck } from '../../../shared/domain/answer-check'
import type { AnswerTests } from '../../ground/answer-tests'
import { portKey } from '../../ground/environment-module'
import { numberOf } from './gaia'
import { onlyNumberIn } from './numbers'

/** What runs patterns and tests, as the environment asks for it. */
export const ANSWER_TESTS = portKey<AnswerTests>('answer-tests')

const tidy = (text: string, caseMatters: boolean): string => {
  const plain = text.normalize('NFKC').replace(/\s+/gu, ' ').trim()
  return caseMatters ? plain : plain.toLowerCase()
}

/** Places of a path in JSON: `$.a["b c"][0]`. Null for what is no path. */
export function readJsonPath(path: string): (string | number)[] | null {
  const steps: (string | number)[] = []
  const step = /\.([\p{L}_$][\p{L}\p{N}_$-]*)|\[(\d+)\]|\["((?:[^"\\]|\\.)*)"\]|\['([^']*)'\]/uy
  const rest = path.trim().replace(/^\$/, '')
  const text = rest === '' || rest.startsWith('.') || rest.startsWith('[') ? rest : `.${rest}`
  while (step.lastIndex < text.length) {
    const match = step.exec(text)
    if (!match) return null
    const [, name, index, quoted, single] = match
    steps.push(
      index === undefined ? (name ?? single ?? (JSON.parse(`"${quoted ?? ''}"`) as string)) : Number(index),
    )
  }
  return steps
}

/** The value at a place; undefined when there is none. */
function valueAt(value: unknown, steps: readonly (string | number)[]): unknown {
  let at = value
  for (const step of steps) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, step)) return undefined
    at = (at as Record<string | number, unknown>)[step]
  }
  return at
}

/** JSON with sorted keys, so that equal values are equal texts. */
const canonical = (value: unknown): string =>
  JSON.stringify(value, (_key, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  )

const parsedOr = (text: string): unknown => {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return text
  }
}

/** A reply's JSON, also out of a fenced block. Undefined when there is none. */
function jsonIn(answer: string): unknown {
  const fenced = fencedIn(answer)
  for (const text of [answer, fenced]) {
    if (text === undefined) continue
    const value = parsedOr(text)
    if (value !== text) return value
  }
  return undefined
}

/** Lines of cells, apart at tabs or, where there are none, at commas. */
const cellsOf = (text: string): string[][] =>
  text
    .replace(/```\w*/g, '')
    .trim()
    .split(/\r?\n/)
    .map((line) =>
      line.split(line.includes('\t') ? '\t' : ',').map((cell) => cell.trim().replace(/^"(.*)"$/, '$1')),
    )

const sameCell = (a: string, b: string): boolean => {
  const [remainingCount, right] = [numberOf(a), numberOf(b)]
  if (remainingCount !== null && right !== null)
    return Math.round(remainingCount * 100) === Math.round(right * 100)
  return tidy(a, false) === tidy(b, false)
}

function sameCells(answer: string, reference: string): boolean {
  const [groupedInputs, groupedTargets] = [cellsOf(answer), cellsOf(reference)]
  return (
    groupedInputs.length === groupedTargets.length &&
    groupedTargets.every((row, r) => {
      const own = groupedInputs[r] ?? []
      return own.length === row.length && row.every((cell, c) => sameCell(own[c] ?? '', cell))
    })
  )
}

function withinTolerance(answer: string, reference: string, tolerance: number, relative: boolean): boolean {
  const [givenCount, wantedCount] = [onlyNumberIn(answer), onlyNumberIn(reference)]
  if (givenCount === null || wantedCount === null) return false
  // A hair more than the tolerance, for what binary numbers lose.
  return (
    Math.abs(givenCount - wantedCount) <=
    (relative ? tolerance * Math.abs(wantedCount) : tolerance) + 1e-9 * Math.abs(wantedCount)
  )
}

/**
 * Whether an answer passes a check against one of the task's own answers. A judge's check is not for here. Rejects when what the task brings (its
 * pattern, its code) cannot be run, in words.
 */
export async function passes(
  check: Exclude<AnswerCheck, { kind: 'judge' }>,
  answer: string,
  references: readonly string[],
  tests: AnswerTests | null,
): Promise<boolean> {
  if (check.kind === 'regex' || check.kind === 'test') {
    if (!tests) throw new Error('there is nothing here that runs patterns and tests')
    for (const reference of references) {
      const isPassed =
        check.kind === 'regex'
          ? await tests.matches(reference, answer)
          : (await tests.test(check.language, [check.code, reference].filter(Boolean).join('\n'), answer))
              .passed
      if (isPassed) return true
    }
    return false
  }
  return references.some((reference) => passesPlain(check, answer, reference))
}

function passesPlain(
  check: Exclude<AnswerCheck, { kind: 'judge' | 'regex' | 'test' }>,
  answer: string,
  reference: string,
): boolean {
  switch (check.kind) {
    case 'exact':
      return tidy(answer, check.caseMatters) === tidy(reference, check.caseMatters)
    case 'one-of':
      return reference
        .split(check.separator)
        .some((one) => one.trim() !== '' && tidy(one, check.caseMatters) === tidy(answer, check.caseMatters))
    case 'number':
      return withinTolerance(answer, reference, check.tolerance, check.relative)
    case 'json-path': {
      const match = valueAt(jsonIn(answer), readJsonPath(check.path) ?? [])
      if (match === undefined) return false
      return canonical(match) === canonical(parsedOr(reference)) || String(match) === reference.trim()
    }
    case 'cells':
      return sameCells(answer, reference)
  }
}

/** JSON that holds a value at a place; for showing that a check takes a task's own answer. */
export function jsonWith(path: string, value: string): string {
  const steps = readJsonPath(path) ?? []
  const whole = steps.reduceRight<unknown>(
    (inner, step) =>
      typeof step === 'number' ? [...Array<null>(Math.min(step, 1000)).fill(null), inner] : { [step]: inner },
    parsedOr(value),
  )
  return JSON.stringify(whole)
}

/** What is wrong with a task's own answer under its check; null: nothing that can be seen without running it. */
export function problemWith(check: AnswerCheck, references: readonly string[]): string | null {
  const [first] = references
  if (check.kind === 'json-path' && readJsonPath(check.path) === null)
    return `"${check.path}" is no path in JSON`
  if (check.kind === 'judge') return null
  if (first === undefined) return 'it has no answer to check against'
  if (check.kind === 'number' && onlyNumberIn(first) === null)
    return `its answer "${first.slice(0, 60)}" is no number`
  if (check.kind !== 'regex') return null
  try {
    new RegExp(first, 'u')
    return null
  } catch (error) {
    return `its pattern cannot be read: ${error instanceof Error ? error.message : String(error)}`
  }
}

/** What stands in the first fenced block of a reply; undefined when there is none. */
function fencedIn(reply: string): string | undefined {
  const [, block, ...after] = reply.split('```')
  return after.length === 0 ? undefined : block?.replace(/^json/, '').trim()
}
