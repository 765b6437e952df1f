import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { copyFile, mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import type { Page } from '@playwright/test'
import { startHubServer, type HubServer } from '../fixtures/hub-server'
import { hasStories, STORIES } from '../main/adapters/llama/stories-model'
import { furnish } from '../main/model-files/furnished-home'
import { drop } from './drop'
import { demoModel, expect, homeOf, needsDemoModel, startHost, test } from './fixtures'
import { onTwoModels } from './on-two-models'
import { AppPage } from './pages/app-page'

const POTION = resolve(import.meta.dirname, '../../../shared/models/potion-base-2M')
const shots = process.env['LOAM_SHOTS']
/** Pictures of the screen in both themes, and in a small window, where they are wanted. */
async function picture(page: Page, name: string): Promise<void> {
  if (!shots) return
  // Colours fade from one theme to the other.
  const settle = () => page.waitForTimeout(300)
  await settle()
  await page.screenshot({ path: `${shots}/${name}-light.png` })
  await page.emulateMedia({ colorScheme: 'dark' })
  await settle()
  await page.screenshot({ path: `${shots}/${name}-dark.png` })
  await page.emulateMedia({ colorScheme: 'light' })
  const size = page.viewportSize()
  await page.setViewportSize({ width: 900, height: 700 })
  await settle()
  await page.screenshot({ path: `${shots}/${name}-900.png` })
  if (size) await page.setViewportSize(size)
}

test.describe('models of other programs', () => {
  test.use({
    shared: true,
    seed: async ({}, use) => {
      needsDemoModel()
      await use((dataPath) => furnish(homeOf(dataPath)))
    },
  })

  test('are found, measured and listed with where they come from, and what was left out is named', async ({
    app,
  }) => {
    await app.goTo('Models')
    const found = app.page.getByRole('list', { name: 'Found models' })
    const parts = found.getByRole('listitem').filter({ hasText: 'in 3 parts' })
    await expect(parts).toContainText('LM Studio')
    await expect(parts).toContainText('lm-studio/someone/Big-GGUF/Big-Q8_0')
    await expect(parts).toContainText(/weights .* cache .* computing .* free are/, { timeout: 60_000 })
    await expect(found.getByRole('listitem').filter({ hasText: 'one is missing' })).toContainText(
      'Not usable',
    )
    await expect(found.getByRole('listitem').filter({ hasText: 'bge-q8' })).toContainText('Compares texts')
    await picture(app.page, 'models-found')
    await app.page.getByText(/^Looked in \d+ places/).click()
    await expect(app.page.getByRole('list', { name: 'Left out' })).toContainText(
      'It is a link that leads to nothing.',
    )
    await expect(app.page.getByRole('list', { name: 'Left out' })).toContainText('(a projector)')
    await app.page.getByRole('list', { name: 'Left out' }).scrollIntoViewIfNeeded()
    await picture(app.page, 'models-left-out')
  })

  test('play a run from where they lie', { tag: '@long' }, async ({ app, run }) => {
    await app.goTo('Models')
    const parts = app.page.getByRole('listitem').filter({ hasText: 'in 3 parts' })
    await parts.getByRole('button', { name: 'Use in a run' }).click()
    await run.tasks(1)
    await expect(app.page.getByRole('region', { name: 'Before the run' })).toContainText(/weights .* cache/, {
      timeout: 60_000,
    })
    await run.start.click()
    await expect(run.progress).toHaveText('1 of 1 tasks', { timeout: 120_000 })
  })
})

test.describe('a model of one’s own', () => {
  test.use({ shared: true })
  let folder: string
  test.beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'loam-own-'))
    await mkdir(join(folder, 'more'))
    await mkdir(join(folder, '.hidden'))
    await writeFile(join(folder, 'notes.txt'), 'x')
    await writeFile(join(folder, 'more', 'broken.gguf'), 'not a model')
    if (existsSync(demoModel)) await copyFile(demoModel, join(folder, 'more', 'mine.gguf'))
  })
  test.afterAll(() => rm(folder, { recursive: true, force: true }))

  test('is found in the folders of the machine, with the keyboard alone', async ({ app }) => {
    needsDemoModel()
    const { page } = app
    await page.getByRole('button', { name: 'Choose a file' }).press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Add a model' })
    const list = dialog.getByRole('listbox')
    await dialog.getByLabel('Folder', { exact: true }).fill(join(folder, 'nowhere'))
    await page.keyboard.press('Enter')
    await expect(dialog.getByRole('alert')).toContainText(`There is no folder ${join(folder, 'nowhere')}`)
    await dialog.getByLabel('Folder', { exact: true }).fill(folder)
    await page.keyboard.press('Enter')
    // Folders and models, no other files, and nothing hidden.
    await expect(list.getByRole('option')).toHaveText(['more'])
    await dialog.getByLabel('Hidden ones too').click()
    await expect(list.getByRole('option')).toHaveText(['.hidden', 'more'])
    await dialog.getByLabel('Hidden ones too').click()
    await expect(list.getByRole('option')).toHaveCount(1)
    await list.focus()
    await page.keyboard.press('Enter')
    await expect(list.getByRole('option')).toHaveCount(2)
    await picture(page, 'models-browse')
    // The first one is damaged: it is refused in words, and nothing closes.
    await page.keyboard.press('Enter')
    await expect(dialog.getByRole('alert')).toContainText('does not begin with the GGUF mark')
    await list.focus()
    await page.keyboard.press('Backspace')
    await expect(list.getByRole('option')).toHaveText(['more'])
    await page.keyboard.press('Enter')
    await expect(list.getByRole('option')).toHaveCount(2)
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await expect(dialog).toBeHidden()
    const mine = page.getByRole('listitem').filter({ hasText: join(folder, 'more', 'mine.gguf') })
    await expect(mine).toContainText('Your file')
    await mine.getByRole('button', { name: /^Take .* out of the list$/ }).click()
    await expect(mine).toBeHidden()
    expect(existsSync(join(folder, 'more', 'mine.gguf'))).toBe(true)
  })

  test('that a command adds stands in a window that was open, once a person comes back to it', async ({
    app,
    host,
  }) => {
    needsDemoModel()
    const { page } = app
    await app.goTo('Models')
    const path = join(folder, 'more', 'mine.gguf')
    const mine = page.getByRole('listitem').filter({ hasText: path })
    await page.getByRole('heading', { name: 'Models', exact: true }).waitFor()
    await expect(mine).toHaveCount(0)
    const cli = join(import.meta.dirname, '../../out/main/cli/index.js')
    await promisify(execFile)(process.execPath, [cli, 'models', 'add', path, '--data', host.dataPath])
    await page.evaluate(() => window.dispatchEvent(new Event('focus')))
    await expect(mine).toContainText('Your file')
  })

  test('that is dropped on the page brings up the folders, since a browser does not tell where it lies', async ({
    app,
  }) => {
    await app.goTo('Models')
    await app.page.getByRole('heading', { name: 'Models', exact: true }).waitFor()
    const dialog = app.page.getByRole('dialog', { name: 'Add a model' })
    // On a busy machine the page may not listen yet when its heading is there.
    await expect(async () => {
      await drop(app.page, join(folder, 'more', 'broken.gguf'))
      await dialog.waitFor({ timeout: 2000 })
    }).toPass()
    await expect(dialog).toContainText('A browser does not tell a page where dropped files lie')
  })
})

test.describe('the hub', () => {
  let server: HubServer
  test.beforeAll(async () => {
    const potion = async (path: string) => readFile(join(POTION, path))
    server = await startHubServer({
      'someone/Demo-GGUF': {
        license: 'apache-2.0',
        downloads: 1234,
        files: {
          'demo-Q8_0.gguf': existsSync(demoModel) ? await readFile(demoModel) : Buffer.alloc(20_000),
          'demo-Q4_K_M.gguf': Buffer.alloc(3_000_000, 7),
        },
      },
      'closed/Demo-GGUF': { gated: 'manual', files: { 'x-Q8_0.gguf': Buffer.alloc(20_000) } },
      ...(existsSync(POTION) && {
        'Xenova/all-MiniLM-L6-v2': {
          license: 'apache-2.0',
          files: {
            'config.json': await potion('config.json'),
            'tokenizer.json': await potion('tokenizer.json'),
            'tokenizer_config.json': await potion('tokenizer_config.json'),
            'onnx/model_quantized.onnx': await potion('onnx/model_quantized.onnx'),
          },
        },
      }),
    })
  })
  test.afterAll(() => server.close())
  test.use({ env: async ({}, use) => use({ HF_ENDPOINT: server.url }) })

  test('is asked only with the network on; a model is searched, paused, resumed and arrives', async ({
    app,
  }) => {
    needsDemoModel()
    test.setTimeout(120_000)
    const { page } = app
    await app.goTo('Models')
    const hub = page.getByRole('region', { name: 'Find more on Hugging Face' })
    await expect(hub).toContainText('The network is off, so nothing is asked.')
    expect(server.asked).toEqual([])
    await hub.getByRole('button', { name: 'Turn it on in Settings' }).click()
    await page.getByRole('switch', { name: 'Network' }).first().click()
    await app.goTo('Models')
    await expect(hub).toContainText('Nothing of your tasks or memory does.')
    await hub.getByLabel('Name of a model').fill('demo')
    await page.keyboard.press('Enter')
    await expect(hub.getByRole('button', { name: /closed\/Demo-GGUF/ })).toContainText('Terms to accept')
    // What was searched for is still said above what was found.
    await expect(hub.getByLabel('Name of a model')).toHaveValue('demo')
    await hub.getByRole('button', { name: /someone\/Demo-GGUF/ }).click()
    const files = hub.getByRole('list', { name: 'Files of someone/Demo-GGUF' })
    await expect(files.getByRole('listitem')).toHaveText([/Q4_K_M.*3.0 MB.*fits/, /Q8_0.*9.* MB.*fits/], {
      timeout: 60_000,
    })
    await files.scrollIntoViewIfNeeded()
    await picture(page, 'models-hub')
    server.mishap = { slowMs: 100 }
    await files.getByRole('button', { name: 'Download Q8_0' }).click()
    await files.getByRole('button', { name: 'Download Q4_K_M' }).click()
    const queue = page.getByRole('list', { name: 'Downloads' })
    await expect(queue.getByRole('listitem')).toHaveCount(2)
    await expect(queue.getByRole('listitem').nth(1)).toContainText('Waits its turn')
    await expect(queue.getByRole('listitem').first()).toContainText(/of 9.* MB/)
    await expect(app.status).toContainText('1 outgoing connection')
    await queue.scrollIntoViewIfNeeded()
    await picture(page, 'models-downloads')
    await queue.getByRole('button', { name: 'Pause someone/Demo-GGUF Q8_0' }).click()
    await expect(queue.getByRole('listitem').first()).toContainText('Paused')
    await queue.getByRole('button', { name: 'Cancel someone/Demo-GGUF Q4_K_M' }).click()
    server.mishap = {}
    await queue.getByRole('button', { name: 'Resume someone/Demo-GGUF Q8_0' }).click()
    await expect(queue).toBeHidden({ timeout: 60_000 })
    const found = page.getByRole('list', { name: 'Found models' })
    await expect(found.getByRole('listitem').filter({ hasText: 'demo-Q8_0' })).toContainText(
      'Loam’s downloads',
    )
  })

  test(
    'goes on with a download where it was when the host was killed',
    { tag: '@long' },
    async ({ page, host }) => {
      needsDemoModel()
      // The page logs that its socket is gone, so it is not looked at for complaints.
      const app = new AppPage(page)
      await app.open(host.url)
      await app.goTo('Settings')
      await page.getByRole('switch', { name: 'Network' }).first().click()
      await app.goTo('Models')
      const hub = page.getByRole('region', { name: 'Find more on Hugging Face' })
      await hub.getByLabel('Name of a model').fill('demo')
      await page.keyboard.press('Enter')
      await hub.getByRole('button', { name: /someone\/Demo-GGUF/ }).click()
      server.mishap = { slowMs: 100 }
      await hub.getByRole('button', { name: 'Download Q8_0' }).click()
      const part = join(host.dataPath, 'models', 'hub', 'someone', 'Demo-GGUF', 'demo-Q8_0.gguf.part')
      const had = () =>
        stat(part).then(
          ({ size }) => size,
          () => 0,
        )
      await expect.poll(had).toBeGreaterThan(100_000)
      host.kill()
      await expect.poll(() => server.sending).toBe(0)
      const before = await had()
      server.mishap = {}
      const again = await startHost(host.dataPath, 'real', { HF_ENDPOINT: server.url })
      try {
        await app.open(again.url)
        await app.goTo('Models')
        const found = page.getByRole('list', { name: 'Found models' })
        await expect(found.getByRole('listitem').filter({ hasText: 'demo-Q8_0' })).toBeVisible({
          timeout: 60_000,
        })
        const from = server.asked.filter((one) => one.includes('bytes=')).at(-1)
        expect(Number(/bytes=(\d+)/.exec(from ?? '')?.[1])).toBe(before)
      } finally {
        await again.stop()
      }
    },
  )

  test('gives a larger embedding model by one click', { tag: '@long' }, async ({ app }) => {
    test.skip(!existsSync(POTION), 'the small embedding model is not here')
    const { page } = app
    await app.goTo('Model and speed')
    await expect(page.getByRole('radio', { name: /^Built-in embedding model/ })).toBeChecked()
    await page.getByRole('switch', { name: 'Network' }).first().click()
    const offers = page.getByRole('list', { name: 'Offered embedding models' })
    await expect(offers.getByRole('listitem')).toHaveText([
      /all-MiniLM-L6-v2.*licence Apache-2.0/,
      /multilingual.*licence/,
    ])
    await offers.getByRole('button', { name: 'Download and use' }).first().click()
    await expect(page.getByRole('radio', { name: /^all-MiniLM-L6-v2/ })).toBeChecked({ timeout: 60_000 })
  })
})

test.describe('before a run', () => {
  test.use({
    seed: async ({}, use) => {
      needsDemoModel()
      await use(async (dataPath) => {
        // The same model, which says that it was trained on far less than a prompt of the tasks.
        const file = await readFile(demoModel)
        const key = Buffer.from('.context_length')
        const at = file.indexOf(key) + key.length + 4
        file.writeUInt32LE(64, at)
        await mkdir(join(dataPath, 'models'), { recursive: true })
        await writeFile(join(dataPath, 'models', 'forgetful.gguf'), file)
      })
    },
  })

  test(
    'the window warns of thresholds without meaning, and refuses what cannot go well',
    { tag: '@long' },
    async ({ app, run }) => {
      await app.goTo('Model and speed')
      await app.page.getByRole('radio', { name: /^Built-in word matcher/ }).click()
      await expect(app.page.getByRole('radio', { name: /^Built-in word matcher/ })).toBeChecked()
      await app.goTo('Models')
      const bundled = app.page.getByRole('listitem').filter({ hasText: demoModel })
      await bundled.getByRole('button', { name: 'Use in a run' }).click()
      await run.choose('Method', /^Agent KB/)
      const before = app.page.getByRole('region', { name: 'Before the run' })
      await expect(before).toContainText(/assumes an embedding model that compares meaning/, {
        timeout: 60_000,
      })
      await expect(run.start).toBeEnabled()
      await app.goTo('Models')
      const forgetful = app.page.getByRole('listitem').filter({ hasText: 'forgetful.gguf' })
      await forgetful.getByRole('button', { name: 'Use in a run' }).click()
      await expect(before).toContainText(/are longer than the \d+ that .* reads/, { timeout: 60_000 })
      await expect(run.start).toBeDisabled()
      await run.start.scrollIntoViewIfNeeded()
      await picture(app.page, 'run-refused')
    },
  )
})

test(
  'a planner at a server and an executor on this machine answer questions together',
  { tag: '@long' },
  async ({ app, run }) => {
    needsDemoModel()
    test.setTimeout(240_000)
    await onTwoModels({ app, run }, async (server) => {
      expect((await run.outcomes())[0]).toBe(1)
      await expect(run.story).toContainText('Plan 1')
      await expect(run.story).toContainText('Read the files that the task comes with.')
      await expect(
        run.story.getByRole('list', { name: 'Subtasks' }).getByRole('listitem').first(),
      ).toBeVisible()
      expect(server.mostAtWork()).toBe(1)
      const head = app.page.getByRole('region', { name: 'Progress' })
      await expect(head).toContainText(/Planner’s model: big-planner.* · Executor’s model: Loam demo/)
      await picture(app.page, 'planner-and-executor')
    })
  },
)

test.describe('how a model reads memory', () => {
  test.use({
    seed: async ({}, use) => {
      test.skip(!hasStories, 'the small test model is not here')
      await use(async (dataPath) => {
        await mkdir(join(dataPath, 'models'), { recursive: true })
        await copyFile(STORIES, join(dataPath, 'models', 'stories.gguf'))
      })
    },
  })

  test('is measured, looked at, and chosen otherwise, and the choice is kept', async ({ app }) => {
    const { page } = app
    await app.goTo('Models')
    const card = page
      .getByRole('list', { name: 'Found models' })
      .getByRole('listitem')
      .filter({ hasText: 'stories' })
    const form = card.getByRole('button', { name: /^Facts are shown as/ })
    await expect(form).toContainText('2 facts in a list, the best first')
    const measure = card.getByRole('button', { name: 'Measure this model' })
    await measure.click()
    await expect(measure).toBeHidden({ timeout: 120_000 })
    await expect(card).toContainText(
      'It does not use tools well. Loam works out sums and reads files for it.',
    )
    await expect(card).toContainText('It cannot answer in German, French or Spanish.')
    await card.getByText(/^Measured with \d+ questions$/).click()
    // The head, five forms of facts, tools, languages, three forms of attempts, roles and next messages.
    await expect(card.getByRole('table').getByRole('row')).toHaveCount(13)
    await picture(page, 'models-memory-form')
    await form.click()
    await page.getByRole('menuitemradio', { name: '4 facts in a list, the best first' }).click()
    await expect(form).toContainText('4 facts')
    const attempts = card.getByRole('button', { name: /^Attempts are shown/ })
    await attempts.click()
    await page.getByRole('menuitemradio', { name: 'only where the task is the same' }).click()
    await page.reload()
    await expect(form).toContainText('4 facts')
    await expect(attempts).toContainText('only where the task is the same')
  })
})
