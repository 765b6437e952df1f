import { expect, test } from 'vitest'
import { MY_MEMORY } from '../../../src/shared/domain/memory-info'
import { experienceOf } from '../../core/memory/experiences/fixtures'
import { useAsksRig } from '../asks/rig'

const openRig = useAsksRig()

test('recordings of a memory are played as a job, and what is not graded is counted', async () => {
  const { app } = await openRig()
  const memory = await app.memories.open(app.memories.resolve(MY_MEMORY))
  const play = () => app.recordings.play({ memoryId: memory.id, orders: 2, k: 2, seed: 1 })
  const early = await play().finished
  expect(early.problem).toMatchObject({ code: 'BAD_INPUT', cause: expect.stringContaining('it takes 8') })
  await memory.commit(
    Array.from({ length: 12 }, (_, i) => ({
      kind: 'experience-added' as const,
      experience: experienceOf(`e${i}`, `Where is the lamp number ${i % 4}?`, {
        meta: { outcome: i === 11 ? 'unknown' : i % 2 === 0 ? 'success' : 'failure' },
      }),
    })),
  )
  const job = play()
  expect(() => app.recordings.report(job.id)).toThrow('not played to their end')
  expect((await job.finished).status).toBe('done')
  const report = app.recordings.report(job.id)
  expect(report).toMatchObject({ attempts: 11, ungraded: 1, tooMany: 0 })
  const same = report.figures.find(
    ({ part, what }) => part === 'retrieval by both' && what === 'finds the same task',
  )
  expect(same?.mean).toBe(1)
  expect(memory.memorySource.state.experiences.size).toBe(12)
})
