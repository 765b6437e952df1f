import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import { askAndWait, hasDemoModel, openAsksRig, type AsksRig } from './rig'

// Engines start slowly on a busy machine.
vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 })

let rig: AsksRig | null = null
let files: string | null = null
afterEach(async () => {
  await rig?.close()
  if (files !== null) await rm(files, { recursive: true, force: true, maxRetries: 5 })
  rig = null
  files = null
})

const WORLD = { stream: 'house-rules-a', index: 3 }

test.skipIf(!hasDemoModel)(
  'an ask recalls passages of own files whatever the method of it, in whatever way, unless it is told not to',
  async () => {
    rig = await openAsksRig()
    const { app } = rig
    files = await mkdtemp(join(tmpdir(), 'loam-own-'))
    await mkdir(join(files, 'house'))
    await writeFile(join(files, 'house', 'harbor.md'), '# Harbor\n\nPrices of bookings are kept in cents.\n')
    const { id: spaceId } = await app.spaces.create('own files')
    const { jobId } = await app.documents.add(spaceId, files)
    await expect.poll(() => app.jobs.get(jobId).status, { timeout: 60_000 }).toBe('done')
    const passage = expect.objectContaining({ kind: 'passage', title: 'house/harbor.md, line 1' })
    const recalledOf = async (input: Partial<Parameters<typeof askAndWait>[1]>) => {
      const text = 'Harbor: Count the bookings with price over 32.'
      const { ask, attempts } = await askAndWait(app, { text, spaceId, maxTokens: 32, ...input })
      expect(ask.problem).toBeNull()
      return attempts[0]?.trajectory.recalled ?? []
    }
    expect(await recalledOf({ world: WORLD })).toEqual([passage])
    expect(await recalledOf({ world: WORLD, method: 'none' })).toEqual([passage])
    expect(await recalledOf({ method: 'case-bank', tools: [] })).toEqual([passage])
    // A method that recalls passages itself brings each of them once.
    expect(
      (await recalledOf({ world: WORLD, method: 'loam' })).filter(({ kind }) => kind === 'passage'),
    ).toEqual([passage])
    expect(await recalledOf({ world: WORLD, ownFiles: false })).toEqual([])
    expect(await recalledOf({ world: WORLD, method: 'loam', ownFiles: false })).toEqual([])
  },
)
