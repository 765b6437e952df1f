import { expect, test } from 'vitest'
import { dynamicCheatsheet } from '../../../src/core/methods/dynamic-cheatsheet/dynamic-cheatsheet'
import { attemptAt, openLab } from './fixtures'

const sheet = (text: string): string => JSON.stringify({ cheatsheet: text })

test('one text is shown with every task and written anew after it, from the text so far', async () => {
  const lab = openLab(dynamicCheatsheet, [sheet('Count rows.'), sheet('Count rows. Mind the case.')], {
    k: 0,
  })
  expect((await lab.recall(0)).retrieved).toEqual([])
  await lab.live(attemptAt(1, 1), attemptAt(2, 0))
  expect(lab.model.requests[0]?.messages[1]?.content).toMatch(/^Cheatsheet so far:\n\(empty\)\n\nSolved: /)
  expect(lab.model.requests[1]?.messages[1]?.content).toMatch(/^Cheatsheet so far:\nCount rows\.\n\nFailed: /)
  expect(await lab.memory.items('cheatsheet')).toMatchObject([
    { content: 'Count rows. Mind the case.', version: 2 },
  ])
  expect((await lab.recall(3)).retrieved.map(({ text }) => text)).toEqual(['Count rows. Mind the case.'])
})

test('an unusable text leaves the one before in its place', async () => {
  const lab = openLab(dynamicCheatsheet, [sheet('Count rows.'), sheet(' '), sheet(' ')], { k: 0 })
  await lab.live(attemptAt(1, 1), attemptAt(2, 1))
  expect(await lab.memory.items('cheatsheet')).toMatchObject([{ content: 'Count rows.', version: 1 }])
  expect(lab.kinds()).toEqual(['memory-added', 'writing-failed'])
})

const RETRIEVAL = { 'dynamic-cheatsheet': { form: 'retrieval', similar: 2 } }

test('with retrieval it is written before the attempt, from the solved attempts most like the task, and kept with it', async () => {
  const lab = openLab(dynamicCheatsheet, [sheet('For kind 2.')], { settings: RETRIEVAL })
  await lab.live(attemptAt(1, 1), attemptAt(2, 1), attemptAt(3, 0), attemptAt(9, 1))
  expect(lab.model.requests).toEqual([])
  const { retrieved, usage } = await lab.recall(2)
  expect(retrieved.map(({ text }) => text)).toEqual(['For kind 2.'])
  expect(usage).toMatchObject({ promptTokens: 10, completionTokens: 3 })
  const asked = lab.model.requests[0]?.messages[1]?.content ?? ''
  expect(asked).toMatch(/^Cheatsheet so far:\n\(empty\)/)
  expect(asked).toContain('Solved: Count the bookings of kind 2.')
  expect(asked).not.toContain('kind 3')
  expect(asked).toMatch(/Task: Count the bookings of kind 2\.$/)
  expect(await lab.memory.items('cheatsheet')).toEqual([])
  const item = retrieved[0]?.item
  if (!item) throw new Error('Nothing was recalled.')
  await lab.live(attemptAt(10, 1, { recalled: [{ ...item, tokens: 4 }] }))
  expect(await lab.memory.items('cheatsheet')).toMatchObject([
    { id: item.id, content: 'For kind 2.', version: 1 },
  ])
})

test('with retrieval the first task has nothing to go by, and what cannot be used leaves the cheatsheet as it was', async () => {
  const lab = openLab(dynamicCheatsheet, ['{}', '{}'], { settings: RETRIEVAL })
  expect((await lab.recall(1)).retrieved).toEqual([])
  await lab.live(attemptAt(1, 1))
  expect((await lab.recall(2)).retrieved).toEqual([])
  expect(lab.model.requests).toHaveLength(2)
})
