import { describe, expect, test } from 'vitest'
import { errorLessonMessages, successLessonMessages } from '../../../src/core/methods/evosc/messages'
import { evosc } from '../../../src/core/methods/evosc/evosc'
import { attemptAt, lesson, openLab } from './fixtures'

const texts = (parts: readonly { text: string }[]): string[] => parts.map(({ text }) => text)
/** A lesson of as many characters, none of which says the same again. */
const ofLength = (characters: number): string =>
  Array.from({ length: characters }, (_, n) => `bookings of kind ${n}`)
    .join(', ')
    .slice(0, characters - 1)
    .trim()
    .padEnd(characters, '.')

describe('writing lessons (algorithm 1)', () => {
  test('a failure is contrasted with the newest successes and pushed to the error queue', async () => {
    const lab = openLab(evosc, [lesson('Both count.'), lesson('Look at the bookings first.')])
    await lab.live(attemptAt(1, 1), attemptAt(2, 1), attemptAt(3, 0))
    const [lessonOne] = (await lab.memory.items('lesson')).filter(({ queue }) => queue === 'error')
    expect(lessonOne).toMatchObject({
      id: 'lesson-error-r1-t0003',
      text: 'Look at the bookings first.',
      trajectoryIds: ['r1-t0003', 'r1-t0002', 'r1-t0001'],
      environment: 'lab-db',
    })
    const asked = lab.model.requests[1]
    expect(asked?.messages).toEqual(
      errorLessonMessages(
        lab.context.prompts.text('evosc-error-lab-db'),
        [attemptAt(1, 1), attemptAt(2, 1)].map(retelling),
        {
          ...retelling(attemptAt(3, 0)),
          finish: 'completed',
        },
      ),
    )
    expect(asked?.constraint).toMatchObject({
      kind: 'json-schema',
      schema: { properties: { lesson: { maxLength: 300 } } },
    })
    expect(asked?.temperature).toBeLessThanOrEqual(0.2)
  })

  test('a success is compared with the newest success at a different task', async () => {
    const lab = openLab(evosc, [lesson('Both count.')])
    const again = attemptAt(2, 1, { task: { ...attemptAt(1, 1).task, index: 2 } })
    await lab.live(attemptAt(1, 1), again)
    expect(lab.model.requests).toHaveLength(0)
    await lab.live(attemptAt(3, 1))
    expect(lab.model.requests[0]?.messages).toEqual(
      successLessonMessages(
        lab.context.prompts.text('evosc-success-lab-db'),
        retelling(again),
        retelling(attemptAt(3, 1)),
      ),
    )
    expect(lab.kinds()).toEqual(['memory-added'])
  })

  test('writes nothing without a success to compare with, or without a dialog', async () => {
    const lab = openLab(evosc, [])
    await lab.live(
      attemptAt(1, 0),
      attemptAt(2, 1),
      attemptAt(3, 0, { rounds: [], finish: 'context-overflow' }),
    )
    expect(lab.kinds()).toEqual([])
  })

  test('compares only within one environment', async () => {
    const lab = openLab(evosc, [])
    const other = attemptAt(1, 1)
    await lab.live({ ...other, task: { ...other.task, environment: 'lab-os' } }, attemptAt(2, 0))
    expect(lab.model.requests).toHaveLength(0)
  })

  test('tries an unusable lesson once more, with another seed', async () => {
    const lab = openLab(evosc, ['{"lesson": ', lesson('Use the code.')])
    await lab.live(attemptAt(1, 1), attemptAt(2, 0))
    expect(texts(await lab.memory.items('lesson'))).toEqual(['Use the code.'])
    const [first, second] = lab.model.requests
    expect(second?.messages).toEqual(first?.messages)
    expect(second?.seed).not.toBe(first?.seed)
    expect(second?.temperature).toBeGreaterThan(first?.temperature ?? 0)
  })

  test.each([
    ['malformed', 'no JSON', 'malformed'],
    ['of another form', '{"lessons": []}', 'malformed'],
    ['too long', lesson('x'.repeat(301)), 'malformed'],
    ['empty', lesson('  \n '), 'empty'],
    ['nothing at all', '', 'empty'],
    ['cut', { cut: '{"lesson": "and so' }, 'cut'],
  ] as const)('records a lesson that is %s twice, and does not keep it', async (_name, reply, reason) => {
    const lab = openLab(evosc, [reply, reply])
    await lab.live(attemptAt(1, 1), attemptAt(2, 0))
    expect(await lab.memory.items('lesson')).toEqual([])
    expect(lab.memory.events.at(-1)).toMatchObject({
      kind: 'writing-failed',
      failure: { role: 'evosc-error', reason, tries: 2, trajectoryIds: ['r1-t0002', 'r1-t0001'] },
    })
  })

  test('shows fewer successes when they do not fit, and records what never fits', async () => {
    const settings = { evosc: { contrast: 4, successLessons: false } }
    const lab = openLab(evosc, ['overflow', 'overflow', lesson('Short.')], { settings })
    await lab.live(attemptAt(1, 1), attemptAt(2, 1), attemptAt(3, 1), attemptAt(4, 1), attemptAt(5, 0))
    const [kept] = await lab.memory.items('lesson')
    expect(kept?.trajectoryIds).toEqual(['r1-t0005', 'r1-t0004'])
    const full = openLab(evosc, ['overflow'], { settings })
    await full.live(attemptAt(1, 1), attemptAt(2, 0))
    expect(full.memory.events.at(-1)).toMatchObject({ failure: { reason: 'context-overflow', tries: 1 } })
  })

  test('drops the oldest lesson of a full queue and leaves the other queue alone', async () => {
    let n = 0
    const lab = openLab(evosc, () => lesson(`Lesson ${++n}.`), { settings: { evosc: { capacity: 2 } } })
    await lab.live(attemptAt(1, 1), attemptAt(2, 1))
    await lab.live(...[3, 4, 5, 6].map((at) => attemptAt(at, 0)))
    const kept = await lab.memory.items('lesson')
    expect(kept.map(({ id }) => id)).toEqual([
      'lesson-success-r1-t0002',
      'lesson-error-r1-t0005',
      'lesson-error-r1-t0006',
    ])
    expect(lab.kinds().filter((kind) => kind === 'memory-dropped')).toHaveLength(2)
  })

  test('the queues hold more lessons than are shown, so that the most relevant ones are chosen', async () => {
    let n = 0
    const lab = openLab(evosc, () => lesson(`Count the bookings of kind ${++n}.`))
    await lab.live(attemptAt(0, 1), ...Array.from({ length: 24 }, (_, i) => attemptAt(i + 1, 0)))
    const kept = texts(await lab.memory.items('lesson'))
    expect(kept).toEqual(Array.from({ length: 20 }, (_, i) => `Count the bookings of kind ${i + 5}.`))
    const shown = texts((await lab.recall(7)).errorLessons)
    expect(shown).toHaveLength(8)
    // Old, and as like the task as it can be; 7 and 24 are one word to this embedder.
    expect(shown).toContain('Count the bookings of kind 7.')
  })

  test.each([
    [4096, undefined, 300],
    [8192, undefined, 300],
    [16_384, undefined, 600],
    [32_768, undefined, 1200],
    [4096, '1200', 1200],
  ] as const)(
    'in a context of %i tokens a lesson may have (set: %s) %i characters',
    async (size, set, most) => {
      const lab = openLab(evosc, [lesson(ofLength(most))], {
        settings: { evosc: set ? { lessonLength: set } : {} },
      })
      Object.assign(lab.context.model, { contextSize: size })
      await lab.live(attemptAt(1, 1), attemptAt(2, 0))
      expect(texts(await lab.memory.items('lesson'))).toEqual([ofLength(most)])
    },
  )

  test('complete dialogs hold what the environment showed with each task, uncut where that fits', async () => {
    const tables = `Table loans(${'fee INT, '.repeat(300)}due TEXT)`
    const shown = (at: number, reward: 0 | 1) => {
      const attempt = attemptAt(at, reward)
      return { ...attempt, task: { ...attempt.task, context: tables, world: 'one' } }
    }
    const asked = async (dialogs: 'complete' | 'short', replies: readonly string[]) => {
      const lab = openLab(evosc, replies, { settings: { evosc: { dialogs } } })
      await lab.live(shown(1, 1), shown(2, 0))
      return lab.model.requests.map(({ messages }) => messages.at(-1)?.content.split(tables).length)
    }
    expect(await asked('complete', [lesson('Yes.')])).toEqual([3])
    expect(await asked('short', [lesson('Yes.')])).toEqual([1])
    // What does not fit whole is told as before.
    expect(await asked('complete', ['overflow', lesson('Yes.')])).toEqual([3, 1])
  })

  test('does not push what the queue already holds', async () => {
    const lab = openLab(evosc, () => lesson('The same.'))
    await lab.live(attemptAt(1, 1), attemptAt(2, 0), attemptAt(3, 0))
    expect(lab.kinds()).toEqual(['memory-added', 'writing-failed'])
    expect(lab.memory.events.at(-1)).toMatchObject({ failure: { reason: 'duplicate' } })
  })

  test('counts the tokens of every try', async () => {
    const lab = openLab(evosc, ['x', lesson('Yes.')])
    await lab.live(attemptAt(1, 1))
    const { usage } = await evosc.learn(attemptAt(2, 0), lab.context)
    expect(usage).toMatchObject({ promptTokens: 20, completionTokens: 6 })
  })

  test('passes on an abort', async () => {
    const lab = openLab(evosc, () => {
      throw new DOMException('stopped', 'AbortError')
    })
    await lab.live(attemptAt(1, 1))
    await expect(Promise.resolve().then(() => evosc.learn(attemptAt(2, 0), lab.context))).rejects.toThrow(
      'stopped',
    )
  })
})

describe('recalling lessons (eq. 7)', () => {
  const written = async (settings = {}, k = 2) => {
    let n = 0
    const lab = openLab(evosc, () => lesson(`Lesson ${++n} about kind ${n}.`), { k, settings })
    await lab.live(attemptAt(1, 1), attemptAt(2, 1), attemptAt(3, 0), attemptAt(4, 1), attemptAt(5, 0))
    return lab
  }

  test('gives error lessons, success lessons and the K newest successes, each with its source', async () => {
    const parts = await (await written()).recall(9)
    expect(parts.errorLessons.map(({ item }) => item.trajectoryId).sort()).toEqual(['r1-t0003', 'r1-t0005'])
    expect(parts.successLessons).toHaveLength(2)
    expect(parts.retrieved.map(({ item }) => item.id)).toEqual(['r1-t0002', 'r1-t0004'])
    expect(parts.errorLessons[0]?.item).toMatchObject({ kind: 'lesson', reward: 0, scoreKind: 'cosine' })
  })

  test('puts the lesson most like the task last, and shows only as many as wanted', async () => {
    const parts = await (await written({ evosc: { shown: 1 } })).recall(4)
    expect(texts(parts.errorLessons)).toEqual(['Lesson 4 about kind 4.'])
    const both = await (await written()).recall(2)
    expect(texts(both.errorLessons)).toEqual(['Lesson 4 about kind 4.', 'Lesson 2 about kind 2.'])
  })

  test('at K = 0 lessons are still written and shown', async () => {
    const parts = await (await written({}, 0)).recall(9)
    expect([parts.errorLessons.length, parts.successLessons.length, parts.retrieved.length]).toEqual([
      2, 2, 0,
    ])
  })

  test.each([
    ['errorLessons', [0, 2, 2]],
    ['successLessons', [2, 0, 2]],
    ['attempts', [2, 2, 0]],
  ] as const)('without %s', async (name, counts) => {
    const lab = await written({ evosc: { [name]: false } })
    const parts = await lab.recall(9)
    expect([parts.errorLessons.length, parts.successLessons.length, parts.retrieved.length]).toEqual(counts)
    const queues = new Set((await lab.memory.items('lesson')).map(({ queue }) => queue))
    expect(queues.size).toBe(name === 'attempts' ? 2 : 1)
  })
})

function retelling(attempt: ReturnType<typeof attemptAt>) {
  return { instruction: attempt.task.instruction, reward: attempt.reward, rounds: attempt.rounds }
}
