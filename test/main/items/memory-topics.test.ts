import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createApp } from '../../../src/main/app'
import { memorySourceOf } from '../../../src/main/items/memory-items'
import { topicsOfItems } from '../../../src/main/items/memory-topics'
import { attempt } from '../memory-store/fixtures'

const TASKS = [
  'Raven: How many tickets are in Tokyo?',
  'Raven: How many tickets are in Accra?',
  'Raven: How many tickets are in Tunis?',
  'Maple: Add up the fee of Vera over missing loans.',
  'Maple: Add up the fee of Yara over damaged loans.',
  'Maple: Add up the fee of Kai over missing loans.',
]
/** What attempts of one world have in common, whatever their tasks are. */
const TOLD = `Agent: rules: received_on ?
Action: Operation
SELECT received_on FROM rows LIMIT 2;
Database: rows
Agent: rules: received_on slash
Action: Answer
Final Answer: `

test('cases are grouped and named by what was asked, not by how all attempts are told', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'loam-topics-'))
  const app = await createApp({ dataPath: folder, host: 'memory' })
  try {
    const { id } = await app.memories.create('topics')
    const memory = await app.memories.open(id)
    for (const [i, task] of TASKS.entries()) await memory.commit(attempt(i, task, { plan: `${TOLD}${i}` }))
    const topics = await topicsOfItems(memorySourceOf(memory), await app.embedder())
    expect(topics.map(({ items }) => items.length)).toEqual([3, 3])
    expect(topics.map(({ title }) => title).join()).toMatch(/tickets/)
    expect(topics.map(({ title }) => title).join()).toMatch(/loans/)
    expect(topics.map(({ title }) => title).join()).not.toMatch(/action|agent|rules/)
  } finally {
    await app.dispose()
    await rm(folder, { recursive: true, force: true, maxRetries: 5 })
  }
})
