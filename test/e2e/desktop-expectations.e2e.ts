import { existsSync, readFileSync } from 'node:fs'
import { createHash } from 'node:crypto'
import { copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { spawn, spawnSync } from 'node:child_process'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { expect, test, type Page } from '@playwright/test'
import type { StandInNews } from '../electron-stand-in/events'
import { type Desktop, isBuilt, startDesktop } from '../electron-stand-in/start-desktop'
import { violations } from './axe'
import { drop } from './drop'
import { demoModel, needsDemoModel } from './fixtures'
import { AppPage } from './pages/app-page'
import { RunPage } from './pages/run-page'

// The pages belong to the stand-in's own browser, which may be gone when a trace is put together.
test.use({ trace: 'off', screenshot: 'off' })

const root = resolve(import.meta.dirname, '../..')

test.describe('what people expect of a desktop app', () => {
  test.skip(!isBuilt, 'there is no build in out/')

  let folder: string
  let data: string
  let desktop: Desktop

  test.beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'loam-desktop-'))
    data = join(folder, 'loam')
  })
  test.afterEach(async () => {
    desktop.child.kill('SIGKILL')
    await desktop.ended
    await rm(folder, { recursive: true, force: true, maxRetries: 5 })
  })

  const begin = async (environment: Record<string, string> = {}, ...options: string[]): Promise<Page> => {
    const before = { ...process.env }
    Object.assign(process.env, environment)
    desktop = startDesktop('--data', data, ...options)
    await desktop.heard(({ kind }) => kind === 'shown').finally(() => (process.env = before))
    return desktop.page()
  }
  const system = (what: string) => (news: StandInNews) => news.kind === 'system' && news.what === what
  const wordsOf = async (what: string, from = 0): Promise<unknown> => {
    const news = () => desktop.news.slice(from).findLast(system(what))
    await expect.poll(news).toBeDefined()
    const last = news()
    return last?.kind === 'system' ? last.words : null
  }
  /** Something that a bundle, a table and a log are made of. */
  const table = async (name: string): Promise<string> => {
    await writeFile(join(folder, name), 'id,kind,title,text\n1,note,One,The tide is high\n')
    return join(folder, name)
  }

  test('1, 6, 7, 17: its own menu, the menu at a place, links by consent, print and contrast', async () => {
    const page = await begin({ LOAM_STAND_IN_ANSWER: '2' })
    await page.getByRole('textbox', { name: 'The task', exact: true }).waitFor()
    expect(JSON.stringify(await wordsOf('menu'))).toContain('"Settings…"')
    desktop.order({ menu: 'Settings…' })
    await page.getByRole('heading', { name: 'Settings', exact: true }).waitFor()
    desktop.order({ menu: 'Keyboard Shortcuts' })
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
    await page.keyboard.press('Escape')
    desktop.order({ menu: 'New Ask' })
    await expect(page.getByRole('textbox', { name: 'The task', exact: true })).toBeFocused()

    desktop.order({
      place: {
        isEditable: true,
        selectionText: '',
        linkURL: '',
        misspelledWord: 'teh',
        dictionarySuggestions: ['the'],
      },
    })
    expect(JSON.stringify(await wordsOf('place-menu'))).toContain('Add “teh” to the Word List')

    await page.evaluate(() => void window.open('https://example.com/a', '_blank', 'noopener'))
    await desktop.heard(({ kind }) => kind === 'message-box')
    expect(desktop.news.find(({ kind }) => kind === 'message-box')).toMatchObject({
      detail: expect.stringContaining('https://example.com/a') as unknown,
    })
    expect(await wordsOf('open')).toBe('https://example.com/a')

    desktop.order({ menu: 'Print…' })
    expect(await wordsOf('print')).toMatch(/^app:\/\/loam\//)
    await page.emulateMedia({ media: 'print' })
    await expect(page.getByRole('navigation', { name: 'Screens' })).toBeHidden()
    await page.emulateMedia({ media: 'screen' })

    // At twice the size half as much has room; the system asks for contrast and for no motion.
    await page.setViewportSize({ width: 640, height: 410 })
    for (const look of [
      { contrast: 'more', reducedMotion: 'reduce', colorScheme: 'light' },
      { contrast: 'more', reducedMotion: 'reduce', colorScheme: 'dark' },
      { contrast: 'no-preference', forcedColors: 'active', colorScheme: 'dark' },
    ] as const) {
      await page.emulateMedia(look)
      expect(await violations(page, JSON.stringify(look))).toEqual([])
      const sides = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
      expect(sides).toBeLessThanOrEqual(0)
    }
    await page.emulateMedia({ reducedMotion: 'reduce' })
    const moves = await page.evaluate(
      () =>
        [...document.querySelectorAll('*')].filter((element) => {
          const { animationName, transitionDuration } = getComputedStyle(element)
          return animationName !== 'none' || /[1-9]/.test(transitionDuration)
        }).length,
    )
    expect(moves).toBe(0)
  })

  test('3, 4, 9: a link is shown first, sends nothing, and one that is not understood does nothing; a window that no screen shows is centred; a start for a new ask', async () => {
    const page = await begin({ LOAM_STAND_IN_LEFT_AT: '5000' }, 'loam://ask?text=Menu+for+six%3F')
    expect(await wordsOf('centre')).toBe(true)
    const dialog = page.getByRole('dialog')
    await expect(dialog).toContainText('Menu for six?')
    await dialog.getByRole('button', { name: 'Do nothing' }).click()
    const task = page.getByRole('textbox', { name: 'The task', exact: true })
    await expect(task).toHaveValue('')

    // From a second start, as Windows and Linux bring it.
    expect((await startDesktop('--data', data, 'loam://ask?text=Menu+for+six%3F').ended).code).toBe(0)
    await dialog.getByRole('button', { name: 'Put them there' }).click()
    await expect(task).toHaveValue('Menu for six?')
    await expect(page.getByRole('region', { name: 'Asks' }).getByRole('listitem')).toHaveCount(0)

    // As macOS brings it.
    desktop.order({ openUrl: 'loam://place/settings' })
    await dialog.getByRole('button', { name: 'Go there' }).click()
    await page.getByRole('heading', { name: 'Settings', exact: true }).waitFor()
    desktop.order({ openUrl: 'loam://settings/network/on' })
    await expect(page.getByText('A link was not understood')).toBeVisible()
    await expect(page.getByRole('dialog')).toHaveCount(0)
    await expect(page.getByRole('switch', { name: 'Network' }).first()).not.toBeChecked()
    // From the list at the icon on Windows.
    expect((await startDesktop('--data', data, '--new-ask').ended).code).toBe(0)
    await expect(task).toBeFocused()
  })

  test('2, 5, 8, 9: each kind of file goes where it belongs, wherever it is dropped or opened', async () => {
    needsDemoModel()
    await mkdir(join(folder, 'theirs'))
    const model = join(folder, 'theirs', 'small.gguf')
    await copyFile(demoModel, model)
    const csv = await table('facts.csv')
    const log = join(folder, 'talk.jsonl')
    const talk = [
      { role: 'user', content: 'Which colour has the boat?' },
      { role: 'assistant', content: 'The boat is red.' },
    ]
    await writeFile(log, `${JSON.stringify({ messages: talk })}\n`)
    const picture = join(folder, 'picture.txt')
    await writeFile(picture, 'Words of a file that goes with an ask')
    // A bundle as another Loam writes it.
    const bundle = join(folder, 'harbor.loam')
    const cli = (...args: string[]) =>
      spawnSync(
        process.execPath,
        [join(root, 'out/main/cli/index.js'), '--data', join(folder, 'other'), ...args],
        {
          encoding: 'utf8',
        },
      )
    expect(cli('import', csv).status).toBe(0)
    const written = cli('export', '--format', 'bundle', '--sign', join(folder, 'key.pem'), '--out', bundle)
    expect(written.status, written.stderr).toBe(0)

    const page = await begin(
      { HOME: join(folder, 'home'), LOAM_STAND_IN_FILES: folder, LOAM_STAND_IN_CHOOSE: csv },
      bundle,
    )
    const app = new AppPage(page)
    const dialog = page.getByRole('dialog')
    const importing = page.getByRole('dialog', { name: 'Import' })
    // 2: opened with Loam it is shown, with who signed it; it comes into a shelf of its own, and is undone.
    await expect(importing).toContainText('harbor.loam')
    await expect(importing).toContainText('1 of 1 row would come in')
    await expect(importing).toContainText('Signed by somebody you do not know')
    await importing.getByRole('button', { name: /Memory to import into/ }).click()
    await page.getByRole('menuitemradio', { name: /A new memory/ }).click()
    await expect(importing).toContainText('1 of 1 row would come in')
    await importing.getByRole('button', { name: 'Import', exact: true }).click()
    await expect(page.getByText('1 of 1 row read, 1 waiting in quarantine').first()).toBeVisible()
    await page.getByRole('button', { name: 'Undo' }).first().click()
    await expect(page.getByText('The import is undone')).toBeVisible()
    expect(await wordsOf('recent')).toBe(bundle)

    // 5: wherever it is dropped.
    const targets = [
      [bundle, async () => expect(importing).toContainText('harbor.loam')],
      [csv, async () => expect(importing).toContainText('facts.csv')],
      [log, async () => expect(importing).toContainText('talk.jsonl')],
      [join(folder, 'small.gguf'), async () => expect(dialog).toContainText('Add this model?')],
    ] as const
    await copyFile(demoModel, join(folder, 'small.gguf'))
    for (const [at, screen] of (['Runs', 'Curves', 'Memory', 'Settings'] as const).entries()) {
      await app.goTo(screen)
      // Two kinds on each screen, each kind on two screens.
      for (const [file, isShown] of [...targets, ...targets].slice(at, at + 2)) {
        await drop(page, file)
        await isShown()
        await page.keyboard.press('Escape')
        await expect(dialog).toHaveCount(0)
      }
    }
    // On a screen that is still loading, what lies under the file is gone when it is dropped.
    await page.evaluate(() => {
      const loading = document.createElement('div')
      loading.id = 'loading'
      loading.style.cssText = 'position: fixed; inset: 0'
      document.body.append(loading)
    })
    await drop(page, bundle, undefined, () =>
      page.evaluate(() => document.getElementById('loading')?.remove()),
    )
    await expect(importing).toContainText('harbor.loam')
    await page.keyboard.press('Escape')
    await expect(dialog).toHaveCount(0)
    // In the composer a file goes with the ask, but a bundle and a model do not.
    await app.goTo('Ask')
    const task = page.getByRole('textbox', { name: 'The task', exact: true })
    await drop(page, picture, task)
    await expect(page.getByRole('list', { name: 'Files' })).toContainText('picture.txt')
    for (const [file, isShown] of [targets[0], targets[3]]) {
      await drop(page, file, task)
      await isShown()
      await page.keyboard.press('Escape')
      await expect(dialog).toHaveCount(0)
    }
    await expect(page.getByRole('list', { name: 'Files' }).getByRole('listitem')).toHaveCount(1)
    // The Models screen takes models at once and sends the rest on.
    await app.goTo('Models')
    await drop(page, csv)
    await expect(importing).toContainText('facts.csv')
    await page.keyboard.press('Escape')

    // A model from the file manager is added once a person agrees, and can be taken out again.
    desktop.order({ openFile: model })
    await dialog.getByRole('button', { name: 'Add', exact: true }).click()
    await expect(page.getByText('Model added: small.gguf')).toBeVisible()
    // 8: the system's own dialog.
    desktop.order({ menu: 'Open…' })
    await expect(importing).toContainText('facts.csv')
    await importing.getByRole('button', { name: 'Import', exact: true }).click()
    await expect(page.getByText('1 of 1 row read').first()).toBeVisible()
    desktop.order({ menu: 'Export…' })
    await page.getByRole('dialog', { name: 'Export' }).getByRole('button', { name: 'Save file' }).click()
    expect(await wordsOf('save')).toMatchObject({
      defaultPath: expect.stringMatching(/\.\w+$/) as unknown,
      properties: expect.arrayContaining(['showOverwriteConfirmation']) as unknown,
    })
    // Nothing but what the page made itself is saved.
    const count = desktop.news.length
    await page.evaluate(() => {
      const link = document.createElement('a')
      link.href = 'data:text/plain,words'
      link.download = 'words.txt'
      link.click()
    })
    expect(await wordsOf('save', count)).toBeNull()
  })

  test('10, 11: stays beside the clock only where that is chosen, and ends every process', async () => {
    needsDemoModel()
    const page = await begin()
    const app = new AppPage(page)
    await app.goTo('Settings')
    expect(desktop.news.some(system('tray'))).toBe(false)
    await page.getByRole('switch', { name: 'Stay beside the clock' }).click()
    expect(await wordsOf('tray')).toBe(true)
    const keys = page.getByRole('textbox', { name: 'Keys for a quick ask' })
    await keys.fill('Control+Shift+Space')
    await keys.press('Enter')
    expect(await wordsOf('shortcut')).toBe('Control+Shift+Space')
    await app.goTo('Runs')
    const run = new RunPage(page)
    await run.start.click()
    await expect(run.finished.first()).toBeVisible({ timeout: 120_000 })
    const engine = desktop.news.findLast(({ kind }) => kind === 'engine')
    expect(engine).toBeDefined()

    const count = desktop.news.length
    desktop.order('close-window')
    desktop.order('press-shortcut')
    await expect.poll(() => desktop.news.slice(count).some(({ kind }) => kind === 'shown')).toBe(true)
    await expect((await desktop.page()).getByRole('textbox', { name: 'Ask something' })).toBeFocused()
    desktop.order('close-window')
    desktop.order({ tray: 'Quit Loam' })
    expect((await desktop.ended).code).toBe(0)
    const pid = engine?.kind === 'engine' ? (engine.pid ?? 0) : 0
    expect(pid > 0 && existsSync(`/proc/${pid}`)).toBe(false)
  })

  test(
    '12: one of ten that start at once opens, and hears what the others were given',
    { tag: '@long' },
    async () => {
      const links = Array.from({ length: 10 }, (_, i) => `loam://ask?text=number+${i}`)
      const all = links.map((link) => startDesktop('--data', data, link))
      const isFirst = (one: Desktop) => one.heard(({ kind }) => kind === 'shown').then(() => one)
      desktop = await Promise.any(all.map(isFirst))
      const others = all.filter((one) => one !== desktop)
      for (const other of others) {
        expect((await other.ended).code).toBe(0)
        expect(other.news.some(({ kind }) => kind === 'shown')).toBe(false)
      }
      await expect.poll(() => desktop.news.filter(({ kind }) => kind === 'second').length).toBe(9)
    },
  )

  test(
    '13, 14: a run goes on after a quit and after a kill, and ends as one that was left alone',
    { tag: '@long' },
    async () => {
      needsDemoModel()
      let page = await begin()
      const toRuns = async (): Promise<RunPage> => {
        await new AppPage(page).goTo('Runs')
        return new RunPage(page)
      }
      const end = { timeout: 120_000 }
      let run = await toRuns()
      await run.tasks(10)
      await run.start.click()
      for (const how of ['quit', 'kill'] as const) {
        const count = await run.finished.count()
        await expect.poll(() => run.finished.count(), end).toBeGreaterThan(count)
        if (how === 'quit') desktop.order('quit')
        else desktop.child.kill('SIGKILL')
        await desktop.ended
        page = await begin()
        run = await toRuns()
        await run.resume.click()
      }
      await expect(run.finished).toHaveCount(10, end)
      const outcomes = await run.outcomes()
      desktop.order({ menu: 'Lab' })
      await run.start.click()
      await expect(run.finished).toHaveCount(10, end)
      expect(await run.outcomes()).toEqual(outcomes)
    },
  )

  test('16: a start reaches for no other machine', async () => {
    test.skip(spawnSync('strace', ['-V']).status !== 0, 'strace is not installed')
    // Refused at once; the trace is of the program alone.
    desktop = startDesktop('--data', data, '--unknown')
    const trace = join(folder, 'trace')
    const child = spawn(
      'strace',
      [
        '-f',
        '-e',
        'trace=connect,sendto,sendmsg',
        '-o',
        trace,
        process.execPath,
        join(root, 'out/main/headless.js'),
        '--no-open',
        '--data',
        data,
      ],
      { detached: true, stdio: ['ignore', 'pipe', 'ignore'] },
    )
    try {
      await new Promise<void>((ready) => {
        let out = ''
        child.stdout.on('data', (text) => {
          out += String(text)
          if (out.includes('Loam is ready')) ready()
        })
      })
    } finally {
      // strace itself does not hear it while it follows a program.
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGINT')
      await new Promise((done) => child.on('close', done))
    }
    const reached = readFileSync(trace, 'utf8')
      .split('\n')
      .filter((line) => /AF_INET6?/.test(line) && !/127\.0\.0\.1|::1/.test(line))
    expect(reached).toEqual([])
  })

  test('18: a newer version is looked for, fetched and installed when a person says so', async () => {
    const next = `#!/bin/sh\n# Loam 0.2.0\n`
    const sum = createHash('sha512').update(next).digest('base64')
    const asked: string[] = []
    const server = createServer(({ url = '' }, response) => {
      asked.push(url)
      const list = `version: 0.2.0\nfiles:\n  - url: Loam.AppImage\n    sha512: ${sum}\n    size: 20\n`
      response.end(url.startsWith('/latest-linux.yml') ? list : next)
    })
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
    const { port } = server.address() as AddressInfo
    await mkdir(join(folder, 'resources'))
    await writeFile(
      join(folder, 'resources/app-update.yml'),
      `provider: generic\nurl: 'http://127.0.0.1:${port}'\nupdaterCacheDirName: loam-updater\n`,
    )
    const appImage = join(folder, 'Loam.AppImage')
    await writeFile(appImage, 'old')
    const page = await begin({
      ...{ STAND_IN_PACKAGED: '1', STAND_IN_RESOURCES: join(folder, 'resources') },
      ...{ APPIMAGE: appImage, LOAM_BEGUN: join(folder, 'begun') },
    })
    // The network is off: the menu leads to where it says so, and nothing was asked.
    desktop.order({ menu: 'Look for a Newer Version…' })
    await page.getByRole('heading', { name: 'Newer versions of Loam' }).waitFor()
    await expect(page.getByRole('alert')).toContainText('network is turned off')
    expect(asked).toEqual([])
    await page.getByRole('switch', { name: 'Network', exact: true }).first().click()
    await page.getByRole('button', { name: 'Look for a newer version' }).click()
    await page.getByText('There is Loam 0.2.0').waitFor()
    await page.getByRole('button', { name: 'Fetch it' }).click()
    await page.getByRole('button', { name: 'Install it when I quit' }).click()
    await page.getByText('is installed when you quit Loam').waitFor()
    expect(await readFile(appImage, 'utf8')).toBe('old')
    desktop.order('quit')
    expect((await desktop.ended).code).toBe(0)
    expect(await readFile(appImage, 'utf8')).toBe(next)
    expect(asked).toHaveLength(2)
    server.close()
  })
})
