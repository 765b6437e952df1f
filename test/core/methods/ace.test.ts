import { expect, test } from 'vitest'
import { ace } from '../../../src/core/methods/ace/ace'
import { fuller } from '../../../src/core/methods/ace/merge'
import type { PlayAttempt } from '../../../src/core/ground/method'
import type { Trajectory } from '../../../src/shared/domain/trajectory'
import { attemptAt, openLab, taskAt, type Lab } from './fixtures'

const reflection = (insight: string, ...tags: [number, string][]): string =>
  JSON.stringify({ diagnosis: 'Bookings.', insight, tags: tags.map(([bullet, tag]) => ({ bullet, tag })) })
const bullets = (...contents: string[]): string =>
  JSON.stringify({ bullets: contents.map((content) => ({ section: 'facts', content })) })
const held = async (lab: Lab) => lab.memory.items('bullet')
/** The attempt as if it had been shown the playbook as it is. */
const shown = async (lab: Lab, attempt: Trajectory): Promise<Trajectory> => {
  const { errorLessons, successLessons } = await lab.recall(attempt.task.index)
  return {
    ...attempt,
    recalled: [...errorLessons, ...successLessons].map(({ item }) => ({ ...item, tokens: 1 })),
  }
}

test('reflector and curator are asked in turn, and what the curator writes joins the playbook', async () => {
  const lab = openLab(ace, [
    reflection('Codes of bookings are upper case.'),
    bullets('Codes of bookings are upper case.'),
  ])
  await lab.live(attemptAt(1, 0))
  const [reflect, curate] = lab.model.requests
  expect(reflect?.messages[1]?.content).toMatch(
    /^Playbook: \(empty\)\n\nFailed: Count the bookings of kind 1\./,
  )
  expect(curate?.messages[1]?.content).toContain('Learned:\nBookings.\nCodes of bookings are upper case.')
  expect(await held(lab)).toMatchObject([
    {
      id: 'bullet-r1-t0001-1',
      section: 'facts',
      content: 'Codes of bookings are upper case.',
      helpful: 0,
      harmful: 0,
      trajectoryIds: ['r1-t0001'],
    },
  ])
})

test('what the reflector says of the bullets that were shown is counted, once per attempt, without rewriting them', async () => {
  const lab = openLab(ace, [
    reflection('x'),
    bullets('Amounts of bookings are in cents.', 'Names are lower case.'),
    reflection('y', [1, 'helpful'], [2, 'harmful'], [1, 'harmful'], [7, 'helpful']),
    bullets(),
    reflection('z', [1, 'helpful'], [2, 'neutral']),
    bullets(),
  ])
  await lab.live(attemptAt(1, 1))
  await lab.live(await shown(lab, attemptAt(2, 1)))
  await lab.live(await shown(lab, attemptAt(3, 1)))
  expect(await held(lab)).toMatchObject([
    { content: 'Amounts of bookings are in cents.', helpful: 2, harmful: 0 },
    { content: 'Names are lower case.', helpful: 0, harmful: 1 },
  ])
  expect(lab.kinds().filter((kind) => kind === 'memory-dropped')).toEqual([])
})

test('the agent reads the whole playbook, mistakes apart, each bullet with its number and counts', async () => {
  const lab = openLab(ace, [
    reflection('x'),
    JSON.stringify({
      bullets: [
        { section: 'strategies', content: 'Look at bookings first.' },
        { section: 'mistakes', content: 'Do not guess.' },
      ],
    }),
  ])
  await lab.live(attemptAt(1, 0))
  const { errorLessons, successLessons } = await lab.recall(2)
  expect(successLessons.map(({ text }) => text)).toEqual([
    '[1] helpful 0, harmful 0: Look at bookings first.',
  ])
  expect(errorLessons.map(({ text }) => text)).toEqual(['[2] helpful 0, harmful 0: Do not guess.'])
})

test('a bullet that says the same becomes the one that is there, with the text that says more', async () => {
  const lab = openLab(
    ace,
    [
      reflection('x'),
      bullets('Prices of bookings are in cents always.'),
      reflection('y'),
      bullets('Prices of bookings are in cents always, always.'),
    ],
    { settings: { ace: { sameAbove: 0.8 } } },
  )
  await lab.live(attemptAt(1, 1), attemptAt(2, 1))
  expect(await held(lab)).toMatchObject([
    {
      id: 'bullet-r1-t0001-1',
      content: 'Prices of bookings are in cents always.',
      trajectoryIds: ['r1-t0001', 'r1-t0002'],
    },
  ])
  expect(fuller('Lost is K.', 'Lost is K, port is upper.')).toBe('Lost is K, port is upper.')
  expect(fuller('Lost is K.', 'Lost is L.')).toBe('Lost is L.')
})

test('a full playbook loses what says the same, then what helped least; what is pinned stays', async () => {
  const long = (word: string): string =>
    `booking ${Array.from({ length: 40 }, (_, i) => `${word}${i}`).join(' ')}`
  const lab = openLab(
    ace,
    [
      reflection('x'),
      bullets(long('a'), long('b')),
      reflection('y', [1, 'harmful'], [2, 'helpful']),
      bullets(long('b'), long('c')),
    ],
    { settings: { ace: { refine: 'lazy', budget: 100 } } },
  )
  await lab.live(attemptAt(1, 1))
  await lab.live(await shown(lab, attemptAt(2, 1)))
  expect((await held(lab)).map(({ content }) => content[8])).toEqual(['b', 'c'])
})

test('a failed attempt is reflected on as often as asked, each round with what was found before', async () => {
  const lab = openLab(ace, [reflection('first'), reflection('second'), bullets('Second.')], {
    settings: { ace: { rounds: 2 } },
  })
  await lab.live(attemptAt(1, 0))
  expect(lab.model.requests[1]?.messages[1]?.content).toContain('Your reflection so far')
  expect(lab.model.requests[2]?.messages[1]?.content).toContain('second')
})

test('what says nothing of the attempt, or nothing new, is not written into the playbook', async () => {
  const empty = 'It is important to always do good work.'
  const generic = openLab(ace, [
    JSON.stringify({ diagnosis: empty, insight: empty }),
    JSON.stringify({ diagnosis: empty, insight: empty }),
  ])
  await generic.live(attemptAt(1, 0))
  expect(generic.memory.events.at(-1)).toMatchObject({
    failure: { role: 'ace-reflect', reason: 'quotes-nothing' },
  })
  const again = openLab(
    ace,
    [
      reflection('x'),
      bullets('Codes of bookings are upper case, names lower.'),
      reflection('y'),
      bullets('codes of bookings are upper case'),
    ],
    { settings: { ace: { refine: 'lazy' } } },
  )
  await again.live(attemptAt(1, 1), attemptAt(2, 1))
  expect((await held(again)).map(({ content }) => content)).toEqual([
    'Codes of bookings are upper case, names lower.',
  ])
})

test.each([
  [['{}', '{}'], 'ace-reflect'],
  [[reflection('x'), '[]', '[]'], 'ace-curate'],
])('what is unusable twice is noted, and nothing is kept', async (replies, role) => {
  const lab = openLab(ace, replies)
  await lab.live(attemptAt(1, 1))
  expect(await held(lab)).toEqual([])
  expect(lab.memory.events.at(-1)).toMatchObject({ failure: { role } })
})

test('offline the first tasks are gone through for some epochs, each attempt kept with what it taught, and nothing is learned after', async () => {
  const settings = { ace: { offline: 2, epochs: 3 } }
  const lab = openLab(
    ace,
    (request) => (request.messages[0]?.content.includes('You keep a playbook') ? bullets() : reflection('x')),
    { settings },
  )
  expect(ace.prepare?.split(settings, 10)).toBe(2)
  await lab.live(attemptAt(0, 0), attemptAt(1, 1))
  const played: string[] = []
  let stopAfter = 3
  const play: PlayAttempt = ({ id, task }) => {
    played.push(id)
    return Promise.resolve(attemptAt(task.index, 1, { id }))
  }
  const input = {
    part: 0,
    earlier: [],
    runId: 'r1',
    environment: 'lab-db',
    tasks: [taskAt(0), taskAt(1)],
    attempted: (task: { index: number }) => lab.memory.trajectory(`r1-t000${task.index}`),
    play,
    now: () => new Date(0),
    signal: new AbortController().signal,
    pauseRequested: () => stopAfter-- <= 0,
    activity: () => undefined,
  }
  expect(await ace.prepare?.run(input, lab.context)).toBe('paused')
  stopAfter = 99
  expect(await ace.prepare?.run(input, lab.context)).toMatchObject({
    iterations: 3,
    before: { correctness: 0.5 },
    after: { correctness: 1 },
  })
  expect(played).toEqual(['r1-epoch2-t0000', 'r1-epoch2-t0001', 'r1-epoch3-t0000', 'r1-epoch3-t0001'])
  const asked = lab.model.requests.length
  await lab.live(attemptAt(5, 1))
  expect(lab.model.requests).toHaveLength(asked)
})
