import { Bash, defineCommand, type Command, type IFileSystem, type ResolvedCommandContext } from 'just-bash'
import {
  MAX_OUTPUT_CHARS,
  type CommandResult,
  type Machine,
  type OsDriver,
} from '../../../core/tasks/lab-os/machine'
import { Isolate, IsolateError } from '../../ground/isolate/isolate'
import type { CodeReply, CodeRequest } from '../isolate/work/code'
import { NODE_PRELUDE } from './node-prelude'

type Result = Awaited<ReturnType<Command['execute']>>

/** Bytes that all files of a system may hold together. */
const FILE_BYTES = 64 * 2 ** 20

const LIMITS = {
  maxCommandCount: 50_000,
  maxLoopIterations: 20_000,
  maxCallDepth: 50,
  maxFileSystemBytes: FILE_BYTES,
  maxLiveBytes: FILE_BYTES,
}

/**
 * Simulated systems for code: the shell in memory, and `node` (CommonJS, a few of its modules) and `python3` (its standard library) in walled-off
 * processes that get the folder's files and hand back what they changed. No network, no packages.
 */
export const createProgramsDriver = (): Promise<OsDriver> =>
  Promise.resolve({ id: 'simulated', open: () => Promise.resolve(openMachine()) })

function openMachine(): Machine {
  const python = new PythonProgram()
  const shell = new Bash({
    cwd: '/',
    customCommands: [
      defineCommand('node', (args, context) => node(args, context)),
      ...['python', 'python3'].map((name) =>
        defineCommand(name, (args, context) => python.run(args, context)),
      ),
    ],
    executionLimits: LIMITS,
    processInfo: { uid: 0, gid: 0 },
    defenseInDepth: false,
  })
  let isClosed = false
  return {
    async run(script, seconds): Promise<CommandResult> {
      if (isClosed) return { exitCode: null, output: '' }
      const since = performance.now()
      const signal = AbortSignal.timeout(seconds * 1000)
      const result = await shell
        .exec(script, { cwd: '/', signal, rawScript: true })
        .catch((error: unknown) => ({ exitCode: 1, stdout: '', stderr: `bash: ${wordsOf(error)}\n` }))
      const late = performance.now() - since > seconds * 1000
      const output = (result.stdout + result.stderr).slice(0, MAX_OUTPUT_CHARS)
      return { exitCode: late ? null : result.exitCode, output }
    },
    close() {
      isClosed = true
      python.end()
      return Promise.resolve()
    },
  }
}

const wordsOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/** The folder at the top that a command works in: what programs see. */
const topOf = (cwd: string): string => `/${cwd.split('/').find(Boolean) ?? ''}`

async function filesBelow(fs: IFileSystem, top: string): Promise<Map<string, Uint8Array>> {
  const bytesMap = new Map<string, Uint8Array>()
  if (top === '/') return bytesMap
  for (const path of fs.getAllPaths()) {
    if (path.startsWith(`${top}/`) && (await fs.stat(path)).isFile)
      bytesMap.set(path.slice(top.length + 1), await fs.readFileBuffer(path))
  }
  return bytesMap
}

async function takeOver(
  fs: IFileSystem,
  top: string,
  { changed, removed }: CodeReply['files'],
): Promise<void> {
  for (const [path, bytes] of changed) {
    const full = `${top}/${path}`
    await fs.mkdir(full.slice(0, full.lastIndexOf('/')), { recursive: true })
    await fs.writeFile(full, bytes)
  }
  for (const path of removed) await fs.rm(`${top}/${path}`, { force: true })
}

const answer = (text: string, exitCode: number): Result => ({
  stdout: text === '' || text.endsWith('\n') ? text : `${text}\n`,
  stderr: '',
  exitCode,
})

/** How long a program may take at most, in milliseconds; its command's own limit ends it before. */
const MOST_MS = 600_000

/** What a program is asked for: a text, a file or a module, with its arguments. */
interface Asked {
  readonly kind: 'text' | 'file' | 'module' | 'version'
  readonly what: string
  readonly args: readonly string[]
}

/** Reads the arguments of an interpreter; null for a kind of use that is not there. */
function askedOf(args: readonly string[], stdin: string, textFlags: readonly string[]): Asked | null {
  const [first, second = '', ...rest] = args
  if (first === undefined || first === '-') return { kind: 'text', what: stdin, args: [] }
  if (['-V', '--version', '-v'].includes(first)) return { kind: 'version', what: '', args: [] }
  if (textFlags.includes(first)) return { kind: 'text', what: second, args: rest }
  if (first === '-m') return { kind: 'module', what: second, args: rest }
  // Flags that only say how much is told, or how tests are found.
  if (/^-(?:[BEIOqsSu]+|-test)$/.test(first)) return askedOf(args.slice(1), stdin, textFlags)
  return first.startsWith('-') ? null : { kind: 'file', what: first, args: args.slice(1) }
}

const stdinOf = (context: ResolvedCommandContext): string =>
  Buffer.from(String(context.stdin), 'latin1').toString()

async function node(args: string[], context: ResolvedCommandContext): Promise<Result> {
  const askedRequest = askedOf(args, stdinOf(context), ['-e', '--eval'])
  if (askedRequest === null || askedRequest.kind === 'module')
    return answer(`node: ${args[0] ?? ''} is not available in the simulated system`, 9)
  if (askedRequest.kind === 'version') return answer('v20.0.0 (simulated)', 0)
  const top = topOf(context.cwd)
  const changes = [...(await filesBelow(context.fs, top))]
  const script = askedRequest.kind === 'text' ? null : context.fs.resolvePath(context.cwd, askedRequest.what)
  const argv = askedRequest.kind === 'text' ? [askedRequest.what] : askedRequest.args
  const main = [script, argv, context.cwd].map((part) => JSON.stringify(part)).join(', ')
  const isolate = new Isolate<CodeRequest, CodeReply>('javascript')
  try {
    const code = `${NODE_PRELUDE}\n__main(${main})`
    const request = {
      code,
      files: { changed: changes, removed: [] },
      folderBytes: FILE_BYTES,
      timeMs: MOST_MS,
    }
    const { printed, value, error, files } = await isolate.call(() => request, MOST_MS, context.signal)
    await takeOver(context.fs, top, files)
    if (error !== null) return answer(`${printed}${error}`, 1)
    return answer(printed, Number(value ?? 0) || 0)
  } catch (error) {
    if (error instanceof IsolateError) return answer(error.message, 137)
    throw error
  } finally {
    isolate.end()
  }
}

/** Where Python sees the folder. */
const PYTHON_FOLDER = '/task'

/** Runs what is asked for as its own program: modules of the folder are read anew, the folder it starts in is where it looks first. */
const START = `
def _start(kind, what, args, cwd, folder):
    import sys, os, runpy, importlib
    for name, module in list(sys.modules.items()):
        if str(getattr(module, '__file__', None) or '').startswith(folder + '/') or hasattr(module, '__path__') and any(str(p).startswith(folder + '/') for p in list(module.__path__)):
            del sys.modules[name]
    importlib.invalidate_caches()
    sys.dont_write_bytecode = True
    os.chdir(cwd)
    before = list(sys.path)
    try:
        if kind == 'module':
            sys.path.insert(0, cwd)
            sys.argv = [what, *args]
            runpy.run_module(what, run_name='__main__', alter_sys=True)
        elif kind == 'file':
            sys.path.insert(0, os.path.dirname(os.path.join(cwd, what)))
            sys.argv = [what, *args]
            runpy.run_path(what, run_name='__main__')
        else:
            sys.path.insert(0, cwd)
            sys.argv = ['-c', *args]
            exec(compile(what, '<string>', 'exec'), {'__name__': '__main__'})
    finally:
        sys.path[:] = before
        os.chdir(folder)
`

/** Python of one system: its process is started with the first script and goes on until the system is closed. */
class PythonProgram {
  #isolate: Isolate<CodeRequest, CodeReply> | null = null
  #generation = -1
  #known = new Map<string, Uint8Array>()

  end(): void {
    this.#isolate?.end()
    this.#isolate = null
  }

  async run(args: string[], context: ResolvedCommandContext): Promise<Result> {
    const request = askedOf(args, stdinOf(context), ['-c'])
    if (request === null)
      return answer(`python3: ${args[0] ?? ''} is not available in the simulated system`, 2)
    if (request.kind === 'version') return answer('Python 3 (simulated)', 0)
    const top = topOf(context.cwd)
    const isolate = (this.#isolate ??= new Isolate('python'))
    const inside = (path: string): string =>
      path.startsWith(top) ? PYTHON_FOLDER + path.slice(top.length) : path
    const words = [request.kind, request.kind === 'file' ? inside(request.what) : request.what].map((word) =>
      JSON.stringify(word),
    )
    const code = `${START}\n_start(${words.join(', ')}, ${JSON.stringify(request.args)}, ${JSON.stringify(inside(context.cwd))}, "${PYTHON_FOLDER}")`
    const now = await filesBelow(context.fs, top)
    try {
      const { printed, error, files } = await isolate.call(
        () => ({
          code,
          files: this.#changes(now, isolate.generation),
          folderBytes: FILE_BYTES,
          timeMs: MOST_MS,
        }),
        MOST_MS,
        context.signal,
      )
      this.#remember(now, files)
      await takeOver(context.fs, top, files)
      const getLabel = (text: string): string => text.replaceAll(`${PYTHON_FOLDER}/`, `${top}/`)
      if (error === null) return answer(getLabel(printed), 0)
      const exit = /^SystemExit: (.*)$/s.exec(error)
      if (!exit) return answer(getLabel(`${printed}${error}`), 1)
      const [, code_ = '1'] = exit
      return /^\d+$/.test(code_)
        ? answer(getLabel(printed), Number(code_))
        : answer(getLabel(code_ === 'True' ? printed : `${printed}${code_}`), 1)
    } catch (error) {
      if (error instanceof IsolateError) return answer(error.message, 137)
      throw error
    }
  }

  /** What its process does not know yet. */
  #changes(now: ReadonlyMap<string, Uint8Array>, generation: number): CodeRequest['files'] {
    if (generation !== this.#generation) this.#known = new Map()
    this.#generation = generation
    const isKnown = (path: string, bytes: Uint8Array): boolean => {
      const knownBytes = this.#known.get(path)
      return knownBytes !== undefined && Buffer.compare(knownBytes, bytes) === 0
    }
    return {
      changed: [...now].filter(([path, bytes]) => !isKnown(path, bytes)),
      removed: [...this.#known.keys()].filter((path) => !now.has(path)),
    }
  }

  #remember(now: Map<string, Uint8Array>, { changed, removed }: CodeReply['files']): void {
    this.#known = new Map([...now, ...changed])
    for (const path of removed) this.#known.delete(path)
  }
}
