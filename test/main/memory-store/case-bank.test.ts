import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openMemory } from '../../../src/main/memory-store/memory'
import { describeCaseBank } from './case-bank-conformance'

// The second time every row goes to LanceDB at once, so that nothing is answered from the rows waiting in memory.
for (const pendingRows of [256, 1]) {
  describeCaseBank(`LanceDB, ${pendingRows} waiting rows`, async (embedder) => {
    const folder = await mkdtemp(join(tmpdir(), 'loam-bank-'))
    const bank = await openMemory({ folder, embedder, tuning: { pendingRows } })
    return {
      bank,
      close: async () => {
        await bank.close()
        await rm(folder, { recursive: true, force: true })
      },
    }
  })
}
