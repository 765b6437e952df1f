import { writeSync } from 'node:fs'
import { openSpace } from '../../../../src/main/adapters/lancedb/space'
import { attempt, wordEmbedder } from './fixtures'

// A process of its own for crash.test.ts: commits until it is killed and prints each id once it is acknowledged.
const [folder = '', first = '0'] = process.argv.slice(2)
const space = await openSpace({
  folder,
  embedder: wordEmbedder(),
  tuning: { pendingRows: 4, writesPerOptimize: 3 },
  segmentBytes: 20_000,
})
for (let n = Number(first); ; n++) {
  await space.commit(attempt(n, `task ${n} ${'word '.repeat(n % 40)}`))
  writeSync(1, `added ${n}\n`)
  if (n % 10 === 0) {
    await space.deleteCase(`c${String(n).padStart(5, '0')}`)
    writeSync(1, `deleted ${n}\n`)
  }
  if (n % 7 === 0) await space.search('task', 2)
}
