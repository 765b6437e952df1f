import { existsSync } from 'node:fs'
import { copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from '@playwright/test'
import { type Desktop, isBuilt, startDesktop } from '../electron-stand-in/start-desktop'
import { drop } from './drop'
import { demoModel, needsDemoModel } from './fixtures'
import { AppPage } from './pages/app-page'
import { RunPage } from './pages/run-page'

const RUN_WITHIN_MS = 5 * 60_000
/** Tasks of the run: it learns from the first half. */
const TASKS = 28

// The pages belong to the stand-in's own browser, which may be gone when a trace is put together.
test.use({ trace: 'off', screenshot: 'off' })

/** Ends a process at once; one that has ended already is left alone. */
function endNow(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

test.describe('the built desktop app in a stand-in for Electron', () => {
  test.skip(!isBuilt, 'there is no build in out/')

  let data: string
  let desktop: Desktop

  test.beforeEach(async () => {
    // Not there yet, as on a fresh machine.
    data = join(await mkdtemp(join(tmpdir(), 'loam-fresh-')), 'loam')
  })
  test.afterEach(async () => {
    desktop.child.kill('SIGKILL')
    await desktop.ended
    await rm(join(data, '..'), { recursive: true, force: true, maxRetries: 5 })
  })

  test('starts on a fresh machine, plays a run to its end, and survives the ends of its engine', async () => {
    needsDemoModel()
    test.setTimeout(RUN_WITHIN_MS + 120_000)
    desktop = startDesktop('--data', data)
    await desktop.heard(({ kind }) => kind === 'shown')
    expect(desktop.news.filter(({ kind }) => kind === 'error-box')).toEqual([])
    const page = await desktop.page()
    const app = new AppPage(page)
    const run = new RunPage(page)
    await app.goTo('Runs')
    await run.tasks(TASKS)
    await run.start.click()
    await expect(run.finished.first()).toBeVisible({ timeout: 120_000 })

    // The engine dies in the middle: its run pauses, and goes on when asked. One that dies between two replies is only replaced.
    await desktop.heard(({ kind }) => kind === 'engine')
    await expect(async () => {
      const engine = desktop.news.findLast(({ kind }) => kind === 'engine')
      if (engine?.kind === 'engine' && engine.pid !== undefined) endNow(engine.pid)
      await run.resume.waitFor({ timeout: 10_000 })
    }).toPass({ timeout: 60_000 })
    const before = await run.finished.count()
    await run.resume.click()
    await expect.poll(() => run.finished.count(), { timeout: 120_000 }).toBeGreaterThan(before)
    // So it does when V8 gives up on the engine.
    await expect(async () => {
      desktop.order('engine-error')
      await run.resume.waitFor({ timeout: 5_000 })
    }).toPass({ timeout: 60_000 })
    await run.resume.click()
    await expect(run.progress).toHaveText(`${TASKS} of ${TASKS} tasks`, { timeout: RUN_WITHIN_MS })
    // What it learned before, between and after those ends tells: without memory the model solves four of ten.
    const solved = (await run.outcomes()).slice(-TASKS / 2).filter((outcome) => outcome === 1)
    expect(solved.length).toBeGreaterThan(0.6 * (TASKS / 2))
    expect(desktop.news.filter(({ kind }) => kind === 'engine').length).toBeGreaterThan(2)
    expect(existsSync(join(data, 'window'))).toBe(true)

    desktop.order('close-window')
    expect((await desktop.ended).code).toBe(0)
    // Closed in good order: the lock is gone.
    expect(existsSync(join(data, 'lock'))).toBe(false)
    expect(await readFile(join(data, 'logs', 'loam.jsonl'), 'utf8')).toContain('Loam stopped')
  })
  const untilShown = async (...options: string[]): Promise<void> => {
    desktop = startDesktop('--data', data, ...options)
    await desktop.heard(({ kind }) => kind === 'shown')
  }
  const lockIsGone = (): boolean => !existsSync(join(data, 'lock'))

  test('loads its page again when the page’s process ends; says what went wrong and closes in good order', async () => {
    await untilShown()
    await (await desktop.page()).getByRole('heading', { name: 'What is to be done?' }).waitFor()
    desktop.order('end-page-process')
    await desktop.heard(({ kind }) => kind === 'gone')
    await expect.poll(() => desktop.news.filter(({ kind }) => kind === 'loaded').length).toBe(2)
    await (await desktop.page()).getByRole('heading', { name: 'What is to be done?' }).waitFor()

    desktop.order('throw')
    const said = await desktop.heard(({ kind }) => kind === 'error-box')
    expect(said).toMatchObject({ content: expect.stringContaining('made up by a test') as unknown })
    expect((await desktop.ended).code).toBe(1)
    expect(lockIsGone()).toBe(true)
  })

  /** Closes it as a person or the system does: a quit is held up until it is closed, a log-out is not. */
  const isHeldUp = async (by: 'quit' | 'log-out'): Promise<boolean> => {
    desktop.order(by)
    expect((await desktop.ended).code).toBe(0)
    // Who logs out is not made to wait for that; the next start takes the lock over.
    if (by === 'quit') expect(lockIsGone()).toBe(true)
    return desktop.news.some(({ kind }) => kind === 'quit-held-up')
  }

  test('refuses options it does not know', async () => {
    desktop = startDesktop('--data', data, '--no-sandbox', '--prot', '1')
    const { code, err } = await desktop.ended
    expect(code).toBe(2)
    expect(err).toContain('--prot')
    expect(existsSync(data)).toBe(false)
  })

  test('adds models that are dropped on it, and those chosen in the system’s dialog; holds up a quit', async () => {
    needsDemoModel()
    const folder = join(data, '..', 'theirs')
    await mkdir(folder)
    for (const name of ['dropped.gguf', 'chosen.gguf']) await copyFile(demoModel, join(folder, name))
    const before = { ...process.env }
    Object.assign(process.env, {
      HOME: join(data, '..', 'home'),
      LOAM_STAND_IN_FILES: folder,
      LOAM_STAND_IN_CHOOSE: join(folder, 'chosen.gguf'),
    })
    await untilShown().finally(() => (process.env = before))
    const page = await desktop.page()
    await new AppPage(page).goTo('Models')
    const found = page.getByRole('list', { name: 'Found models' }).getByRole('listitem')
    await expect(found).toHaveCount(1)
    await drop(page, join(folder, 'dropped.gguf'))
    await expect(found.filter({ hasText: join(folder, 'dropped.gguf') })).toContainText('Your file')
    await page.getByRole('button', { name: 'Add a model' }).click()
    await expect(found.filter({ hasText: join(folder, 'chosen.gguf') })).toContainText('Your file')
    await expect(page.getByRole('dialog')).toHaveCount(0)
    expect(await isHeldUp('quit')).toBe(true)
  })

  test('previews a file that it is started with, or that a second start hands over; lets a log-out be', async () => {
    const folder = join(data, '..', 'theirs')
    await mkdir(folder)
    const file = async (name: string, text: string) => {
      await writeFile(join(folder, name), `id,kind,title,text\n1,note,One,${text}\n`)
      return join(folder, name)
    }
    const first = await file('first.csv', 'The tide is high')
    const second = await file('second.csv', 'The boat is red')
    desktop = startDesktop('--data', data, first)
    await desktop.heard(({ kind }) => kind === 'shown')
    const page = await desktop.page()
    const dialog = page.getByRole('dialog', { name: 'Import' })
    await expect(dialog).toContainText('1 of 1 row would come in')
    await expect(dialog).toContainText('first.csv')
    const other = startDesktop('--data', data, second)
    expect((await other.ended).code).toBe(0)
    await expect(dialog).toContainText('second.csv', { timeout: 15_000 })
    await dialog.getByRole('button', { name: 'Import', exact: true }).click()
    await expect(page.getByText('1 of 1 row read').first()).toBeVisible()
    expect(await isHeldUp('log-out')).toBe(false)
  })
})
