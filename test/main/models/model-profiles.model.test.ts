import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest'
import { LLMock } from '@copilotkit/aimock'
import { createApp, type App } from '../../../src/main/app'
import { isMeasured, replyCount, USUAL_FACT_FORM } from '../../../src/shared/domain/model-profile'
import { hasSmolLm2, SMOLLM2 } from '../adapters/llama/smollm2-model'
import { hasStories, STORIES } from '../adapters/llama/stories-model'
import { longTest, TORTURE } from '../../torture'

const DEMO = resolve('models/loam-demo.gguf')
const open: App[] = []
const folders: string[] = []
afterEach(async () => {
  for (const app of open.splice(0)) await app.dispose()
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true })
})
async function appIn(dataPath: string): Promise<App> {
  const app = await createApp({ dataPath, host: 'headless', gpuLayers: 'cpu' })
  open.push(app)
  return app
}
async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'loam-profiles-'))
  folders.push(folder)
  return join(folder, 'data')
}

describe.skipIf(!hasStories)('what is known of a model', () => {
  it('is measured once, kept by the hash of its file, and chosen otherwise', async () => {
    const dataPath = await newFolder()
    const first = await appIn(dataPath)
    expect(await first.profiles.get(STORIES)).toBeNull()
    const measuring = first.profiles.measure(STORIES)
    await expect(first.profiles.measure(STORIES)).rejects.toThrow('It is being measured already')
    const profile = await (await measuring).finished.then(() => first.profiles.get(STORIES))
    expect(profile && isMeasured(profile)).toBe(true)
    // A model of 260 thousand weights reads nothing in any form, and writes what it was trained on alone.
    expect(profile?.facts.form).toEqual(USUAL_FACT_FORM)
    expect(profile).toMatchObject({
      attempts: { form: 'turns' },
      tools: false,
      languages: { de: false, fr: false, es: false },
      roles: false,
    })
    await first.profiles.choose(STORIES, { facts: { place: 'turns', best: 'last', most: 2 } })
    await first.profiles.choose(STORIES, { attempts: 'none' })
    const run = await first.runDrafts.draft('a', {
      stream: 'house-rules-a',
      method: 'case-bank',
      model: STORIES,
    })
    expect(run.config.settings['presentation']).toMatchObject({ attempts: 'none' })
    await open.pop()?.dispose()

    const second = await appIn(dataPath)
    expect(await second.profiles.formFor(STORIES)).toMatchObject({ place: 'turns' })
    expect(await second.profiles.attemptFormFor(STORIES)).toBe('none')
    await second.profiles.choose(STORIES, { facts: null, attempts: null })
    expect(await second.profiles.formFor(STORIES)).toEqual(USUAL_FACT_FORM)
    expect(await second.profiles.attemptFormFor(STORIES)).toBe('turns')
    // Questions that have changed since are asked anew.
    const file = join(dataPath, 'model-profiles.json')
    await rm(`${file}.copy`)
    await writeFile(
      file,
      (await readFile(file, 'utf8'))
        .replace(/"tools":\s*\{\s*"version":\s*1/, '"tools":{"version":0')
        .replace(/,\s*"sum": "\w+"/, ''),
    )
    expect(await second.profiles.get(STORIES)).toMatchObject({ tools: null, attempts: { form: 'turns' } })
    // A file that nobody can read costs the measurement, not the start.
    await writeFile(file, '{')
    expect(await second.profiles.get(STORIES)).toBeNull()
  })

  it('goes on after an ask, lets whoever needs the model go first, and leaves the demo model alone', async () => {
    const app = await appIn(await newFolder())
    const measured = () => app.jobs.list().filter(({ kind }) => kind === 'measuring')
    await app.profiles.goOn(DEMO)
    expect(measured()).toEqual([])
    // Somebody has the model, and somebody else waits behind: the measurement stands between them.
    const giveBack = await app.runs.waitForModel('a test', new AbortController().signal)
    await app.profiles.goOn(STORIES)
    expect(measured()).toHaveLength(1)
    await vi.waitFor(() => expect(app.runs.isAwaited()).toBe(true))
    const next = app.runs.waitForModel('another test', new AbortController().signal)
    giveBack()
    ;(await next)()
    await vi.waitFor(() => expect(measured()[0]?.status).toBe('done'))
    const isWhole = async () => {
      const profile = await app.profiles.get(STORIES)
      return profile !== null && isMeasured(profile)
    }
    expect(await isWhole()).toBe(false)
    // To the end it is measured above.
    if (!TORTURE) return
    await vi.waitFor(async () => {
      await app.profiles.goOn(STORIES)
      expect(await isWhole()).toBe(true)
    })
  })
})

describe('a model on a server', () => {
  const server = new LLMock({ port: 0 })
  afterAll(() => server.stop())

  it('is measured when a person asks for it alone, and kept by its address and name', async () => {
    server.onMessage(/\bHimmel|Apfel|Regenschirm/, { content: 'Das ist etwas, das man oft sieht.' })
    server.onMessage(/./, { content: 'The name is Heron, as you know.' })
    await server.start()
    const app = await appIn(await newFolder())
    const model = `openai:gpt-4o@${server.url}/v1`
    await app.profiles.goOn(model)
    expect(app.jobs.list()).toEqual([])
    expect(await app.profiles.get(model)).toBeNull()
    const job = await (await app.profiles.measure(model)).finished
    expect(job.problem).toBeNull()
    expect(await app.profiles.get(model)).toMatchObject({
      tools: false,
      languages: { de: true, fr: false, es: false },
      roles: false,
    })
    expect(await app.profiles.get(`openai:another@${server.url}/v1`)).toBeNull()
    // The same server under a name of the person's own.
    await app.servers.save({ name: 'mine', url: `${server.url}/v1`, provider: 'openai' })
    expect(await app.profiles.callsTools('openai:gpt-4o@mine')).toBe(false)
    expect(await app.profiles.cannotWrite('openai:gpt-4o@mine', 'fr')).toBe(true)
    expect(await app.profiles.cannotWrite('openai:gpt-4o@mine', 'en')).toBe(false)
    // What follows: sums are worked out for it, and its answer says that it is in another language.
    const { id } = await app.askDrafts.start({ text: 'Combien font 17 fois 23 pour nous ?', model })
    await app.asks.settled()
    expect(app.asks.get(id).attempts[0]?.trajectory).toMatchObject({
      task: { context: '17 fois 23 = 391' },
      reason: 'This model cannot answer in French, as was measured.',
    })
    await expect(app.profiles.measure('recorded:replies.jsonl')).rejects.toThrow('Recorded replies')
  })
})

describe.skipIf(!hasSmolLm2)('SmolLM2, a real model of 135 million weights', () => {
  // Measuring takes minutes; a smaller real model is measured above.
  longTest(
    'reads facts in a list and attempts as turns, is too small for tools, and answers in English alone',
    { timeout: 240_000 },
    async () => {
      const app = await appIn(await newFolder())
      await (
        await app.profiles.measure(SMOLLM2)
      ).finished
      const profile = await app.profiles.get(SMOLLM2)
      expect(profile).toMatchObject({
        facts: { form: { place: 'list' } },
        attempts: { form: 'turns' },
        tools: false,
        languages: { de: false, fr: false, es: false },
        roles: false,
      })
      const right = (form: { kinds: Record<string, { right: number }> } | undefined, kind: string) =>
        form?.kinds[kind]?.right ?? 0
      const [list, , , , turns] = profile?.tallies.facts ?? []
      expect(right(list, 'facts')).toBeGreaterThan(right(turns, 'facts') + 4)
      const [asTurns, , without] = profile?.tallies.attempts ?? []
      expect(right(asTurns, 'tasks')).toBeGreaterThan(right(without, 'tasks'))
      process.stderr.write(
        `Measured SmolLM2 with ${profile ? replyCount(profile) : 0} questions in ${Math.round((profile?.ms ?? 0) / 1000)} s\n`,
      )
    },
  )
})
