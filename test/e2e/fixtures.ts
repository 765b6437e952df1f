import { spawn, type ChildProcess } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test as base, type Browser, type BrowserContext, type TestInfo } from '@playwright/test'
import { AppPage } from './pages/app-page'
import { CasesPage } from './pages/cases-page'
import { ConsolidationPage } from './pages/consolidation-page'
import { CurvesPage } from './pages/curves-page'
import { ExperimentsPage } from './pages/experiments-page'
import { ExportPage } from './pages/export-page'
import { GuidesPage } from './pages/guides-page'
import { RunPage } from './pages/run-page'

const root = join(import.meta.dirname, '..', '..')
/** What Node is given to run the scripted host: what build-programs.ts made of it, else the source. */
const SCRIPTED_HOST: readonly string[] = process.env['LOAM_SCRIPTED_HOST']
  ? [process.env['LOAM_SCRIPTED_HOST']]
  : ['--import', 'tsx', join(import.meta.dirname, 'scripted-host.ts')]
const START_WITHIN_MS = 60_000
const STOP_WITHIN_MS = 15_000

/** The model the demo needs. */
export const demoModel = join(root, 'models', 'loam-demo.gguf')

/** The home folder of the person whose data folder it is. */
export const homeOf = (dataPath: string): string => `${dataPath}-home`

/** A headless host of its own with an empty data folder. */
export interface Host {
  /** The address with its one-time token. */
  readonly url: string
  readonly dataPath: string
  /** Ends it as a crash would. */
  kill(): void
}

interface Fixtures {
  /** `scripted`: the host's model is a script (scripted-host.ts), so that runs end in seconds. Default `real`. */
  model: 'real' | 'scripted'
  /** Fills the data folder before the host opens it. Default: leaves it empty. */
  seed: (dataPath: string) => Promise<void>
  /** Environment variables of the host beside this process's own. Its person's home is one of its own, `homeOf(dataPath)`. Default: none. */
  env: Readonly<Record<string, string>>
  /**
   * The tests of one group go on where the one before ended: with its host, its data folder and its browser profile, each in a page of its own.
   * Saves a start for each; for tests that bear what others of the group left behind. Default: each begins with nothing.
   */
  shared: boolean
  host: Host
  app: AppPage
  run: RunPage
  cases: CasesPage
  curves: CurvesPage
  exporting: ExportPage
  experiments: ExperimentsPage
  consolidation: ConsolidationPage
  guides: GuidesPage
}

/** What the tests of a group share; null until the first of them. */
interface SharedParts {
  group: string
  readonly host: StartedHost
  readonly context: BrowserContext
  /** Whether the address with its one-time token was used. */
  isOpen: boolean
}

interface WorkerFixtures {
  /** Gives the parts of this test's group, and ends those of the group before. */
  partsOf: (info: TestInfo, start: () => Promise<StartedHost>) => Promise<SharedParts>
}

type StartedHost = Host & { stop(): Promise<void> }

/** Starts a host on a data folder, with `env` beside this process's own variables; `stop` ends it and waits until it is gone. */
export async function startHost(
  dataPath: string,
  model: 'real' | 'scripted' = 'real',
  env: Readonly<Record<string, string>> = {},
): Promise<StartedHost> {
  const args =
    model === 'scripted'
      ? [...SCRIPTED_HOST, dataPath]
      : [join(root, 'out', 'main', 'headless.js'), '--data', dataPath, '--no-open']
  const child = spawn(process.execPath, args, {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    // What programs keep in the home of whoever runs the tests is not found.
    env: { ...process.env, HOME: homeOf(dataPath), ...env },
  })
  const stop = () => stopped(child)
  try {
    return { url: await addressOf(child), dataPath, kill: () => child.kill('SIGKILL'), stop }
  } catch (error) {
    await stop()
    throw error
  }
}

/** A host in a data folder of its own, which goes when it is stopped. */
async function startFresh(
  seed: (dataPath: string) => Promise<void>,
  ...[model, env]: [Fixtures['model'], Fixtures['env']]
): Promise<StartedHost> {
  const dataPath = await mkdtemp(join(tmpdir(), 'loam-e2e-'))
  await seed(dataPath)
  const host = await startHost(dataPath, model, env)
  const stop = async () => {
    await host.stop()
    await rm(dataPath, { recursive: true, force: true })
    await rm(homeOf(dataPath), { recursive: true, force: true })
  }
  return { ...host, stop }
}

/** Keeps one group's parts at a time: files are played one after the other, and their groups in their order. */
function keepParts(browser: Browser) {
  let parts: SharedParts | null = null
  const end = async () => {
    await parts?.context.close()
    await parts?.host.stop()
    parts = null
  }
  const partsOf: WorkerFixtures['partsOf'] = async ({ titlePath }, start) => {
    const group = titlePath.slice(0, -1).join(' › ')
    if (parts?.group !== group) {
      await end()
      parts = { group, host: await start(), context: await browser.newContext(), isOpen: false }
    }
    return parts
  }
  return { partsOf, end }
}

/** Playwright's `test` with a real host and the page modules. The page may not log errors or break the CSP. */
export const test = base.extend<Fixtures & { parts: SharedParts | null }, WorkerFixtures>({
  model: ['real', { option: true }],
  seed: async ({}, use) => use(() => Promise.resolve()),
  env: async ({}, use) => use({}),
  shared: [false, { option: true }],
  partsOf: [
    async ({ browser }, use) => {
      const { partsOf, end } = keepParts(browser)
      await use(partsOf)
      await end()
    },
    { scope: 'worker' },
  ],
  parts: async ({ shared, partsOf, model, seed, env }, use, info) =>
    use(shared ? await partsOf(info, () => startFresh(seed, model, env)) : null),
  context: async ({ parts, context }, use, info) => {
    await use(parts?.context ?? context)
    // After a failure the process ends, and its pages are looked at before.
    if (parts && info.status === info.expectedStatus)
      await Promise.all(parts.context.pages().map((page) => page.close()))
  },
  host: async ({ parts, model, seed, env }, use) => {
    if (parts) return use(parts.host)
    const host = await startFresh(seed, model, env)
    try {
      await use(host)
    } finally {
      await host.stop()
    }
  },
  app: async ({ page, host, parts }, use) => {
    const app = new AppPage(page)
    await app.open(parts?.isOpen ? new URL(host.url).origin : host.url)
    if (parts) parts.isOpen = true
    await use(app)
    test.expect(app.complaints).toEqual([])
  },
  run: async ({ page, app }, use) => {
    await app.goTo('Runs')
    await use(new RunPage(page))
  },
  cases: async ({ page, app: _app }, use) => use(new CasesPage(page)),
  curves: async ({ page, app: _app }, use) => use(new CurvesPage(page)),
  exporting: async ({ page, app: _app }, use) => use(new ExportPage(page)),
  experiments: async ({ page, app: _app }, use) => use(new ExperimentsPage(page)),
  consolidation: async ({ page, app: _app }, use) => use(new ConsolidationPage(page)),
  guides: async ({ page, app: _app }, use) => use(new GuidesPage(page)),
})

export const { expect } = test

/** Skips with a reason where the demo model was not built. */
export function needsDemoModel(): void {
  test.skip(!existsSync(demoModel), 'models/loam-demo.gguf is not here; npm run train:demo makes it')
}

/** Waits for the address that the host prints. */
function addressOf(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let output = ''
    const timer = setTimeout(() => reject(new Error(`The host did not start:\n${output}`)), START_WITHIN_MS)
    const read = (data: Buffer) => {
      output += data.toString()
      const url = /https?:\/\/\S+#\S+/.exec(output)?.[0]
      if (!url) return
      clearTimeout(timer)
      resolve(url)
    }
    child.stdout?.on('data', read)
    child.stderr?.on('data', read)
    child.on('exit', (code) => {
      clearTimeout(timer)
      reject(new Error(`The host ended with code ${code}:\n${output}`))
    })
  })
}

async function stopped(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exited = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGTERM')
  const timer = setTimeout(() => child.kill('SIGKILL'), STOP_WITHIN_MS)
  await exited
  clearTimeout(timer)
}
