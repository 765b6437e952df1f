import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { check } from 'recheck'
import ts from 'typescript'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { TORTURE } from '../torture'
import { redactAll } from '../../src/core/memory/experiences/import/redact'

const SRC = join(import.meta.dirname, '../../src')

/** Every regular expression of a file, as it is written. */
function patternsOf(file: string): string[] {
  const found: string[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isRegularExpressionLiteral(node)) found.push(node.text)
    ts.forEachChild(node, visit)
  }
  visit(ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true))
  return found
}

const sources = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
  .filter((name) => /\.tsx?$/.test(name))
  .map((name) => join(SRC, name))

/**
 * Patterns, as they are written, whose check takes nine tenths of the time and found them safe: `npm run torture` checks these too. A pattern
 * that is changed is not among them any more, and is checked in every run.
 */
const slow = new Set(readFileSync(join(import.meta.dirname, 'slow-patterns.txt'), 'utf8').split('\n'))

/**
 * Texts that are made up are the same each time, and what they take is counted in characters read, not in time: on a busy machine one that
 * is out of time would pass for a slow one.
 */
const REPEATABLE = {
  timeout: 60_000,
  randomSeed: 1,
  attackTimeout: null,
  incubationTimeout: null,
  seedingTimeout: null,
} as const

describe('patterns', () => {
  afterEach(() => void vi.unstubAllEnvs())

  it('take linear time, whatever text they meet', { timeout: TORTURE ? 3_600_000 : 600_000 }, async () => {
    // The checker's builds for single systems are not installed (docs/dependencies.md).
    vi.stubEnv('RECHECK_BACKEND', 'pure')
    const unsafe: string[] = []
    const met = new Set<string>()
    for (const file of sources) {
      for (const text of patternsOf(file)) {
        if (met.has(text)) continue
        met.add(text)
        if (slow.has(text) && !TORTURE) continue
        const end = text.lastIndexOf('/')
        const found = await check(text.slice(1, end), text.slice(end + 1), REPEATABLE)
        if (found.status !== 'safe')
          unsafe.push(
            `${relative(SRC, file)}: ${text} (${found.status === 'vulnerable' ? found.complexity.summary : found.status})`,
          )
      }
    }
    expect(unsafe).toEqual([])
    expect([...slow].filter((text) => text !== '' && !met.has(text))).toEqual([])
    expect(met.size).toBeGreaterThan(200)
  })
})

/** Milliseconds of processor time, which other programs on the machine do not change. */
function cost(work: () => unknown): number {
  const before = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}

const SEEDS = [
  'a.',
  'eyJ-',
  'eyJaaaaaaaaaa-',
  'http',
  'x://',
  '://a:b',
  'Bearer ',
  'password: ',
  'password=',
  'sk-',
  '-----BEGIN PRIVATE KEY',
  '-----BEGIN ',
  '/home/',
  'C:\\Users',
]

describe('redaction', () => {
  it.each(SEEDS)('takes not much more than twice the time for twice the text: %j', (seed) => {
    const text = (length: number): string => seed.repeat(Math.ceil(length / seed.length)).slice(0, length)
    redactAll(text(10_000))
    // From 120 KB to 480 KB: four times the text. A quadratic pattern would take sixteen times as long (and, at 120 KB, half
    // a minute for the worst); what is too quick to be measured passes.
    const small = cost(() => redactAll(text(120_000)))
    if (small > 2000) expect.fail(`120 KB took ${small} ms`)
    const large = cost(() => redactAll(text(480_000)))
    expect(large).toBeLessThan(Math.max(10 * small, 400))
  })

  it('still finds a web token behind other letters, and a password without a name', () => {
    const header = 'eyJhbGciOiJIUzI1NiJ9'
    const token = `${header}.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9P`
    expect(redactAll(`key-${token} end`)).toEqual({
      value: 'key-[token removed] end',
      redactions: { token: 1 },
    })
    expect(redactAll('redis://:hunter22@cache')).toEqual({
      value: 'redis://:[password removed]@cache',
      redactions: { password: 1 },
    })
    expect(redactAll(`not-a-${header.slice(0, 6)}.eyJzdWIiOiIxMjM0.x`).redactions).toEqual({})
  })
})
