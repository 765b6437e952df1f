import { spawn, type ChildProcess, type ChildProcessWithoutNullStreams } from 'node:child_process'
import { StringDecoder } from 'node:string_decoder'
import crossSpawn from 'cross-spawn'
import { getDefaultEnvironment } from '@modelcontextprotocol/sdk/client/stdio.js'
import { serializeMessage } from '@modelcontextprotocol/sdk/shared/stdio.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import { JSONRPCMessageSchema, type JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js'
import { LinePieces } from '../../core/ground/line-pieces'
import { createSerial } from '../../shared/serial'
import { READ_IN_HOST, readMessage } from '../ground/isolate/foreign-answer'
import { MOST_MESSAGE_BYTES } from './answer-lines'

/** Milliseconds a server has to end by itself once its input is closed, and again after SIGTERM. */
const END_MS = 500
const STDERR_KEPT = 2000

export interface ProcessServer {
  readonly command: string
  readonly args: readonly string[]
  /** Variables beside the few harmless ones every server gets (PATH, HOME and the like). */
  readonly env: Readonly<Record<string, string>>
  readonly cwd?: string
}

/**
 * A server on the standard input and output of a process that leads a group of its own (Windows: a tree), so that closing
 * ends whatever it started as well.
 */
export class ProcessTransport implements Transport {
  onclose?: () => void
  onerror?: (error: Error) => void
  onmessage?: (message: JSONRPCMessage) => void
  readonly #lines = new LinePieces()
  readonly #decoder = new StringDecoder('utf8')
  /** Bytes of the message that has not ended. */
  #bytes = 0
  readonly #inTurn = createSerial()
  #child: ChildProcess | null = null
  #ended: Promise<void> = Promise.resolve()
  #said = ''
  #end: string | null = null

  constructor(private readonly server: ProcessServer) {}

  get pid(): number | undefined {
    return this.#child?.pid
  }

  /** How the process ended, with the last it said; null while it runs. */
  get ending(): string | null {
    if (this.#end === null) return null
    const last = this.#said.trim().split('\n').slice(-3).join(' | ')
    return last === '' ? this.#end : `${this.#end}; it said: ${last}`
  }

  start(): Promise<void> {
    const { command, args, env, cwd } = this.server
    // On Windows `npx` and other .cmd files start only through the command interpreter, safely quoted.
    const child = crossSpawn(command, [...args], {
      env: { ...getDefaultEnvironment(), ...env },
      stdio: 'pipe',
      detached: process.platform !== 'win32',
      windowsHide: true,
      ...(cwd !== undefined && { cwd }),
    }) as ChildProcessWithoutNullStreams
    this.#child = child
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      this.#said = (this.#said + text).slice(-STDERR_KEPT)
    })
    child.stdout.on('data', (chunk: Buffer) => this.#read(chunk))
    child.stdin.on('error', () => undefined)
    return new Promise<void>((resolve, reject) => {
      this.#ended = new Promise<void>((getEnding) => {
        const finish = (reason: string): void => {
          this.#end ??= reason
          // A server that is gone may have left something running.
          this.#signal('SIGKILL')
          getEnding()
          // After what it said last, which may still be read.
          void this.#inTurn(() => Promise.resolve(this.onclose?.()))
        }
        child.once('error', (error) => {
          reject(error)
          finish(`it could not be started (${error.message})`)
        })
        child.once('exit', (code, by) => {
          // What it said last arrives after its end.
          setImmediate(() =>
            finish(by === null ? `its process ended with code ${code}` : `its process was ended by ${by}`),
          )
        })
      })
      child.once('spawn', resolve)
    })
  }

  send(message: JSONRPCMessage): Promise<void> {
    const { stdin } = this.#child ?? {}
    if (!stdin || this.#end !== null) return Promise.reject(new Error('The server is not running.'))
    return new Promise<void>((resolve) => {
      if (stdin.write(serializeMessage(message))) resolve()
      else stdin.once('drain', resolve)
    })
  }

  /** Closes the server's input, then ends its whole group. */
  async close(): Promise<void> {
    if (this.#child === null || this.#end !== null) return
    this.#child.stdin?.end()
    if (await this.#endsWithin(END_MS)) return
    this.#signal('SIGTERM')
    if (await this.#endsWithin(END_MS)) return
    this.kill('it was closed')
    await this.#ended
  }

  /** Ends the whole group at once. `why` is what `ending` will say. */
  kill(why: string): void {
    this.#end ??= why
    this.#signal('SIGKILL')
  }

  #endsWithin(ms: number): Promise<boolean> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => resolve(false), ms)
      void this.#ended.then(() => {
        clearTimeout(timer)
        resolve(true)
      })
    })
  }

  #signal(signal: NodeJS.Signals): void {
    const pid = this.#child?.pid
    if (pid === undefined) return
    if (process.platform === 'win32') {
      spawn('taskkill', ['/pid', String(pid), '/T', '/F'], { stdio: 'ignore', windowsHide: true }).on(
        'error',
        () => this.#child?.kill(signal),
      )
      return
    }
    try {
      process.kill(-pid, signal)
    } catch {
      // Nobody of the group is left.
    }
  }

  #read(chunk: Buffer): void {
    const end = chunk.lastIndexOf(0x0a)
    this.#bytes = end < 0 ? this.#bytes + chunk.length : chunk.length - end - 1
    const lines = this.#lines.push(this.#decoder.write(chunk)).filter((line) => line !== '')
    for (const line of lines) void this.#inTurn(() => this.#take(line))
    if (lines.some((line) => line.length > READ_IN_HOST)) this.#waitForReading()
    if (this.#bytes > MOST_MESSAGE_BYTES)
      this.kill(`it sent a message of more than ${MOST_MESSAGE_BYTES} bytes and was ended`)
  }

  /** While a long message is read, the server may not say more than a pipe holds. */
  #waitForReading(): void {
    const stdout = this.#child?.stdout
    stdout?.pause()
    void this.#inTurn(() => Promise.resolve(stdout?.resume()))
  }

  async #take(line: string): Promise<void> {
    let message: JSONRPCMessage
    try {
      message = JSONRPCMessageSchema.parse(await readMessage(line, `A message of ${this.server.command}`))
    } catch (error) {
      // A line that is no message, such as a stray print: said to whoever asks, and passed over.
      this.onerror?.(error as Error)
      // Whoever waits for a long one would wait for ever.
      if (line.length > READ_IN_HOST)
        this.kill(`it sent a message that cannot be read: ${(error as Error).message}`)
      return
    }
    this.onmessage?.(message)
  }
}
