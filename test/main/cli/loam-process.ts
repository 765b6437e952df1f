import { spawn, type ChildProcess } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { main } from '../../../src/main/cli/main'

export interface Ended {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  readonly out: string
  readonly err: string
}

/** What Node is given to run `loam`: the build where the whole suite made one, else the source. */
export const LOAM_CLI: readonly string[] = process.env['LOAM_BUILT']
  ? [join(process.env['LOAM_BUILT'], 'cli/index.js')]
  : ['--import', 'tsx', 'src/main/cli/index.ts']

/** `loam` as a process of its own. */
export function loam(...args: string[]): { child: ChildProcess; ended: Promise<Ended> } {
  const child = spawn(process.execPath, [...LOAM_CLI, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let out = ''
  let err = ''
  child.stdout.on('data', (chunk) => (out += String(chunk)))
  child.stderr.on('data', (chunk) => (err += String(chunk)))
  const ended = new Promise<Ended>((resolve) => {
    child.on('close', (code, signal) => {
      resolve({ code, signal, out, err })
    })
  })
  return { child, ended }
}

/** `loam` in this process, which saves the start of a program: for what does not depend on being one. */
export async function loamHere(...args: string[]): Promise<Ended> {
  const [out, err]: [string[], string[]] = [[], []]
  const say = (line: string): void => void out.push(`${line}\n`)
  const code = await main(args, {
    ...{ signal: new AbortController().signal, ask: null, color: false, type: null },
    ...{ out: say, tell: say, note: (line) => void err.push(`${line}\n`) },
    ...{ status: () => {}, endStatus: () => {} },
  })
  return { code, signal: null, out: out.join(''), err: err.join('') }
}

/** The JSON object that `--json` ends with. */
export const lastLine = (text: string): unknown => JSON.parse(text.trimEnd().split('\n').at(-1) ?? '')

/** A host's child process whose command names `entry`; null when there is none, or the system does not tell. */
export async function childOf(pid: number, entry: 'engine/index' | 'engine/trainer'): Promise<number | null> {
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8').catch(() => '')
  for (const child of children.trim().split(' ').filter(Boolean)) {
    const command = await readFile(`/proc/${child}/cmdline`, 'utf8').catch(() => '')
    if (command.includes(entry)) return Number(child)
  }
  return null
}

/** Waits until a process is gone; one that only waits to be collected by its parent counts as gone. */
export async function gone(pid: number): Promise<void> {
  for (;;) {
    const status = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => null)
    if (status === null || status.slice(status.lastIndexOf(')') + 2).startsWith('Z')) return
    await sleep(20)
  }
}
