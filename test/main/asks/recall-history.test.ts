import { afterEach, expect, test } from 'vitest'
import { MY_MEMORY } from '../../../src/shared/domain/memory-info'
import { recallMeaning } from '../../../src/shared/figures/recall-words'
import { startModelServer, type ModelServer } from '../../fixtures/model-server'
import { parrotSaying } from './parrot'
import { askAndWait, listAll, NOTHING_SAID, useAsksRig } from './rig'

const openRig = useAsksRig()
let server: ModelServer | null = null
afterEach(async () => {
  await server?.close()
  server = null
})

const parrot = parrotSaying('It is Sydney.')

test('past asks are shown again what the memory held before each, and nothing that came later', async () => {
  server = await startModelServer('parrot', parrot)
  const { app } = await openRig()
  const live = async (text: string, answer: string): Promise<void> => {
    const { ask } = await askAndWait(app, { text, model: `openai:parrot@${server?.url}`, tools: [] })
    await app.asks.teach(ask.id, 0, { ...NOTHING_SAID, verdict: 'wrong', answer })
    await app.asks.settled()
  }
  await live('Which harbour does the ferry Vela leave from?', 'Marsala')
  await live('What colour is the cabin Marmot painted?', 'green')
  await live('Which harbour does the ferry Vela leave from?', 'Marsala')
  await live('Where do we go on board in June?', 'Marsala')
  await live('Write a poem about the sea.', 'The sea is wide.\nThe sea is deep.')

  const memoryId = app.memories.resolve(MY_MEMORY)
  const rows = async () => (await app.memory.list(listAll(memoryId))).rows
  const before = await rows()
  const { asks, unusable } = await app.askHistory.recalls(memoryId)
  expect(asks.map(({ outcome }) => outcome)).toEqual(['silent', 'silent', 'right', 'missed'])
  expect(asks[2]?.shown).toMatchObject([{ kind: 'fact', says: true }])
  expect(unusable).toEqual([{ why: 'their answers are too long to be compared by words', count: 1 }])
  expect(recallMeaning(asks)).toBe(
    'Of 4 judged asks, the right thing would be shown in 1 and others alone in 0. Nothing would be shown in 3, though it was there in 1 of them.',
  )
  // Looking changes nothing.
  expect(await rows()).toEqual(before)
})
