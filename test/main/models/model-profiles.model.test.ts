import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { askedOf, PROBE_QUESTIONS } from '../../../src/core/agent/fact-probe'
import { createApp, type App } from '../../../src/main/app'
import { USUAL_FACT_FORM } from '../../../src/shared/domain/model-profile'
import { hasStories, STORIES } from '../adapters/llama/stories-model'

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

describe.skipIf(!hasStories)('what is known of how a model reads memory', () => {
  it('is measured once, kept by the hash of its file, and chosen otherwise', async () => {
    const dataPath = await newFolder()
    const first = await appIn(dataPath)
    expect(await first.profiles.get(STORIES)).toBeNull()
    const job = first.profiles.measure(STORIES)
    expect(() => first.profiles.measure(STORIES)).toThrow('It is being measured already')
    expect(await job.finished).toMatchObject({ status: 'done', done: PROBE_QUESTIONS, problem: null })
    const profile = await first.profiles.get(STORIES)
    expect(askedOf(profile?.tallies ?? [])).toBe(PROBE_QUESTIONS)
    // A model of 260 thousand weights reads nothing in any form.
    expect(profile?.form).toEqual(USUAL_FACT_FORM)
    await first.profiles.choose(STORIES, { place: 'turns', best: 'last', most: 2 })
    await open.pop()?.dispose()

    const second = await appIn(dataPath)
    expect(await second.profiles.formFor(STORIES)).toMatchObject({ place: 'turns' })
    await second.profiles.choose(STORIES, null)
    expect(await second.profiles.formFor(STORIES)).toEqual(USUAL_FACT_FORM)
    // A file that nobody can read costs the measurement, not the start.
    await writeFile(join(dataPath, 'model-profiles.json'), '{')
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
    const count = askedOf((await app.profiles.get(STORIES))?.tallies ?? [])
    expect(count).toBeLessThan(PROBE_QUESTIONS)
    await vi.waitFor(async () => {
      await app.profiles.goOn(STORIES)
      expect(askedOf((await app.profiles.get(STORIES))?.tallies ?? [])).toBe(PROBE_QUESTIONS)
    })
  })
})
