import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { loadPyodide, type PyodideInterface } from 'pyodide'
import { BrokenWork, type Work } from '../../../ground/isolate/protocol'
import { cutValue, folderFull, Printed, type CodeReply, type CodeRequest, type FileChanges } from './code'

/** Where the task's folder is, seen from Python; also where it starts. */
const FOLDER = '/task'
/** Files in it that are looked at after a call. */
const MOST_FILES = 2000

/** Runs code as a notebook cell: globals stay, the last expression's value is shown, errors begin at the cell's own lines. */
const RUNNER = `
import sys as _sys, traceback as _traceback
from pyodide.code import eval_code as _eval_code
_cell = {'__name__': '__main__'}
def _run(source):
    try:
        value = _eval_code(source, _cell, filename='<task>')
        return (None if value is None else repr(value), None)
    except SystemExit as stop:
        return (None, None if stop.code in (None, 0) else f'SystemExit: {stop.code}')
    except BaseException as error:
        trace = error.__traceback__
        while trace is not None and trace.tb_frame.f_code.co_filename != '<task>':
            trace = trace.tb_next
        return (None, ''.join(_traceback.format_exception(type(error), error, trace)).rstrip())
    finally:
        _sys.stdout.flush()
        _sys.stderr.flush()
_run
`

/**
 * Python in Pyodide with its standard library, and with libraries of a folder of this machine where there is one. Names stay defined from call to
 * call for as long as the process lives.
 *
 * @param libraries a folder with wheels, and its own `pyodide-lock.json` where it has one; null: there are none
 */
export async function openPython(libraries: string | null = null): Promise<Work<CodeRequest, CodeReply>> {
  const printed = new Printed()
  const python = await loadPyodide({
    indexURL: join(dirname(createRequire(import.meta.url).resolve('pyodide/package.json')), '/'),
    ...(libraries !== null && (await librariesIn(libraries))),
    // What Python's "js" module would show: nothing of the host.
    jsglobals: Object.create(null) as object,
    env: { HOME: FOLDER },
    stdin: () => null,
  })
  const print = {
    write: (bytes: Uint8Array): number => (printed.add(new TextDecoder().decode(bytes)), bytes.length),
  }
  python.setStdout(print)
  python.setStderr(print)
  python.FS.mkdirTree(FOLDER)
  python.FS.chdir(FOLDER)
  const run = python.runPython(RUNNER) as (source: string) => {
    toJs(): [string | undefined, string | undefined]
    destroy(): void
  }
  const folder = new PythonFolder(python)

  const evaluate = (code: string): [value: string | undefined, error: string | undefined] => {
    const result = run(code)
    try {
      return result.toJs()
    } finally {
      result.destroy()
    }
  }
  /** Whether the interpreter still works: after a fatal error, or with its memory used up, nothing does. */
  const works = (): boolean => {
    try {
      return evaluate('len(list(range(1000)))')[0] === '1000'
    } catch {
      return false
    }
  }

  /** @throws Error in words where one of them cannot be loaded */
  const load = async (names: readonly string[]): Promise<void> => {
    const fresh = names.filter((name) => !(name in python.loadedPackages))
    if (fresh.length === 0) return
    const messages: string[] = []
    const note = (text: string): void => void messages.push(text)
    await python.loadPackage(fresh, { messageCallback: () => undefined, errorCallback: note })
    const gaps = fresh.filter((name) => !(name in python.loadedPackages))
    if (gaps.length > 0)
      throw new Error(`${gaps.join(', ')} could not be loaded. ${messages.join(' ')}`.trim())
  }

  return async ({ code, files, folderBytes, libraries: targets = [] }) => {
    await load(targets)
    folder.receive(files)
    let value: string | undefined
    let error: string | undefined
    try {
      ;[value, error] = evaluate(code)
    } catch (reason) {
      // Python's own errors are answers; what is thrown out here is the interpreter's.
      error = reason instanceof Error ? reason.message : String(reason)
    }
    if (error !== undefined && !works())
      throw new BrokenWork(
        `Python could not go on after this and is started anew: ${cutValue(error.trim())}.`,
      )
    const changes = folder.changes(folderBytes)
    return {
      printed: printed.take(),
      value: value === undefined ? null : cutValue(value),
      error: error === undefined ? null : cutValue(error),
      files: changes,
    }
  }
}

/** How Pyodide finds libraries that lie in a folder. */
async function librariesIn(folder: string) {
  const list = await readFile(join(folder, 'pyodide-lock.json'), 'utf8').catch(() => null)
  const packageCacheDir = join(folder, '/')
  return list === null
    ? { packageCacheDir }
    : { packageCacheDir, packageBaseUrl: packageCacheDir, lockFileContents: list }
}

interface Seen {
  readonly size: number
  readonly time: number
}

/** The task's folder in Python's in-memory file system. */
class PythonFolder {
  readonly #fs: PyodideInterface['FS']
  #known = new Map<string, Seen>()

  constructor(python: PyodideInterface) {
    this.#fs = python.FS
  }

  receive({ changed, removed }: FileChanges): void {
    for (const path of removed) {
      if (this.#known.delete(path)) this.#fs.unlink(`${FOLDER}/${path}`)
    }
    for (const [path, bytes] of changed) {
      const full = `${FOLDER}/${path}`
      this.#fs.mkdirTree(dirname(full))
      this.#fs.writeFile(full, bytes)
      // A time no write gives, so that any later write shows.
      this.#fs.utime(full, 0, 0)
      this.#known.set(path, { size: bytes.length, time: 0 })
    }
  }

  /** What differs since the last call. @throws Error when the folder holds too much */
  changes(limit: number): FileChanges {
    const foundMap = this.#walk('')
    const total = [...foundMap.values()].reduce((sum, { size }) => sum + size, 0)
    if (total > limit) throw folderFull(total, limit)
    const changes = [...foundMap].flatMap(([path, { size, time }]) => {
      const record = this.#known.get(path)
      if (record?.size === size && record.time === time) return []
      const full = `${FOLDER}/${path}`
      const bytes = this.#fs.readFile(full) as Uint8Array
      this.#fs.utime(full, 0, 0)
      foundMap.set(path, { size, time: 0 })
      return [[path, bytes] as const]
    })
    const removals = [...this.#known.keys()].filter((path) => !foundMap.has(path))
    this.#known = foundMap
    return { changed: changes, removed: removals }
  }

  #walk(folder: string, foundMap = new Map<string, Seen>()): Map<string, Seen> {
    for (const name of this.#fs.readdir(`${FOLDER}/${folder}`) as string[]) {
      if (name === '.' || name === '..') continue
      const path = folder === '' ? name : `${folder}/${name}`
      const info = this.#fs.lstat(`${FOLDER}/${path}`) as { mode: number; size: number; mtime: Date }
      if (this.#fs.isDir(info.mode)) this.#walk(path, foundMap)
      else if (this.#fs.isFile(info.mode)) foundMap.set(path, { size: info.size, time: info.mtime.getTime() })
      if (foundMap.size > MOST_FILES)
        throw new Error(`The task's folder would hold more than ${MOST_FILES} files.`)
    }
    return foundMap
  }
}
