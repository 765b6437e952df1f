import { spawn } from 'node:child_process'
import { rmSync } from 'node:fs'
import { createServer as createNetServer } from 'node:net'
import { join } from 'node:path'
import { resolveConfig } from 'electron-vite'
import { build, createServer } from 'vite'
import { buildIfNeeded, root } from './build-if-needed.mjs'

const HELP = `npm run dev -- [options]

  Serves the window with hot reload, and builds and starts the host anew whenever its sources change.

  --port N       port of the page (default: any free one)
  --data DIR     data folder (default: the one of this user)
`

/** The paths of src/shared/web-host.ts; the host answers these, Vite everything else. */
const HOST_PATHS = ['/rpc', '/session']
const READY = /Loam is ready: (http:\/\/[\d.]+:\d+)\/#(\S+)/
/** What a page does when the host was started anew: it takes the new host's one-time token. */
const REJOIN = `if (import.meta.hot) import.meta.hot.on('loam:host', ({ token }) => {
  // Without an event: the page would put the place it is at in the token's stead.
  window.history.replaceState(null, '', '#' + token)
  window.location.reload()
})`

const say = (text) => process.stdout.write(`${text}\n`)

function option(args, name) {
  const at = args.indexOf(name)
  return at < 0 ? undefined : args[at + 1]
}

/** A port that nobody listens on now. */
const freePort = () =>
  new Promise((done, fail) => {
    const probe = createNetServer()
    probe.once('error', fail)
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address()
      probe.close(() => done(port))
    })
  })

/**
 * One host at a time: `restart` ends the one before, in good order, and resolves to the new one's address and token. `close` ends
 * the last one: none is started after it, and a restart that was under way resolves to null.
 */
function createHost(args) {
  let child = null
  let closed = false
  const stop = () =>
    new Promise((done) => {
      if (child === null || child.exitCode !== null || child.signalCode !== null) return done()
      child.once('exit', () => done())
      child.kill('SIGTERM')
    })
  const start = () =>
    new Promise((ready, fail) => {
      const program = join(root, 'out/main/headless.js')
      const why = 'the page is served for development'
      child = spawn(process.execPath, [program, '--no-open', '--why', why, ...args], {
        cwd: root,
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      let said = ''
      child.stdout.on('data', (chunk) => {
        said += chunk
        const [, url, token] = READY.exec(said) ?? []
        if (url) ready({ url, token })
      })
      child.once('error', fail)
      child.once('exit', (code) => fail(new Error(`The host ended with ${code}.`)))
    })
  return {
    close() {
      closed = true
      return stop()
    },
    async restart() {
      await stop()
      return closed ? null : start()
    },
  }
}

/** Vite's server for the window, which hands the contract's paths on to the host. */
async function servePage(renderer, port, hostUrl) {
  const proxied = {
    target: hostUrl,
    changeOrigin: true,
    configure: (proxy) => {
      // The host answers its own origin alone; this server stands in for it.
      const asOwn = (request) => request.setHeader('origin', hostUrl)
      proxy.on('proxyReq', asOwn)
      proxy.on('proxyReqWs', asOwn)
    },
  }
  const rejoin = {
    name: 'loam-rejoin',
    resolveId: (id) => (id === '/@loam-rejoin' ? id : null),
    load: (id) => (id === '/@loam-rejoin' ? REJOIN : null),
    transformIndexHtml: () => [
      { tag: 'script', attrs: { type: 'module', src: '/@loam-rejoin' }, injectTo: 'head-prepend' },
    ],
  }
  const server = await createServer({
    ...renderer,
    configFile: false,
    plugins: [...(renderer.plugins ?? []), rejoin],
    server: {
      host: '127.0.0.1',
      cors: false,
      port: port ?? 0,
      strictPort: port !== undefined,
      proxy: Object.fromEntries(HOST_PATHS.map((path) => [path, { ...proxied, ws: path === '/rpc' }])),
    },
  })
  await server.listen()
  return server
}

async function dev(args) {
  if (args.includes('--help')) {
    say(HELP)
    return
  }
  const data = option(args, '--data')
  const port = option(args, '--port')
  // The host looks for a built interface; afterwards `out` is no longer what a build makes.
  await buildIfNeeded()
  rmSync(join(root, 'out', '.built'), { force: true })
  const { config } = await resolveConfig({ root, logLevel: 'warn' }, 'build', 'development')
  const host = createHost([
    ...['--port', String(await freePort())],
    ...(data === undefined ? [] : ['--data', data]),
  ])
  let current = null
  let page = null

  const hostBuilt = async () => {
    try {
      const started = await host.restart()
      if (started === null) return
      current = started
    } catch (error) {
      say(`${error.message} It is started again at the next change.`)
      return
    }
    if (page === null) return
    say('The host was started anew.')
    page.ws.send({ type: 'custom', event: 'loam:host', data: { token: current.token } })
  }

  const watcher = await build({
    ...config.main,
    configFile: false,
    logLevel: 'warn',
    build: { ...config.main.build, emptyOutDir: false, watch: {} },
  })
  const first = new Promise((done) => {
    let turn = Promise.resolve()
    watcher.on('event', (event) => {
      if (event.code === 'ERROR') say(String(event.error?.message ?? event.error))
      if (event.code === 'BUNDLE_END') void event.result.close()
      if (event.code === 'END') {
        turn = turn.then(hostBuilt)
        void turn.then(done)
      }
    })
  })

  const close = async () => {
    await Promise.all([watcher.close(), page?.close(), host.close()])
    process.exit(0)
  }
  const closeOnSignal = () => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
      // Vite's server adds one of its own, which ends the process before the host has ended.
      process.removeAllListeners(signal)
      process.once(signal, () => void close())
    }
  }
  closeOnSignal()

  await first
  if (current === null) throw new Error('The host did not start.')
  const renderer = (await resolveConfig({ root, logLevel: 'warn' }, 'serve', 'development')).config.renderer
  page = await servePage(renderer, port === undefined ? undefined : Number(port), current.url)
  closeOnSignal()
  const { port: at } = page.httpServer.address()
  say(`\nLoam for development: http://127.0.0.1:${at}/#${current.token}\n`)
}

await dev(process.argv.slice(2)).catch((error) => {
  process.stderr.write(`${error.stack ?? error.message}\n`)
  process.exitCode = 1
})
