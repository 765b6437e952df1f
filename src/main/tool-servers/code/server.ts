import { mkdir, mkdtemp, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import { z } from 'zod'
import { addTool, fail, say, page, PAGE } from '../answer'
import { Isolate, IsolateError } from '../../ground/isolate/isolate'
import type { CodeOptions } from './options'
import { findAllowed } from '../roots'
import type { ToolServer } from '../module'
import { PythonLibraries } from './libraries'
import { TaskFolder, type FolderView } from './task-folder'
import { walkFolder } from '../../ground/walk-folder'
import type { CodeReply, CodeRequest, FileChanges } from '../../adapters/isolate/work/code'
import { isPlain, readPlain } from '../../adapters/isolate/work/formats/plain'

const MIB = 1024 * 1024
/** Milliseconds beyond the time limit before an interpreter that did not stop by itself is ended. */
const GRACE_MS = 1000
/** Milliseconds that loading a library may take besides. */
const LIBRARY_MS = 20_000

/** One language's interpreter and what it knows of the folder. */
class Interpreter {
  readonly #isolate: Isolate<CodeRequest, CodeReply>
  #view: FolderView = new Map()
  #generation = 0

  constructor(
    language: 'javascript' | 'python' | 'shell',
    readonly folder: TaskFolder,
    readonly options: CodeOptions,
    readonly libraries: PythonLibraries | null = null,
  ) {
    const { memoryLimit: memoryMb } = options
    this.#isolate = new Isolate(language, {
      limits: { wasmMb: memoryMb, processMb: memoryMb + 700 },
      ...(libraries && { folder: libraries.folder }),
    })
  }

  /** Runs code and takes over the files it wrote. What went wrong in the code is part of the answer. */
  async run(code: string, signal: AbortSignal): Promise<CallToolResult> {
    const timeMs = this.options.timeLimit * 1000
    const libraries = (await this.libraries?.ready(code, signal)) ?? []
    try {
      const reply = await this.#isolate.call(
        async () => {
          if (this.#isolate.generation !== this.#generation) {
            this.#generation = this.#isolate.generation
            this.#view = new Map()
          }
          const files = await this.folder.changesFor(this.#view)
          return { code, files, folderBytes: this.folder.mostBytes, timeMs, libraries }
        },
        timeMs + GRACE_MS + libraries.length * LIBRARY_MS,
        signal,
      )
      return describe(reply, await this.#keep(reply.files))
    } catch (error) {
      if (!(error instanceof IsolateError) || error.reason === 'problem') throw error
      return fail(`${error.message} Names defined before are gone, and so is what this call wrote to files.`)
    }
  }

  /** What could not be kept must not live on in the interpreter either. */
  async #keep(files: FileChanges): Promise<string[]> {
    try {
      return await this.folder.apply(files, this.#view)
    } catch (error) {
      this.reset()
      throw error
    }
  }

  reset(): void {
    this.#isolate.end()
  }
}

function describe(reply: CodeReply, outputs: readonly string[]): CallToolResult {
  const parts = [
    reply.printed.trimEnd(),
    reply.value === null ? '' : reply.value,
    reply.error ?? '',
    outputs.length === 0 ? '' : `[wrote ${outputs.join(', ')}]`,
  ].filter((part) => part !== '')
  const text = parts.length === 0 ? '(no output)' : parts.join('\n')
  return reply.error === null ? say(text) : fail(text)
}

/** JavaScript and Python in WebAssembly and a simulated shell, over one folder that lasts. */
export async function openCodeServer(options: CodeOptions, version: string): Promise<ToolServer> {
  const path = options.root[0] ?? (await mkdtemp(join(tmpdir(), 'loam-task-')))
  await mkdir(path, { recursive: true })
  const folder = new TaskFolder(path, options.folderLimit * MIB)
  const libraries =
    options.libraries === ''
      ? null
      : new PythonLibraries(options.libraries, options.network, options.librariesFrom)
  if (libraries) await mkdir(libraries.folder, { recursive: true })
  const interpreters = {
    javascript: new Interpreter('javascript', folder, options),
    python: new Interpreter('python', folder, options, libraries),
    shell: new Interpreter('shell', folder, options),
  }
  const mcp = new McpServer({ name: 'loam-code', version })
  const code = z.string().min(1).max(200_000)
  const limits = `At most ${options.timeLimit} s and ${options.memoryLimit} MiB; no network, no shell.`
  addTool(mcp, {
    name: 'run_python',
    description:
      `Runs Python 3 with its standard library${libraries ? ' and, where they are on this machine or the network is on, numpy, pandas and other libraries of Pyodide' : ' (no numpy, no pandas)'}; no pip. Answers what it prints and the ` +
      `value of its last expression. Names stay defined; files of the task lie in the current folder. ${limits}`,
    input: { code },
    answer: (args, signal) => interpreters.python.run(args.code, signal),
  })
  addTool(mcp, {
    name: 'run_javascript',
    description:
      'Runs JavaScript (ES2023) and answers what it logs and the value of its last expression. Names stay defined. ' +
      `Files of the task: files.list(), files.read(name), files.readBytes(name), files.write(name, content), files.remove(name). ${limits}`,
    input: { code },
    answer: (args, signal) => interpreters.javascript.run(args.code, signal),
  })
  addTool(mcp, {
    name: 'run_shell',
    description:
      'Runs a script in a simulated bash (ls, cat, grep, sed, awk, sort, find, tar, jq and the like) and answers what it writes. ' +
      `It begins in the folder of the task and keeps only files. There are no other programs. ${limits.replace(', no shell', '')}`,
    input: { script: code },
    answer: (args, signal) => interpreters.shell.run(args.script, signal),
  })
  addTool(mcp, {
    name: 'list_files',
    description: 'Names and sizes of the files in the task folder.',
    input: {},
    answer: async () => {
      const { files, more } = await walkFolder(path, 500)
      const lines = files.map(({ name, bytes }) => `${name} (${bytes} bytes)`)
      return lines.length === 0
        ? 'The folder is empty.'
        : [...lines, ...(more ? ['and more'] : [])].join('\n')
    },
  })
  addTool(mcp, {
    name: 'read_file',
    description: 'Text of a file in the task folder, page by page.',
    input: {
      path: z.string().min(1),
      ...PAGE,
    },
    answer: async (args) => {
      const file = await findAllowed([path], args.path)
      if (file.bytes > folder.mostBytes) throw new Error(`${args.path} is too large to be read.`)
      const bytes = await readFile(file.path)
      if (!isPlain(bytes)) throw new Error(`${args.path} is not a text file.`)
      return page(readPlain(bytes, args.path), args.offset, args.limit)
    },
  })
  addTool(mcp, {
    name: 'write_file',
    description: 'Writes a text file into the task folder; one of that name is replaced.',
    input: { path: z.string().min(1).max(200), text: z.string().max(2_000_000) },
    answer: async (args) => {
      const bytes = new TextEncoder().encode(args.text)
      const { files } = await walkFolder(path, 2000)
      const others = files.filter(({ name }) => name !== args.path).reduce((sum, file) => sum + file.bytes, 0)
      if (others + bytes.length > folder.mostBytes)
        throw new Error(`The task's folder may hold at most ${folder.mostBytes} bytes.`)
      await folder.apply({ changed: [[args.path, bytes]], removed: [] }, new Map())
      return `Wrote ${bytes.length} bytes to ${args.path}.`
    },
  })
  addTool(mcp, {
    name: 'reset_session',
    description: 'Forgets every name that code has defined. Files stay.',
    input: { language: z.enum(['python', 'javascript']) },
    answer: (args) => {
      interpreters[args.language].reset()
      return 'Starting anew with the next call.'
    },
  })
  const close = (): void => {
    for (const interpreter of Object.values(interpreters)) interpreter.reset()
  }
  return { mcp, close }
}
