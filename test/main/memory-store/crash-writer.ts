import { writeSync } from 'node:fs'
import { openMemory } from '../../../src/main/memory-store/memory'
import { experienceOf } from '../../core/memory/experiences/fixtures'
import { attempt, timeOf, wordEmbedder } from './fixtures'
import { caseEdits } from './case-edits'

// A process of its own for crash.test.ts: commits until it is killed and prints each id once it is acknowledged.
const [folder = '', first = '0'] = process.argv.slice(2)
const memory = await openMemory({
  folder,
  embedder: wordEmbedder(),
  // So few exact rows that both indexes are made and kept up beside the writing.
  tuning: { pendingRows: 4, writesPerOptimize: 3, exactRows: 40, unindexedRows: 6 },
  segmentBytes: 20_000,
})
for (let n = Number(first); ; n++) {
  await memory.commit(attempt(n, `task ${n} ${'word '.repeat(n % 40)}`))
  writeSync(1, `added ${n}\n`)
  await memory.commit([
    { kind: 'experience-added', experience: experienceOf(`x${n}`, `experience ${n} unique${n}`) },
  ])
  writeSync(1, `experience ${n}\n`)
  if (n % 6 === 0) {
    await memory.commit([{ kind: 'experience-evicted', experienceId: `x${n}`, score: 0, at: timeOf(n) }])
    writeSync(1, `evicted ${n}\n`)
  }
  if (n % 5 === 0) await memory.experiences.search({ text: `unique${n}`, mode: 'hybrid' })
  if (n % 10 === 0) {
    await caseEdits(memory).deleteCase(`c${String(n).padStart(5, '0')}`)
    writeSync(1, `deleted ${n}\n`)
  }
  if (n % 7 === 0) await memory.search('task', 2)
}
