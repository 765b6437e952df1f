import { expect } from 'vitest'
import { appPerTest } from '../app-in-temp'
import { longTest } from '../../torture'

const here = appPerTest('retry')

longTest(
  'failed tasks that a second try solves are learned from, and nothing of it is left in the memory',
  async () => {
    const { id: memory } = await here.app.memories.create('Second tries')
    const { id } = await here.app.runDrafts.start({
      ...{ stream: 'house-rules-a', method: 'none', memoryId: memory, tasks: 12, maxTokens: 128 },
    })
    const { rewards } = await here.app.runs.settled(id)
    const failed = rewards.flatMap((reward, at) =>
      reward === 0 ? [`${id}-t${String(at).padStart(4, '0')}`] : [],
    )
    expect(failed.length).toBeGreaterThan(2)
    const bank = await here.app.memories.open(memory)
    const before = await bank.contentHash()
    const train = async (retry: boolean) => {
      const { file } = await here.app.softPromptTraining.consolidate({
        ...{ memory, stream: 'house-rules-a', teacher: 2, student: 0, retry, fresh: true, use: false },
        settings: { length: 4, steps: 1, holdOut: 0 },
      })
      return file.info
    }
    const without = await train(false)
    expect(without.retried).toBeUndefined()
    expect(without.trajectories.filter((one) => failed.includes(one))).toEqual([])
    const { retried = 0, trajectories } = await train(true)
    // Shown what the first try found out, the model solves nearly all of them.
    expect(retried).toBeGreaterThan(failed.length / 2)
    expect(trajectories.filter((one) => failed.includes(one))).toHaveLength(retried)
    expect(await bank.contentHash()).toBe(before)
  },
)
