import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { askAndWait, BOOKINGS, COUNT_BOOKINGS, hasDemoModel, useAsksRig } from './rig'

const openRig = useAsksRig()

test.skipIf(!hasDemoModel)(
  'an ask recalls passages of own files whatever the method of it, in whatever way, unless it is told not to',
  async () => {
    const { app, folder } = await openRig()
    const files = join(folder, 'own')
    await mkdir(join(files, 'house'), { recursive: true })
    await writeFile(join(files, 'house', 'harbor.md'), '# Harbor\n\nPrices of bookings are kept in cents.\n')
    const { id: memoryId } = await app.memories.create('own files')
    const { jobId } = await app.files.add(memoryId, files)
    await expect.poll(() => app.jobs.get(jobId).status, { timeout: 60_000 }).toBe('done')
    const passage = expect.objectContaining({ kind: 'passage', title: 'house/harbor.md, lines 1 to 3' })
    const recalledOf = async (input: Partial<Parameters<typeof askAndWait>[1]>) => {
      const text = COUNT_BOOKINGS
      const { ask, attempts } = await askAndWait(app, { text, memoryId, maxTokens: 32, ...input })
      expect(ask.problem).toBeNull()
      return attempts[0]?.trajectory.recalled ?? []
    }
    expect(await recalledOf({ world: BOOKINGS })).toEqual([passage])
    expect(await recalledOf({ world: BOOKINGS, method: 'none' })).toEqual([passage])
    expect(await recalledOf({ method: 'case-bank', tools: [] })).toEqual([passage])
    // A word in common is not what an ask is about, whatever the method.
    for (const method of ['case-bank', 'loam'])
      expect(await recalledOf({ text: 'What are good prices for a used bike?', method, tools: [] })).toEqual(
        [],
      )
    // A method that recalls passages itself brings each of them once.
    expect(
      (await recalledOf({ world: BOOKINGS, method: 'loam' })).filter(({ kind }) => kind === 'passage'),
    ).toEqual([passage])
    expect(await recalledOf({ world: BOOKINGS, ownFiles: false })).toEqual([])
    expect(await recalledOf({ world: BOOKINGS, method: 'loam', ownFiles: false })).toEqual([])
  },
)
