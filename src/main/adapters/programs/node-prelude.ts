/**
 * A small Node inside QuickJS, over the folder's files: CommonJS modules, timers that run once nothing else is left to do, and the modules
 * `assert`, `events`, `fs`, `path`, `test` and `util` as far as tests need them. Ends with `__main(script, argv, cwd)`.
 */
export const NODE_PRELUDE = String.raw`
const __main = (() => {
  const fileSet = () => new Set(files.list())
  const parts = (path) => {
    const out = []
    for (const part of path.split('/')) {
      if (part === '' || part === '.') continue
      if (part === '..') out.pop()
      else out.push(part)
    }
    return out
  }
  class ProcessExit extends Error {
    constructor(code) { super(String(code)); this.name = 'ProcessExit' }
  }
  const timers = []
  let clock = 0, timerId = 0
  globalThis.setTimeout = (run, ms = 0, ...args) => {
    timers.push({ id: ++timerId, at: clock + Number(ms || 0), run: () => run(...args) })
    return timerId
  }
  globalThis.setImmediate = (run, ...args) => setTimeout(run, 0, ...args)
  globalThis.setInterval = (run, ms = 0, ...args) => {
    const id = ++timerId
    const again = () => timers.push({ id, at: clock + Math.max(1, ms), run: () => { run(...args); again() } })
    again()
    return id
  }
  globalThis.clearTimeout = globalThis.clearInterval = globalThis.clearImmediate = (id) => {
    for (let i = timers.length - 1; i >= 0; i--) if (timers[i].id === id) timers.splice(i, 1)
  }
  globalThis.queueMicrotask ??= (run) => { Promise.resolve().then(run) }
  globalThis.global = globalThis
  const settled = async () => {
    for (let i = 0; i < 50; i++) await null
    while (timers.length > 0) {
      timers.sort((a, b) => a.at - b.at || a.id - b.id)
      const next = timers.shift()
      clock = Math.max(clock, next.at)
      next.run()
      for (let i = 0; i < 50; i++) await null
    }
  }

  const same = (a, b, strict) => {
    if (strict ? Object.is(a, b) : a == b || (a !== a && b !== b)) return true
    if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false
    if (strict && Object.getPrototypeOf(a) !== Object.getPrototypeOf(b)) return false
    if (Array.isArray(a) !== Array.isArray(b)) return false
    if (a instanceof Date && b instanceof Date) return a.getTime() === b.getTime()
    if (a instanceof RegExp && b instanceof RegExp) return String(a) === String(b)
    if (a instanceof Map && b instanceof Map)
      return a.size === b.size && [...a].every(([key, value]) => b.has(key) && same(value, b.get(key), strict))
    if (a instanceof Set && b instanceof Set)
      return a.size === b.size && [...a].every((value) => b.has(value) || [...b].some((other) => same(value, other, strict)))
    if (a instanceof Error && (a.name !== b.name || a.message !== b.message)) return false
    const keys = Object.keys(a)
    return keys.length === Object.keys(b).length && keys.every((key) => key in b && same(a[key], b[key], strict))
  }
  const show = (value) => globalThis.__show(value)
  class AssertionError extends Error {
    constructor(message) { super(message); this.name = 'AssertionError'; this.code = 'ERR_ASSERTION' }
  }
  const fail = (message, otherwise) => {
    if (message instanceof Error) throw message
    throw new AssertionError(message ?? otherwise)
  }
  const fits = (error, expected) => {
    if (expected === undefined) return true
    if (expected instanceof RegExp) return expected.test(String(error))
    if (typeof expected === 'function')
      return expected.prototype !== undefined && error instanceof expected ? true : expected.prototype instanceof Error || expected === Error ? false : expected(error) === true
    return Object.entries(expected).every(([key, value]) => (value instanceof RegExp ? value.test(String(error?.[key])) : same(error?.[key], value, true)))
  }
  const assert = (value, message) => { if (!value) fail(message, 'The expression is ' + show(value)) }
  const check = (name, holds) => (actual, expected, message) => {
    if (!holds(actual, expected)) fail(message, name + ': ' + show(actual) + ' and ' + show(expected))
  }
  const strict = {
    ok: assert,
    fail: (message) => fail(message, 'Failed'),
    strictEqual: check('not strictly equal', Object.is),
    notStrictEqual: check('strictly equal', (a, b) => !Object.is(a, b)),
    deepStrictEqual: check('not deeply equal', (a, b) => same(a, b, true)),
    notDeepStrictEqual: check('deeply equal', (a, b) => !same(a, b, true)),
    match: check('no match', (text, pattern) => pattern.test(text)),
    doesNotMatch: check('a match', (text, pattern) => !pattern.test(text)),
    throws(run, expected, message) {
      let error, threw = false
      try { run() } catch (thrown) { error = thrown; threw = true }
      if (!threw) fail(typeof expected === 'string' ? expected : message, 'Missing expected exception')
      if (typeof expected !== 'string' && !fits(error, expected)) throw error
    },
    doesNotThrow: (run) => { run() },
    async rejects(promise, expected, message) {
      let error, threw = false
      try { await (typeof promise === 'function' ? promise() : promise) } catch (thrown) { error = thrown; threw = true }
      if (!threw) fail(message, 'Missing expected rejection')
      if (!fits(error, expected)) throw error
    },
    async doesNotReject(promise) { await (typeof promise === 'function' ? promise() : promise) },
    AssertionError,
  }
  Object.assign(assert, strict, {
    equal: check('not equal', (a, b) => a == b || (a !== a && b !== b)),
    notEqual: check('equal', (a, b) => a != b),
    deepEqual: check('not deeply equal', (a, b) => same(a, b, false)),
    notDeepEqual: check('deeply equal', (a, b) => !same(a, b, false)),
  })
  assert.strict = Object.assign((value, message) => assert(value, message), strict, {
    equal: strict.strictEqual, notEqual: strict.notStrictEqual,
    deepEqual: strict.deepStrictEqual, notDeepEqual: strict.notDeepStrictEqual,
  })
  assert.strict.strict = assert.strict

  const queue = []
  let failures = 0
  const hooks = { before: [], after: [], beforeEach: [], afterEach: [] }
  const test = (name, options, run) => {
    const work = typeof name === 'function' ? name : typeof options === 'function' ? options : run
    if (work && !(options && options.skip)) queue.push({ name: String(name), work })
    return Promise.resolve()
  }
  const describe = (name, options, run) => {
    const work = typeof options === 'function' ? options : run
    if (work) work()
  }
  Object.assign(test, { test, it: test, describe, suite: describe, skip: () => {}, todo: () => {} })
  describe.skip = test.skip
  for (const name of Object.keys(hooks)) test[name] = (run) => { hooks[name].push(run) }
  const runTests = async () => {
    for (const hook of hooks.before) await hook()
    while (queue.length > 0) {
      const { name, work } = queue.shift()
      try {
        for (const hook of hooks.beforeEach) await hook()
        await work({ test, name })
        for (const hook of hooks.afterEach) await hook()
        console.log('ok - ' + name)
      } catch (error) {
        if (error instanceof ProcessExit) throw error
        failures++
        console.log('not ok - ' + name + '\n' + String(error) + '\n' + (error?.stack ?? ''))
      }
    }
    for (const hook of hooks.after) await hook()
  }

  const join = (...all) => normalize(all.filter((part) => part !== '').join('/') || '.')
  const normalize = (path) => {
    const out = []
    for (const part of path.split('/')) {
      if (part === '' || part === '.') continue
      if (part === '..' && out.length > 0 && out.at(-1) !== '..') out.pop()
      else if (part !== '..' || !path.startsWith('/')) out.push(part)
    }
    return (path.startsWith('/') ? '/' : '') + out.join('/') || '.'
  }
  const basename = (path, ending = '') => {
    const name = path.split('/').filter(Boolean).at(-1) ?? ''
    return ending !== '' && name.endsWith(ending) && name !== ending ? name.slice(0, -ending.length) : name
  }
  const dirname = (path) => {
    const at = path.replace(/\/$/, '').lastIndexOf('/')
    return at < 0 ? '.' : at === 0 ? '/' : path.slice(0, at)
  }
  const extname = (path) => { const name = basename(path); const at = name.lastIndexOf('.'); return at > 0 ? name.slice(at) : '' }
  let cwd = '/'
  const resolve = (...all) => {
    let path = ''
    for (const part of [...all].reverse()) { path = path === '' ? part : part + '/' + path; if (part.startsWith('/')) break }
    return normalize(path.startsWith('/') ? path : cwd + '/' + path)
  }
  const relative = (from, to) => {
    const a = parts(resolve(from)), b = parts(resolve(to))
    while (a.length > 0 && b.length > 0 && a[0] === b[0]) { a.shift(); b.shift() }
    return [...a.map(() => '..'), ...b].join('/')
  }
  const path = { join, normalize, basename, dirname, extname, resolve, relative, sep: '/', delimiter: ':', isAbsolute: (p) => p.startsWith('/') }
  path.posix = path
  const inside = (name) => parts(resolve(String(name))).slice(1).join('/')
  const noFile = (name) => Object.assign(new Error("ENOENT: no such file or directory, open '" + name + "'"), { code: 'ENOENT' })
  const fs = {
    existsSync: (name) => files.list().some((file) => file === inside(name) || file.startsWith(inside(name) + '/')),
    readFileSync: (name, options) => {
      if (!fileSet().has(inside(name))) throw noFile(name)
      return options === undefined ? files.readBytes(inside(name)) : files.read(inside(name))
    },
    writeFileSync: (name, content) => files.write(inside(name), content),
    appendFileSync: (name, content) => files.write(inside(name), (fs.existsSync(name) ? files.read(inside(name)) : '') + content),
    unlinkSync: (name) => { if (!files.remove(inside(name))) throw noFile(name) },
    mkdirSync: () => {},
    readdirSync: (name) => {
      const folder = inside(name) === '' ? '' : inside(name) + '/'
      return [...new Set(files.list().filter((file) => file.startsWith(folder)).map((file) => file.slice(folder.length).split('/')[0]))]
    },
  }
  fs.promises = { readFile: async (...all) => fs.readFileSync(...all), writeFile: async (...all) => fs.writeFileSync(...all) }
  class EventEmitter {
    on(name, run) { ((this._on ??= {})[name] ??= []).push(run); return this }
    addListener(name, run) { return this.on(name, run) }
    once(name, run) { const only = (...args) => { this.off(name, only); run.apply(this, args) }; only.listener = run; return this.on(name, only) }
    off(name, run) { if (this._on?.[name]) this._on[name] = this._on[name].filter((one) => one !== run && one.listener !== run); return this }
    removeListener(name, run) { return this.off(name, run) }
    emit(name, ...args) { const all = this._on?.[name] ?? []; for (const run of [...all]) run.apply(this, args); return all.length > 0 }
    listenerCount(name) { return (this._on?.[name] ?? []).length }
  }
  EventEmitter.EventEmitter = EventEmitter
  const util = {
    inspect: show,
    isDeepStrictEqual: (a, b) => same(a, b, true),
    inherits: (child, parent) => { Object.setPrototypeOf(child.prototype, parent.prototype) },
    promisify: (run) => (...args) => new Promise((done, failed) => run(...args, (error, value) => (error ? failed(error) : done(value)))),
    format: (...all) => {
      const [first, ...rest] = all
      if (typeof first !== 'string') return all.map((one) => (typeof one === 'string' ? one : show(one))).join(' ')
      const text = first.replace(/%[sdijoO%]/g, (mark) => (mark === '%%' ? '%' : rest.length === 0 ? mark : mark === '%s' ? String(rest.shift()) : mark === '%d' || mark === '%i' ? String(Number(rest.shift())) : mark === '%j' ? JSON.stringify(rest.shift()) : show(rest.shift())))
      return [text, ...rest.map((one) => (typeof one === 'string' ? one : show(one)))].join(' ')
    },
  }
  const builtins = { assert, 'assert/strict': assert.strict, test, path, fs, 'fs/promises': fs.promises, util, events: EventEmitter }

  let line = ''
  const process = {
    argv: [], env: {}, exitCode: 0, platform: 'linux', version: 'v20.0.0', versions: { node: '20.0.0' },
    cwd: () => cwd,
    exit: (code) => { throw new ProcessExit(code ?? process.exitCode ?? 0) },
    on: () => process,
    nextTick: (run, ...args) => { Promise.resolve().then(() => run(...args)) },
    stdout: { write: (text) => { line += text; const at = line.lastIndexOf('\n'); if (at >= 0) { console.log(line.slice(0, at)); line = line.slice(at + 1) } return true } },
    hrtime: Object.assign(() => [Math.floor(Date.now() / 1000), 0], { bigint: () => BigInt(Date.now()) * 1000000n }),
    memoryUsage: () => ({ heapUsed: 0 }),
  }
  process.stderr = process.stdout
  globalThis.process = process

  const modules = new Map()
  const found = (name, all) =>
    [name, name + '.js', name + '.cjs', name + '.json', name + '/index.js'].find((one) => all.has(one))
  const locate = (asked, from) => {
    const all = fileSet()
    if (/^[./]/.test(asked)) return found(inside(asked.startsWith('/') ? asked : '/' + top + '/' + from + '/' + asked), all)
    for (let folder = parts(from); ; folder.pop()) {
      const base = [...folder, 'node_modules', asked].join('/')
      const about = base + '/package.json'
      const main = all.has(about) ? JSON.parse(files.read(about)).main ?? 'index.js' : 'index.js'
      const hit = found(base + '/' + main.replace(/^\.\//, ''), all) ?? found(base, all)
      if (hit || folder.length === 0) return hit
    }
  }
  let top = 'repo'
  // Code of the folder becomes code here, inside of QuickJS, and nowhere else.
  const compiled = (...all) => Reflect.construct(Function, all)
  const load = (file) => {
    const known = modules.get(file)
    if (known) return known.exports
    const module = { exports: {}, id: file, filename: '/' + top + '/' + file, loaded: false, children: [] }
    modules.set(file, module)
    const text = files.read(file)
    if (file.endsWith('.json')) { module.exports = JSON.parse(text); return module.exports }
    const folder = file.includes('/') ? file.slice(0, file.lastIndexOf('/')) : ''
    if (/\.mjs$/.test(file) || /^\s*(?:import\s[^(]|export\s)/m.test(text))
      throw new SyntaxError(file + ': ES modules are not available in the simulated system; require() is.')
    const require = (asked) => {
      const name = asked.replace(/^node:/, '')
      if (Object.hasOwn(builtins, name)) return builtins[name]
      const hit = locate(asked, folder)
      if (hit === undefined)
        throw Object.assign(new Error("Cannot find module '" + asked + "'; the simulated system has " + Object.keys(builtins).join(', ')), { code: 'MODULE_NOT_FOUND' })
      return load(hit)
    }
    require.main = modules.values().next().value
    require.resolve = (asked) => '/' + top + '/' + locate(asked, folder)
    const body = compiled('exports', 'require', 'module', '__filename', '__dirname', text.replace(/^#!.*/, '') + '\n//# sourceURL=' + file)
    body.call(module.exports, module.exports, require, module, module.filename, '/' + top + (folder === '' ? '' : '/' + folder))
    module.loaded = true
    return module.exports
  }

  return async (script, argv, where) => {
    cwd = where
    top = parts(where)[0] ?? 'repo'
    process.argv = ['node', script, ...argv]
    globalThis.require = (name) => load(locate(name, inside(where)))
    try {
      if (script === null) compiled('require', argv[0])((name) => {
        const plain = name.replace(/^node:/, '')
        if (Object.hasOwn(builtins, plain)) return builtins[plain]
        return load(locate(name, inside(where)) ?? name)
      })
      else {
        const file = found(inside(script), fileSet())
        if (file === undefined) throw new Error("Cannot find module '" + script + "'")
        load(file)
      }
      await settled()
      if (queue.length > 0) {
        // Timers of tests go on while they wait for them.
        let ended = false
        const all = runTests().finally(() => { ended = true })
        for (let i = 0; i < 10000 && !ended; i++) await settled()
        await all
      }
    } catch (error) {
      if (!(error instanceof ProcessExit)) throw error
      process.exitCode = Number(error.message)
    } finally {
      if (line !== '') { console.log(line); line = '' }
    }
    return failures > 0 ? 1 : process.exitCode
  }
})()
`
