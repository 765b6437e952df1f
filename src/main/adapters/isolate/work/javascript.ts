import { getQuickJS, type QuickJSContext, type QuickJSHandle } from 'quickjs-emscripten'
import type { Work } from '../../../ground/isolate/protocol'
import { cutValue, folderFull, Printed, type CodeReply, type CodeRequest, type FileChanges } from './code'

const MEMORY_BYTES = 256 * 1024 * 1024
const STACK_BYTES = 512 * 1024
/** Most promise jobs run after the code itself. */
const MOST_JOBS = 100_000

/** Written inside the sandbox: a console and the task's folder over the few functions the host gives it. */
const PRELUDE = `
{
  const print = globalThis.__print, read = globalThis.__read, write = globalThis.__write
  const list = globalThis.__list, remove = globalThis.__remove
  for (const name of ['__print', '__read', '__write', '__list', '__remove']) delete globalThis[name]
  const show = (value, depth = 0) => {
    if (typeof value === 'string') return depth === 0 ? value : JSON.stringify(value)
    if (typeof value === 'bigint') return value + 'n'
    if (typeof value === 'function') return '[Function ' + (value.name || 'anonymous') + ']'
    if (value instanceof Error) return String(value.stack ? value + '\\n' + value.stack : value)
    if (typeof value !== 'object' || value === null) return String(value)
    if (value instanceof Date || value instanceof RegExp) return String(value)
    if (depth > 4) return Array.isArray(value) ? '[Array]' : '[Object]'
    if (value instanceof Map) return 'Map ' + show([...value], depth + 1)
    if (value instanceof Set) return 'Set ' + show([...value], depth + 1)
    if (ArrayBuffer.isView(value)) return value.constructor.name + ' ' + show(Array.from(value), depth + 1)
    if (Array.isArray(value)) return '[' + value.map((item) => show(item, depth + 1)).join(', ') + ']'
    const inner = Object.entries(value).map(([key, item]) => key + ': ' + show(item, depth + 1)).join(', ')
    return inner === '' ? '{}' : '{ ' + inner + ' }'
  }
  const line = (...values) => print(values.map((value) => show(value)).join(' ') + '\\n')
  globalThis.console = Object.freeze({ log: line, info: line, warn: line, error: line, debug: line })
  globalThis.files = Object.freeze({
    read: (path) => read(String(path), true),
    readBytes: (path) => new Uint8Array(read(String(path), false)),
    write: (path, content) => write(String(path), typeof content === 'string' ? content : new Uint8Array(content).buffer),
    list: () => list(),
    remove: (path) => remove(String(path)),
  })
  Object.defineProperty(globalThis, '__show', { value: (value) => show(value, 1) })
}
`

/** JavaScript in QuickJS. One context for as long as the process lives, so that what one call defines the next one has. */
export async function openJavaScript(): Promise<Work<CodeRequest, CodeReply>> {
  const runtime = (await getQuickJS()).newRuntime()
  runtime.setMemoryLimit(MEMORY_BYTES)
  runtime.setMaxStackSize(STACK_BYTES)
  let deadline = Number.POSITIVE_INFINITY
  runtime.setInterruptHandler(() => Date.now() > deadline)
  const context = runtime.newContext()
  const printed = new Printed()
  const files = new Map<string, Uint8Array>()
  const touched = new Set<string>()
  giveHostFunctions(context, printed, files, touched)
  context.unwrapResult(context.evalCode(PRELUDE, 'prelude.js')).dispose()
  const show = context.getProp(context.global, '__show')

  const describe = (handle: QuickJSHandle): string | null => {
    if (context.typeof(handle) === 'undefined') return null
    const text = context.callFunction(show, context.undefined, handle)
    if (text.error) return describeError(context, text.error)
    return cutValue(text.value.consume((value) => context.getString(value)))
  }

  /** The value of the last expression, and that of the promise it may be. */
  const settle = (result: QuickJSHandle): { value: string | null; error: string | null } => {
    const jobs = runtime.executePendingJobs(MOST_JOBS)
    if (jobs.error)
      return { value: null, error: jobs.error.consume((error) => describeError(context, error)) }
    const state = context.getPromiseState(result)
    if (state.type === 'pending')
      return { value: null, error: 'The promise never settled: there are no timers and no network in here.' }
    if (state.type === 'rejected') {
      return { value: null, error: state.error.consume((error) => describeError(context, error)) }
    }
    if (state.notAPromise === true) return { value: describe(result), error: null }
    return { value: state.value.consume(describe), error: null }
  }

  return ({ code, files: incoming, folderBytes, timeMs }) => {
    for (const path of incoming.removed) files.delete(path)
    for (const [path, bytes] of incoming.changed) files.set(path, bytes)
    const before = new Map(files)
    touched.clear()
    deadline = Date.now() + timeMs
    const run = context.evalCode(code, 'task.js')
    const outcome = run.error
      ? { value: null, error: run.error.consume((error) => describeError(context, error)) }
      : run.value.consume(settle)
    deadline = Number.POSITIVE_INFINITY
    const bytes = [...files.values()].reduce((sum, content) => sum + content.length, 0)
    if (bytes > folderBytes) {
      files.clear()
      for (const [path, content] of before) files.set(path, content)
      printed.take()
      throw folderFull(bytes, folderBytes)
    }
    return { ...outcome, printed: printed.take(), files: changesOf(files, before, touched) }
  }
}

const changesOf = (
  files: ReadonlyMap<string, Uint8Array>,
  before: ReadonlyMap<string, Uint8Array>,
  touched: ReadonlySet<string>,
): FileChanges => ({
  changed: [...touched].flatMap((path) => {
    const bytes = files.get(path)
    return bytes && bytes !== before.get(path) ? [[path, bytes] as const] : []
  }),
  removed: [...before.keys()].filter((path) => !files.has(path)),
})

/** `ReferenceError: x is not defined`, with the line it happened in. */
function describeError(context: QuickJSContext, error: QuickJSHandle): string {
  const dumped: unknown = context.dump(error)
  if (typeof dumped !== 'object' || dumped === null) return String(dumped)
  const { name, message, stack } = dumped as { name?: string; message?: string; stack?: string }
  if (name === 'InternalError' && message === 'interrupted') return 'It took too long and was interrupted.'
  return [`${name ?? 'Error'}: ${message ?? ''}`, stack?.trimEnd()].filter((part) => part).join('\n')
}

function giveHostFunctions(
  context: QuickJSContext,
  printed: Printed,
  files: Map<string, Uint8Array>,
  touched: Set<string>,
): void {
  const give = (name: string, work: (...handles: QuickJSHandle[]) => QuickJSHandle): void => {
    context.newFunction(name, work).consume((handle) => context.setProp(context.global, name, handle))
  }
  const text = (handle: QuickJSHandle | undefined): string => (handle ? context.getString(handle) : '')
  give('__print', (line) => {
    printed.add(text(line))
    return context.undefined
  })
  give('__read', (path, asText) => {
    const bytes = files.get(text(path))
    if (!bytes) throw new Error(`There is no file ${text(path)}`)
    if (asText && context.dump(asText) === true) return context.newString(new TextDecoder().decode(bytes))
    return context.newArrayBuffer(bytes.slice().buffer)
  })
  give('__write', (path, content) => {
    const name = text(path)
    const bytes =
      content && context.typeof(content) !== 'string'
        ? context.getArrayBuffer(content).consume(({ value }) => value.slice())
        : new TextEncoder().encode(text(content))
    files.set(name, bytes)
    touched.add(name)
    return context.undefined
  })
  give('__remove', (path) => (files.delete(text(path)) ? context.true : context.false))
  give('__list', () => {
    const names = context.newArray()
    ;[...files.keys()].sort().forEach((name, at) => {
      context.newString(name).consume((handle) => context.setProp(names, at, handle))
    })
    return names
  })
}
