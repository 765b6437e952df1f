import { createHash } from 'node:crypto'
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createKey, readKeys } from '../../../src/main/api/program-keys'
import { createApp, type App } from '../../../src/main/app'
import { damageIn } from '../../../src/main/ground/record-file'
import { openSoftPromptStore } from '../../../src/main/soft-prompts/soft-prompt-store'
import type { SoftPrompt } from '../../../src/shared/domain/soft-prompt'
import { exampleInfo } from '../soft-prompts/fixtures'
import { signingKey } from '../../../src/main/share/bundle/write-bundle'
import { createAgentMemory } from '../../../src/main/share/agent-memory'
import { TORTURE } from '../../torture'

const ADAPTER = new TextEncoder().encode('rows')
const sha256 = createHash('sha256').update(ADAPTER).digest('hex')
const ADAPTER_NAME = `${sha256.slice(0, 16)}.gguf`
const softPrompt: SoftPrompt = {
  ...exampleInfo([1]),
  ...{ format: 1, kind: 'loam-soft-prompt', adapter: 'rows.gguf', adapterSha256: sha256 },
}

describe('a data folder with a damaged file', () => {
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'loam-damage-'))
    const app = await open('whole')
    await app.saveSettings({ threads: 3, theme: 'dark' })
    await createKey(app.data.path, { name: 'bot', scopes: ['read'] }, new Date(0))
    await app.servers.save(
      { name: 'there', provider: 'openai', url: 'http://127.0.0.1:9/v1' } as never,
      'secret',
    )
    await app.messageDrafts.keep({ key: 'new', text: 'half a question' })
    await app.savedPrompts.save({ name: 'Tide', text: 'When is it high?' })
    const calm = { instructions: 'Be calm.', temperature: null, topP: null, maxTokens: null }
    await app.projects.set({ name: 'harbour', ...calm })
    await app.asks.putOffReview()
    const tasks = [
      { question: 'Two and two?', answer: '4' },
      { question: 'Three?', answer: '3' },
    ]
    const lines = tasks.map((task) => `${JSON.stringify(task)}\n`).join('')
    await app.streams.take('sums.jsonl', new TextEncoder().encode(lines))
    const memory = await app.memories.open('mine')
    await softPromptsOf(app).add(softPrompt, ADAPTER)
    await softPromptsOf(app).label(ADAPTER_NAME, 'Harbour words', '2026-01-01T00:00:00.000Z')
    const access = createAgentMemory(memory, app, { write: true, hold: true })
    await access.remember({ about: 'me', statement: 'I live in the north.' }, 'bot')
    app.jobs.start('import', 'Something', () => Promise.resolve())
    await app.dispose()
  })
  afterAll(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }))

  const open = (name: string): Promise<App> => createApp({ dataPath: join(folder, name), host: 'memory' })
  const softPromptsOf = (app: App) => openSoftPromptStore(app.memories.folder(app.memories.resolve('mine')))
  /** What is in the records, by area. */
  const contents = async (app: App) => ({
    settings: app.settings(),
    keys: (await readKeys(app.data.path)).map(({ name }) => name),
    servers: (await app.servers.list()).map(({ name }) => name),
    secret: await app.servers.keyOf('there').catch(() => null),
    drafts: (await app.messageDrafts.list()).map(({ text }) => text),
    prompts: (await app.savedPrompts.list()).map(({ name }) => name),
    projects: (await app.projects.list()).map(({ instructions }) => instructions),
    mine: app.memories.resolve('mine'),
    jobs: app.jobs.list().length,
    tasks: (await app.streams.list()).flatMap(({ title, tasks, source }) =>
      source === 'file' ? [title, tasks] : [],
    ),
    softPrompts: (await softPromptsOf(app).view()).items.map(({ info }) => info.label),
    writes: (await createAgentMemory(await app.memories.open('mine'), app, { write: true }).writes()).length,
  })

  it('opens, holds what it held, and says what was damaged, whichever it is', async () => {
    const whole = await open('whole')
    const expected = await contents(whole)
    expect(expected).toMatchObject({
      settings: { threads: 3, theme: 'dark' },
      keys: ['bot'],
      ...{ servers: ['there'], secret: 'secret', drafts: ['half a question'], writes: 1 },
      ...{ prompts: ['Tide'], projects: ['Be calm.'], tasks: ['sums', 2], softPrompts: ['Harbour words'] },
    })
    await whole.dispose()
    const files = await readdir(join(folder, 'whole'), { recursive: true })
    const records = files.filter((file) => files.includes(`${file}.copy`))
    expect(records.map((file) => file.replace(/space-[0-9a-f]+/, 'ID')).sort()).toEqual([
      'ask-drafts/new.json',
      'connections.json',
      'credentials.json',
      'downloads.json',
      'format.json',
      'jobs.json',
      'my-memory.json',
      'projects.json',
      'review.json',
      'saved-prompts.json',
      'settings.json',
      `spaces/ID/artifacts/soft-prompts/${ADAPTER_NAME.replace('.gguf', '.json')}`,
      'spaces/ID/shared/writes.json',
      'spaces/ID/space.json',
      'streams/sums.jsonl',
      'tokens.json',
    ])
    // With `npm run torture` all of them.
    for (const file of records.filter((_, n) => TORTURE || n % 3 === 0)) {
      const name = `one-${records.indexOf(file)}`
      await cp(join(folder, 'whole'), join(folder, name), { recursive: true })
      const path = join(folder, name, file)
      const text = await readFile(path, 'utf8')
      await writeFile(path, `${text.slice(0, text.length >> 1)}#${text.slice((text.length >> 1) + 1)}`)
      const app = await open(name)
      expect([file, await contents(app)]).toEqual([file, expected])
      expect(
        damageIn(join(folder, name)).map((word) =>
          relative(join(folder, name), word.split(' was ')[0] ?? ''),
        ),
      ).toEqual([file])
      await app.dispose()
    }
  })

  it('is backed up without the secrets in it', async () => {
    const app = await open('whole')
    await signingKey(join(app.data.path, 'signing-key.pem'))
    const copied = await readdir(await app.data.backUp(), { recursive: true })
    await app.dispose()
    expect(copied).toEqual(expect.arrayContaining(['connections.json', 'connections.json.copy']))
    expect(copied.filter((name) => /credentials|signing-key/.test(name))).toEqual([])
  })

  it('opens without what was in it where its copy is damaged too', async () => {
    const files = await readdir(join(folder, 'whole'), { recursive: true })
    const records = files.filter((file) => files.includes(`${file}.copy`) && !file.startsWith('backups'))
    for (const file of records.filter((_, n) => TORTURE || n % 3 === 1)) {
      const name = `both-${records.indexOf(file)}`
      await cp(join(folder, 'whole'), join(folder, name), { recursive: true })
      for (const end of ['', '.copy']) await writeFile(join(folder, name, file + end), '\0\0{')
      const app = await open(name)
      if (file.endsWith('space.json')) {
        // A memory that cannot say whose it is does not open; all else does.
        await expect(app.memories.open('mine')).rejects.toMatchObject({ code: 'DATA_CORRUPT' })
        await app.dispose()
        continue
      }
      const { keys, settings } = await contents(app)
      // Nobody gets in by a file that cannot be read, and nothing leaves the machine.
      if (file === 'tokens.json') expect(keys).toEqual([])
      expect([settings.network, settings.rest.on]).toEqual([false, false])
      expect([file, damageIn(join(folder, name)).length]).toEqual([file, 1])
      await app.dispose()
    }
  })
})
