import { runTraining } from '../../src/main/adapters/ggml/training-job'
import type { TrainingJob } from '../../src/main/adapters/ggml/protocol'

/** What the process is sent. */
export type BigTraining = TrainingJob

/** What it answers with. */
export type BigTrained =
  | {
      readonly steps: number
      readonly losses: readonly number[]
      /** Largest resident memory: process, mapped weights and work. */
      readonly peakBytes: number
    }
  | { readonly problem: string }

process.on('message', (job: TrainingJob) => {
  const losses: number[] = []
  runTraining(job, new AbortController().signal, (event) => {
    if (event.kind === 'progress') losses.push(event.progress.point.loss)
  })
    .then(({ outcome }): BigTrained => ({
      steps: outcome.steps,
      losses,
      peakBytes: process.resourceUsage().maxRSS * 1024,
    }))
    .catch((error: unknown): BigTrained => ({ problem: String(error) }))
    .then((answer) => process.send?.(answer))
    .catch((error: unknown) => {
      throw error
    })
})
