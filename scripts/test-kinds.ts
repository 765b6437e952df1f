import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve, sep } from 'node:path'

/** Test files by how they may run, as paths relative to the root, with slashes. */
export interface TestKinds {
  /** Nothing that they import can load a native library or start a process or thread: they share processes. */
  readonly pure: string[]
  /** As pure, with a document: they share processes of their own. */
  readonly window: string[]
  /** What loads native libraries or starts processes: they share processes of their own, which nothing is kept from. */
  readonly real: string[]
  /** As real, of what takes longest: the command line, runs, experiments, methods and soft prompts. */
  readonly late: string[]
  /** As real, and puts other modules in the place of some, loads them anew, or says `// @own-process` because it changes or watches the whole process: one for each file. */
  readonly alone: string[]
}

/** What keeps state for a whole process, or starts another one. */
export const NATIVE_MODULES: ReadonlySet<string> = new Set([
  ...['node-llama-cpp', '@lancedb/lancedb', '@huggingface/transformers', 'koffi', 'electron'],
  ...['node:child_process', 'node:cluster', 'node:worker_threads', 'cross-spawn', 'recheck'],
  '@modelcontextprotocol/sdk/client/stdio.js',
])

const OUTSIDE = /\/(e2e|bench|screenshots)\//
const TEST = /\.test\.tsx?$/
const WITH_DOCUMENT = /^\/\/ @vitest-environment happy-dom$/m
const MODULES_ANEW = /\bvi\.(mock|doMock|resetModules)\(/
const LATE = /^test\/main\/(cli|runs|experiments|methods|soft-prompts)\//
const OWN_PROCESS = /^\/\/ @own-process$/m
const BY_NAME = /\.(integration|model)\.test\.ts$/
const IMPORT =
  /(?:^|\n)\s*(?:import|export)\s+(?!type\b)(?:[^'"`;]*?\bfrom\s+)?'([^']+)'|\b(?:import|require|resolve|importActual)(?:<[^>]*>)?\(\s*'([^']+)'/g
const ENDINGS = ['.ts', '.tsx', '/index.ts', '.mjs', '']

/**
 * Sorts the test files below `root`/test by what their imports reach: static and dynamic ones, re-exports and require calls, through
 * every file that they lead to; those of types alone lead nowhere. A name with `.integration` or `.model` is real, or alone, whatever it imports.
 */
export function sortTests(root: string): TestKinds {
  const importers = new Map<string, string[]>()
  const texts = new Map<string, string>()
  const native: string[] = []
  const tests = filesBelow(join(root, 'test')).filter((file) => TEST.test(file) && !OUTSIDE.test(file))
  for (const waiting = [...tests]; waiting.length > 0;) {
    const file = waiting.pop() as string
    if (texts.has(file)) continue
    const text = readFileSync(file, 'utf8')
    texts.set(file, text)
    for (const specifier of specifiersOf(text)) {
      if (NATIVE_MODULES.has(specifier) || NATIVE_MODULES.has(packageOf(specifier))) native.push(file)
      const target = specifier.startsWith('.') ? resolveFile(dirname(file), specifier) : null
      if (target === null) continue
      importers.set(target, [...(importers.get(target) ?? []), file])
      waiting.push(target)
    }
  }
  const reaching = new Set<string>()
  for (const waiting = [...native]; waiting.length > 0;) {
    const file = waiting.pop() as string
    if (reaching.has(file)) continue
    reaching.add(file)
    waiting.push(...(importers.get(file) ?? []))
  }
  const kinds: TestKinds = { pure: [], window: [], real: [], late: [], alone: [] }
  for (const file of tests) {
    const text = texts.get(file) ?? ''
    const withDocument = WITH_DOCUMENT.test(text)
    const isReal = reaching.has(file) || BY_NAME.test(file)
    const path = relative(root, file).split(sep).join('/')
    const kind = isReal
      ? withDocument || MODULES_ANEW.test(text) || OWN_PROCESS.test(text)
        ? 'alone'
        : LATE.test(path)
          ? 'late'
          : 'real'
      : withDocument
        ? 'window'
        : 'pure'
    kinds[kind].push(path)
  }
  return kinds
}

const filesBelow = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((path) => join(folder, path))

const specifiersOf = (text: string): string[] =>
  [...text.matchAll(IMPORT)].map(([, written, called]) => (written ?? called) as string)

const packageOf = (specifier: string): string =>
  specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/')

function resolveFile(folder: string, specifier: string): string | null {
  const path = resolve(folder, specifier.replace(/\?.*$/, ''))
  const ending = ENDINGS.find((one) => /\.(ts|tsx|mjs|js)$/.test(path + one) && existsSync(path + one))
  return ending === undefined ? null : path + ending
}
