import { spawn, type ChildProcess } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { chromium, type Browser, type Page } from '@playwright/test'
import type { StandInNews, StandInOrder } from './events'

const root = resolve(import.meta.dirname, '../..')

/** Whether there is a build to boot. */
export const isBuilt = existsSync(join(root, 'out/main/index.js'))

/** The built desktop app, booted in the stand-in. */
export interface Desktop {
  readonly child: ChildProcess
  /** Everything the stand-in said so far. */
  readonly news: readonly StandInNews[]
  readonly ended: Promise<{ readonly code: number | null; readonly err: string }>
  /** The first news for which `which` answers true, past or to come. Rejects when the app ends without. */
  heard(which: (news: StandInNews) => boolean): Promise<StandInNews>
  /** The page of the newest window, driven over Chromium's debugging port. */
  page(): Promise<Page>
  order(order: StandInOrder): void
}

/** Boots `out/main/index.js` with these options; whoever starts it awaits `ended` or kills `child`. */
export const startDesktop = (...options: readonly string[]): Desktop => startDesktopAt(root, ...options)

/** As {@link startDesktop}, of the build in the folder `project`. */
export function startDesktopAt(project: string, ...options: readonly string[]): Desktop {
  const here = import.meta.dirname
  // What test/e2e/build-programs.ts made of it, else the source.
  const bundle = process.env['LOAM_STAND_IN']
  const boot = bundle === undefined ? ['--import', 'tsx'] : []
  boot.push('--import', join(here, 'register.mjs'), bundle ? join(bundle, 'boot.mjs') : join(here, 'boot.ts'))
  const child = spawn(process.execPath, [...boot, project, ...options], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  })
  const news: StandInNews[] = []
  const waiting = new Set<() => void>()
  const wake = (): void => waiting.forEach((look) => look())
  let err = ''
  let over = false
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (err += text))
  child.on('message', (said: StandInNews) => {
    news.push(said)
    wake()
  })
  const ended = new Promise<{ code: number | null; err: string }>((done) => {
    child.on('close', (code) => {
      over = true
      wake()
      done({ code, err })
    })
  })
  const heard: Desktop['heard'] = (which) =>
    new Promise((resolve, reject) => {
      const look = (): void => {
        const found = news.find(which)
        if (!found && !over) return
        waiting.delete(look)
        if (found) resolve(found)
        else reject(new Error(`The app ended: ${JSON.stringify(news)} ${err}`))
      }
      waiting.add(look)
      look()
    })
  let browser: Promise<Browser> | null = null
  return {
    child,
    news,
    ended,
    heard,
    async page() {
      await heard(({ kind }) => kind === 'loaded')
      const said = await heard(({ kind }) => kind === 'browser')
      browser ??= chromium.connectOverCDP(said.kind === 'browser' ? said.endpoint : '')
      const pages = (await browser).contexts().flatMap((context) => context.pages())
      const page = pages.filter((candidate) => candidate.url().startsWith('https://loam.stand-in')).at(-1)
      if (!page) throw new Error(`No window among ${pages.map((other) => other.url()).join(', ')}`)
      return page
    },
    order: (order) => void child.send(order),
  }
}
