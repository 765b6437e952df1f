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
  expect(await lab.space.memories('cheatsheet')).toMatchObject([
    { content: 'Count rows. Mind the case.', version: 2 },
  ])
  expect((await lab.recall(3)).retrieved.map(({ text }) => text)).toEqual(['Count rows. Mind the case.'])
})

test('an unusable text leaves the one before in its place', async () => {
  const lab = openLab(dynamicCheatsheet, [sheet('Count rows.'), sheet(' '), sheet(' ')], { k: 0 })
  await lab.live(attemptAt(1, 1), attemptAt(2, 1))
  expect(await lab.space.memories('cheatsheet')).toMatchObject([{ content: 'Count rows.', version: 1 }])
  expect(lab.kinds()).toEqual(['memory-added', 'writing-failed'])
})
