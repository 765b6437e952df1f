import type { ChildProcess } from 'node:child_process'
import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { createORPCClient } from '@orpc/client'
import { dialSocket, exchangeKey } from '../../src/renderer/connection/dial-socket'
import type { LoamClient } from '../../src/renderer/client-type'
import { createBrowser, tokenOf } from '../contract/hosts'

const root = resolve(import.meta.dirname, '../..')
const entry = join(root, 'out/main/headless.js')

/** Whether there is a build to start. */
export const isBuilt = existsSync(entry) && existsSync(join(root, 'out/renderer/index.html'))

/** A headless host as a process of its own. */
export interface HeadlessProcess {
  readonly child: ChildProcess
  /** The address it printed. */
  readonly url: Promise<string>
  readonly ended: Promise<{ code: number | null; out: string; err: string }>
}

/** Starts the built host on a data folder. */
export const startHeadless = (data: string, ...args: string[]): HeadlessProcess =>
  startHeadlessAt(entry, data, ...args)

/** As {@link startHeadless}, with the program `entry` of another build. */
export function startHeadlessAt(entry: string, data: string, ...args: string[]): HeadlessProcess {
  const child = spawn(process.execPath, [entry, '--data', data, '--no-open', ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let out = ''
  let err = ''
  const url = new Promise<string>((found) => {
    child.stdout.on('data', (chunk) => {
      out += String(chunk)
      const match = /http:\/\/\S+\s/.exec(out)
      if (match) found(match[0].trim())
    })
  })
  child.stderr.on('data', (chunk) => (err += String(chunk)))
  const ended = new Promise<{ code: number | null; out: string; err: string }>((done) => {
    child.on('close', (code) => done({ code, out, err }))
  })
  return { child, url, ended }
}

/** Connects to a host the way a browser does. */
export async function connectTo(url: string): Promise<{ client: LoamClient; closed: Promise<void> }> {
  const browser = createBrowser(url)
  await exchangeKey(tokenOf(url), browser)
  const { link, closed } = await dialSocket(browser)
  return { client: createORPCClient(link), closed }
}

/** Ids of a process's children; only on Linux. */
export function childrenOf(pid: number): number[] {
  const text = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim()
  return text === '' ? [] : text.split(' ').map(Number)
}

/** Whether a process runs; one that only waits to be reaped does not. */
export function isRunning(pid: number): boolean {
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
  } catch {
    return false
  }
}
