import { expect, test } from 'vitest'
import { abortError } from '../../../src/core/ground/abort'
import type { TrainingJob, TrainingResult } from '../../../src/main/adapters/ggml/protocol'
import { trainSomewhere } from '../../../src/main/soft-prompts/finish-training'
import { insteadWords, type Instead } from '../../../src/shared/domain/soft-prompt'
import { LoamError, type ErrorCode } from '../../../src/shared/errors'

const job = (backend: TrainingJob['backend']): TrainingJob => ({ backend, checkpoint: 'here' }) as TrainingJob
const RESULT = { deltas: new Float32Array(1) } as unknown as TrainingResult
const problem = (code: ErrorCode) => new LoamError(code, 'CUDA0 is off by 12 %.', { suggestion: '' })

/** A trainer that fails on every device but one. */
function trainerFailing(code: ErrorCode, on: readonly string[]) {
  const jobs: TrainingJob[] = []
  const train = (one: TrainingJob): Promise<TrainingResult> => {
    jobs.push(one)
    return on.includes(one.backend) ? Promise.reject(problem(code)) : Promise.resolve(RESULT)
  }
  return { jobs, train }
}

test.each(['TRAINER_UNAVAILABLE', 'TRAINER_CHECK', 'TRAINER_DIED'] as const)(
  'where a card cannot train (%s), the processor trains, and says why',
  async (code) => {
    const { jobs, train } = trainerFailing(code, ['cuda'])
    const reasons: Instead[] = []
    const { result, instead } = await trainSomewhere(train, job('cuda'), {}, (one) => reasons.push(one))
    expect(result).toBe(RESULT)
    expect(jobs.map(({ backend, checkpoint }) => [backend, checkpoint])).toEqual([
      ['cuda', 'here'],
      ['cpu', 'here'],
    ])
    expect(reasons).toEqual([instead])
    expect(instead && insteadWords(instead)).toBe(
      'On the processor, in the place of CUDA: CUDA0 is off by 12 %.',
    )
  },
)

test('a device that trains is left alone', async () => {
  const { jobs, train } = trainerFailing('TRAINER_CHECK', [])
  expect(await trainSomewhere(train, job('vulkan'), {}, () => undefined)).toEqual({ result: RESULT })
  expect(jobs).toHaveLength(1)
})

test('what the processor cannot do, what is no fault of the device, and a stop end it', async () => {
  const nowhere = trainerFailing('TRAINER_CHECK', ['cpu', 'cuda'])
  await expect(trainSomewhere(nowhere.train, job('cpu'), {}, () => undefined)).rejects.toThrow('off by 12')
  expect(nowhere.jobs).toHaveLength(1)
  const full = trainerFailing('DISK_FULL', ['cuda'])
  await expect(trainSomewhere(full.train, job('cuda'), {}, () => undefined)).rejects.toThrow()
  expect(full.jobs).toHaveLength(1)
  const stop = new AbortController()
  const stopped = (): Promise<TrainingResult> => {
    stop.abort()
    return Promise.reject(abortError())
  }
  const watch = { signal: stop.signal }
  await expect(trainSomewhere(stopped, job('cuda'), watch, () => undefined)).rejects.toThrow(
    abortError().message,
  )
})
