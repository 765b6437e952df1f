import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { createApp, type App } from '../../../src/main/app'
import { DEMO_MODEL, tempFolder, trajectoriesOf } from '../runs/rig-app'

let opened: App | undefined
let folder: string | undefined
afterEach(async () => {
  await opened?.dispose()
  if (folder !== undefined) await rm(folder, { recursive: true, force: true, maxRetries: 5 })
})

test('passages of own files are recalled into a run, with where they are from, and counted', async () => {
  const own = await tempFolder()
  const app = await createApp({ dataPath: join(own, 'data'), host: 'memory', gpuLayers: 'cpu' })
  opened = app
  folder = own
  const files = join(own, 'files')
  await mkdir(files)
  await writeFile(
    join(files, 'house.md'),
    '# Harbor\n\nStatus words of visits and invoices are stored in capitals.\n',
  )
  const { id: memoryId } = await app.memories.create('own files')
  const { jobId } = await app.files.add(memoryId, files)
  await expect.poll(() => app.jobs.get(jobId).status, { timeout: 60_000 }).toBe('done')
  const run = await app.runDrafts.start({
    ...{ stream: 'house-rules-a', method: 'loam', model: DEMO_MODEL, tasks: 2, memoryId },
    settings: { loam: { documents: false } },
  })
  expect(await app.runs.ended(run.id)).toMatchObject({ status: 'done', done: 2, problem: null })
  const attempts = (await trajectoriesOf(app, run.id)).filter(({ runId }) => runId === run.id)
  for (const { recalled } of attempts)
    expect(recalled).toContainEqual(
      expect.objectContaining({
        kind: 'passage',
        title: 'house.md, lines 1 to 3',
        tokens: expect.any(Number),
      }),
    )
  const { rows } = await app.memory.list({
    ...{ memoryId, kinds: ['passage'], text: '', environment: null, mark: null },
    ...{ state: 'live', sort: 'newest', offset: 0, limit: 5 },
  })
  expect(rows[0]?.recalls).toMatchObject({ recalled: 2 })
})
