import { newQuickJSWASMModule, type QuickJSContext, type QuickJSWASMModule } from 'quickjs-emscripten'
import type { Sandbox, SandboxHost, SandboxRun } from '../../../core/sheets/sandbox'

/**
 * What code in the sandbox finds: `workbook`, its sheets, and `print`. Addresses are as in a sheet (`B3`, `B3:D7`); rows count from 1. `host`
 * takes and gives JSON and is out of reach of what runs later.
 */
const PRELUDE = `
(() => {
  const ask = globalThis.__host
  delete globalThis.__host
  const { parse, stringify } = JSON
  const host = (operation, ...args) => parse(ask(operation, stringify(args)))
  class Sheet {
    constructor(name) { this.name = name }
    get lastRow() { return host('size', this.name)[0] }
    get lastColumn() { return host('size', this.name)[1] }
    get(address) { return host('get', this.name, address)[0][0] }
    set(address, value) { host('set', this.name, address, [[value]]) }
    getRange(range) { return host('get', this.name, range) }
    setRange(start, rows) { host('set', this.name, start, rows) }
    getFormula(address) { return host('formula', this.name, address) }
    clear(range) { host('clear', this.name, range) }
    insertRows(row, count = 1) { host('shift', this.name, 'row', row, count) }
    deleteRows(row, count = 1) { host('shift', this.name, 'row', row, -count) }
    insertColumns(column, count = 1) { host('shift', this.name, 'column', column, count) }
    deleteColumns(column, count = 1) { host('shift', this.name, 'column', column, -count) }
    rename(name) { host('rename', this.name, name); this.name = name }
    delete() { host('delete', this.name) }
  }
  globalThis.workbook = Object.freeze({
    get sheetNames() { return host('names') },
    sheet(name) { host('size', name); return new Sheet(name) },
    addSheet(name) { host('add', name); return new Sheet(name) },
  })
  globalThis.print = (...values) => {
    host('print', values.map((value) => (typeof value === 'string' ? value : stringify(value) ?? String(value))).join(' '))
  }
  globalThis.console = Object.freeze({ log: globalThis.print })
  // The same code has to do the same each time it runs.
  let state = 1
  Math.random = () => (state = (state * 16807) % 2147483647) / 2147483647
})()
`

export interface SandboxLimits {
  /** Bytes. Default 64 MiB. */
  readonly memory?: number
  /** Steps of the interpreter in units of its own, about 10,000 operations each. Default 10,000. */
  readonly steps?: number
  /** Wall time in milliseconds, as a last resort where steps do not count. Default 10,000. */
  readonly ms?: number
  /** Characters that may be printed; what goes beyond is cut. Default 4,000. */
  readonly output?: number
}

/** Well below what WebAssembly itself is given, so that QuickJS notices first. */
const STACK_BYTES = 128 * 1024
const TOO_DEEP = 'The code calls itself too deeply.'

const OUT_OF_MEMORY = 'The code took too much memory.'

/** Loads the interpreter; each run gets a world of its own. */
export async function createSandbox(limits: SandboxLimits = {}): Promise<Sandbox> {
  let quickjs: Promise<QuickJSWASMModule> = newQuickJSWASMModule()
  await quickjs
  return {
    async run(code, host) {
      const { result, isBroken } = runOnce(await quickjs, code, host, limits)
      if (isBroken) quickjs = newQuickJSWASMModule()
      return result
    },
  }
}

/** `isBroken`: the interpreter must not be used again. */
function runOnce(
  quickjs: QuickJSWASMModule,
  code: string,
  host: SandboxHost,
  limits: SandboxLimits,
): { readonly result: SandboxRun; readonly isBroken: boolean } {
  const { memory = 64 * 1024 * 1024, steps = 10_000, ms = 10_000, output = 4_000 } = limits
  const runtime = quickjs.newRuntime()
  runtime.setMemoryLimit(memory)
  runtime.setMaxStackSize(STACK_BYTES)
  const deadline = Date.now() + ms
  let remainingCount = steps
  runtime.setInterruptHandler(() => --remainingCount < 0 || Date.now() > deadline)
  const context = runtime.newContext()
  let printed = ''
  const answer = (operation: string, args: readonly unknown[]): unknown => {
    if (Date.now() > deadline) throw new Error('interrupted')
    if (operation !== 'print') return host(operation, args) ?? null
    if (printed.length <= output) printed += `${String(args[0])}\n`
    return null
  }
  const ask = context.newFunction('__host', (operation, args) =>
    context.newString(
      JSON.stringify(answer(context.getString(operation), JSON.parse(context.getString(args)) as unknown[])),
    ),
  )
  context.setProp(context.global, '__host', ask)
  ask.dispose()
  const error = evaluate(context, PRELUDE) ?? evaluate(context, `(() => {\n${code}\n})()`)
  const text =
    printed.length > output ? `${printed.slice(0, output)}\n[cut after ${output} characters]` : printed
  const result = {
    printed: text.trimEnd(),
    error: error !== null && remainingCount < 0 ? 'The code took too long.' : error,
  }
  // Out of memory or stack, QuickJS loses count of what it holds and aborts when it is asked to clean up.
  if (error === OUT_OF_MEMORY || error === TOO_DEEP) return { result, isBroken: true }
  try {
    context.dispose()
    runtime.dispose()
    return { result, isBroken: false }
  } catch {
    return { result, isBroken: true }
  }
}

/** Null when the stack of WebAssembly itself ran out. */
function evalCode(context: QuickJSContext, code: string) {
  try {
    return context.evalCode(code, 'code.js')
  } catch (error) {
    if (error instanceof RangeError) return null
    throw error
  }
}

/** Why the code failed; null when it did not. */
function evaluate(context: QuickJSContext, code: string): string | null {
  const result = evalCode(context, code)
  if (result === null) return TOO_DEEP
  if (!result.error) {
    result.value.dispose()
    return null
  }
  const error = context.dump(result.error) as unknown
  result.error.dispose()
  if (typeof error !== 'object' || error === null) return String(error)
  const { name = 'Error', message = '' } = error as { name?: string; message?: string }
  if (message === 'interrupted') return 'The code took too long.'
  return message === 'out of memory' ? OUT_OF_MEMORY : `${name}: ${message}`
}
