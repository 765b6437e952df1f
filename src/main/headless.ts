import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { WebSocket } from 'ws'
import { LoamError, toErrorShape } from '../shared/errors'
import { createRest } from './api/contract-rest'
import { startUiServer } from './api/ui-server'
import { findDataPath } from './ground/data-path'
import { keepFilesPrivate } from './ground/own-files'
import { atPort } from './ground/steady-port'
import { serveApp } from './serve-app'
import { canOpenBrowser, openBrowser } from './open-browser'
import type { StartOptions } from './start-options'
import { readStartOptions } from './start-options'

/** How long closing may take before the process goes anyway, in ms. */
const CLOSE_WITHIN_MS = 10_000

/** How often a host without a terminal looks whether somebody uses it, in ms. */
const LOOK_EVERY_MS = 60_000

keepFilesPrivate()

/** Closes when nobody used it for two looks in a row: there is no terminal where a person could stop it. */
function closeWhenLeft(host: { isUsed: () => boolean; close: () => void }): void {
  let looks = 0
  setInterval(() => {
    looks = host.isUsed() ? 0 : looks + 1
    if (looks >= 2) host.close()
  }, LOOK_EVERY_MS).unref()
}

async function main(options: StartOptions): Promise<void> {
  const root = join(import.meta.dirname, '..', 'renderer')
  if (!existsSync(join(root, 'index.html'))) {
    throw new LoamError('NOT_FOUND', `The interface is not in ${root}.`, { suggestion: 'Run npm start.' })
  }
  const dataPath = findDataPath(options.data)
  const {
    app,
    transports,
    router,
    close: closeApp,
  } = await serveApp({
    dataPath,
    host: 'headless',
    windowless: options.why,
  })
  app.openedFiles.add({ paths: options.files, links: options.links })
  const saidText = options.said === undefined ? '' : readFileSync(options.said, 'utf8')
  if (options.said !== undefined)
    app.logger.warn('The desktop window did not begin', { why: options.why, said: saidText.slice(-20_000) })
  const pages = new Set<WebSocket>()
  const server = await atPort(options.port, dataPath, (port) =>
    startUiServer({
      root,
      port,
      serveSocket: (socket) => {
        pages.add(socket)
        socket.once('close', () => pages.delete(socket))
        transports.serveSocket(socket)
      },
      rest: createRest(app, router),
    }),
  ).catch(async (error: unknown) => {
    await closeApp()
    throw error
  })

  let closing = false
  const close = () => {
    // A second signal does not wait for good order.
    if (closing) process.exit(1)
    closing = true
    setTimeout(() => process.exit(1), CLOSE_WITHIN_MS).unref()
    void Promise.allSettled([server.close(), closeApp()]).then((results) => {
      process.exit(results.every((result) => result.status === 'fulfilled') ? 0 : 1)
    })
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, close)
  process.on('uncaughtException', (error) => {
    app.logger.error('unexpected failure', { error })
    process.stderr.write(`${error.stack ?? error.message}\n`)
    close()
  })

  const url = server.mintUrl()
  process.stdout.write(`\nLoam is ready: ${url}\n`)
  process.stdout.write(
    `No desktop window, because ${options.why}; the same interface runs in your browser.\n`,
  )
  if (options.said !== undefined)
    process.stdout.write(`What Electron said is in ${join(app.data.logs, 'loam.jsonl')}.\n`)
  process.stdout.write('The address works once, on this machine only. ')
  process.stdout.write(
    process.stdin.isTTY ? 'Enter prints a fresh one, Ctrl-C stops Loam.\n' : 'Ctrl-C stops Loam.\n',
  )
  if (process.stdin.isTTY) {
    process.stdin.on('data', () => process.stdout.write(`${server.mintUrl()}\n`))
  }
  if (options.untilLeft)
    closeWhenLeft({
      isUsed: () => pages.size > 0 || app.jobs.list().some(({ status }) => status === 'running'),
      close,
    })
  const hasPerson = options.untilLeft ? canOpenBrowser(process.platform, process.env, true) : canOpenBrowser()
  if (options.open && hasPerson) openBrowser(url)
}

try {
  await main(readStartOptions(process.argv.slice(2)))
} catch (error) {
  const { title, cause, suggestion, code } = toErrorShape(error)
  process.stderr.write(`${title}: ${cause}\n${suggestion}\n`)
  process.exitCode = code === 'BAD_INPUT' ? 2 : 1
}
