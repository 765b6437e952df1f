import { runTraining } from '../adapters/ggml/training-job'
import type { TrainerEvent, TrainerRequest } from '../adapters/ggml/protocol'
import { LoamError, toErrorShape } from '../../shared/errors'
import { endWithParent } from '../ground/end-with-parent'

/** Entry of the trainer process: one training at a time, nothing kept but what the job says. */
let current: AbortController | null = null

function send(event: TrainerEvent): void {
  // A host that has gone away is noticed by `disconnect`; there is nobody left to tell.
  if (process.connected) process.send?.(event, () => undefined)
}

async function receive(request: TrainerRequest): Promise<void> {
  switch (request.kind) {
    case 'shutdown':
      process.exit(0)
      break
    case 'cancel':
      current?.abort()
      break
    case 'train': {
      try {
        if (current)
          throw new LoamError('CONFLICT', 'A training is under way.', { suggestion: 'Wait for it.' })
        current = new AbortController()
        send({ kind: 'done', result: await runTraining(request.job, current.signal, send) })
      } catch (error) {
        send({ kind: 'error', error: toErrorShape(error) })
      } finally {
        current = null
      }
    }
  }
}

process.on('message', (message) => void receive(message as TrainerRequest))
endWithParent()
// Ctrl+C in a terminal reaches the whole group; the host decides when the trainer ends.
process.on('SIGINT', () => undefined)
send({ kind: 'ready' })
