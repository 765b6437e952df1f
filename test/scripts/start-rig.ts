import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { zipSync, strToU8 } from 'fflate'

const root = resolve(import.meta.dirname, '../..')
const manifest = JSON.parse(readFileSync(join(root, 'node_modules/electron/package.json'), 'utf8')) as {
  version: string
}

/** A made-up Electron archive whose program is a shell script. */
export function madeUpArchive(script: string): Uint8Array {
  return zipSync({
    electron: [strToU8(`#!/bin/sh\n${script}\n`), { os: 3, attrs: 0o755 << 16 }],
    version: strToU8(manifest.version),
  })
}

/** What a mirror does when the archive is asked for. */
export type Mirror = 'whole' | 'damaged' | 'missing' | 'silent' | 'stalling'

/** A mirror of Electron's releases on the loopback address. */
export async function startMirror(
  archive: Uint8Array,
  how: Mirror,
): Promise<{ url: string; close: () => void }> {
  const name = `electron-v${manifest.version}-linux-x64.zip`
  const sum = createHash('sha256').update(archive).digest('hex')
  const server = createServer((request, response) => {
    if (how === 'silent') return
    if (request.url?.endsWith('SHASUMS256.txt')) {
      response.end(`${sum} *${name}\n`)
      return
    }
    if (how === 'missing' || !request.url?.endsWith(name)) {
      response.writeHead(404).end()
      return
    }
    const body = how === 'damaged' ? archive.map((byte, i) => (i === 40 ? byte ^ 255 : byte)) : archive
    response.writeHead(200, { 'content-length': body.length })
    if (request.method === 'HEAD') response.end()
    else if (how === 'stalling') response.write(body.subarray(0, 10))
    else response.end(body)
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

/** A copy of this project as it is after `npm install`: the build, and an Electron package without its program. */
export function freshProject(needsNode?: string): { folder: string; remove: () => void } {
  const base = mkdtempSync(join(tmpdir(), 'loam-fresh-'))
  const folder = join(base, 'project')
  const modules = join(folder, 'node_modules')
  const electron = join(modules, 'electron')
  mkdirSync(electron, { recursive: true })
  symlinkSync(join(root, 'out'), join(folder, 'out'))
  // Sources older than any build, so that nothing is built here.
  for (const name of [
    'src',
    'package.json',
    'package-lock.json',
    'tsconfig.base.json',
    'electron.vite.config.ts',
  ]) {
    writeFileSync(join(folder, name), '{}')
    utimesSync(join(folder, name), 0, 0)
  }
  cpSync(join(root, 'scripts'), join(folder, 'scripts'), { recursive: true })
  for (const name of ['install.js', 'package.json', 'checksums.json'])
    cpSync(join(root, 'node_modules/electron', name), join(electron, name))
  if (needsNode !== undefined) {
    const own = JSON.parse(readFileSync(join(electron, 'package.json'), 'utf8')) as object
    writeFileSync(join(electron, 'package.json'), JSON.stringify({ ...own, engines: { node: needsNode } }))
  }
  for (const name of ['@electron', '@electron-internal'])
    symlinkSync(join(root, 'node_modules', name), join(modules, name))
  return { folder, remove: () => rmSync(base, { recursive: true, force: true, maxRetries: 5 }) }
}

/** What `npm start` did: it ended, or it serves the browser (and was stopped then). */
export interface Started {
  readonly code: number | null
  readonly out: string
  readonly err: string
}

/** Runs `scripts/start.mjs` of a project with a display set, until it ends, has printed the browser's address, or says `stopAt` on stderr. */
export async function start(folder: string, env: Record<string, string>, stopAt?: RegExp): Promise<Started> {
  const child = spawn(
    process.execPath,
    [join(folder, 'scripts/start.mjs'), '--no-open', '--data', join(folder, '../data')],
    {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        PATH: process.env['PATH'],
        HOME: join(folder, '..'),
        DISPLAY: ':77',
        electron_config_cache: join(folder, '../cache'),
        electron_use_remote_checksums: '1',
        ...env,
      },
    },
  )
  let out = ''
  let err = ''
  child.stdout.on('data', (text) => {
    out += String(text)
    if (out.includes('Ctrl-C stops Loam')) child.kill('SIGTERM')
  })
  child.stderr.on('data', (text) => {
    err += String(text)
    if (stopAt?.test(err)) child.kill('SIGTERM')
  })
  const code = await new Promise<number | null>((done) => child.on('close', done))
  return { code, out, err }
}
