import { fork } from 'node:child_process'
import { abortError } from '../../core/ground/abort'
import type { TrainingProgress } from '../../core/soft-prompts/train'
import { LoamError } from '../../shared/errors'
import { builtEntry } from '../ground/built-entry'
import type { TrainerEvent, TrainerRequest, TrainingJob, TrainingResult } from '../adapters/ggml/protocol'

const STDERR_KEPT = 8000
/** A trainer that was told to stop ends its current layer first; after so many ms it is killed. */
export const GRACE_MS = 5000

export interface TrainingWatch {
  readonly signal?: AbortSignal
  readonly onStart?: (start: { readonly resumedAt: number; readonly workBytes: number }) => void
  readonly onProgress?: (progress: TrainingProgress) => void
}

/**
 * Trains in a process of its own, which lives as long as the training: whatever ggml does there, the caller only sees a
 * `TRAINER_*` error. Rejects with an AbortError when the signal fires. `entry` is another script to run, for tests.
 */
export function trainInChild(
  job: TrainingJob,
  { signal, onStart, onProgress }: TrainingWatch = {},
  entry = builtEntry('trainer'),
): Promise<TrainingResult> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) {
      reject(abortError())
      return
    }
    const child = fork(entry.script, [], {
      execArgv: [...entry.execArgv],
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
      // Without this ggml starts a debugger to print a backtrace when a check of its fails.
      env: { ...process.env, GGML_NO_BACKTRACE: '1' },
    })
    let saidMessage = ''
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      saidMessage = (saidMessage + text).slice(-STDERR_KEPT)
    })
    const send = (request: TrainerRequest) => {
      if (child.connected) child.send(request, () => undefined)
    }
    let settled = false
    let timer: NodeJS.Timeout | null = null
    const settle = (finish: () => void) => {
      if (settled) return
      settled = true
      if (timer) clearTimeout(timer)
      signal?.removeEventListener('abort', stop)
      finish()
      send({ kind: 'shutdown' })
      if (child.connected) child.disconnect()
    }
    const stop = () => {
      send({ kind: 'cancel' })
      timer = setTimeout(() => child.kill('SIGKILL'), GRACE_MS)
    }
    signal?.addEventListener('abort', stop, { once: true })
    child.on('message', (message) => {
      const event = message as TrainerEvent
      switch (event.kind) {
        case 'ready':
          send({ kind: 'train', job })
          break
        case 'started':
          onStart?.(event)
          break
        case 'progress':
          onProgress?.(event.progress)
          break
        case 'done':
          settle(() => resolve(event.result))
          break
        case 'error':
          settle(() => reject(signal?.aborted ? abortError() : LoamError.fromShape(event.error)))
      }
    })
    child.on('error', (error) => end(`it could not be started (${error.message})`))
    child.on('exit', (code, by) => end(by === null ? `it ended with code ${code}` : `it was ended by ${by}`))
    const end = (how: string) => {
      if (settled) return
      settled = true
      if (timer) clearTimeout(timer)
      signal?.removeEventListener('abort', stop)
      reject(signal?.aborted ? abortError() : died(how, saidMessage))
    }
  })
}

/** Says what ended the trainer; a failed check of ggml's is named. */
export function died(how: string, message: string): LoamError {
  const check = /^(.*?):(\d+): (GGML_ASSERT\((.*)\) failed|(.+))$/mu.exec(message)
  if (check && (check[4] !== undefined || /abort/iu.test(how) || how.includes('SIGABRT'))) {
    const file = (check[1] ?? '').split(/[\\/]/u).at(-1)
    const what = check[4] ?? check[5] ?? ''
    return new LoamError(
      'TRAINER_DIED',
      `ggml stopped because its check "${what}" failed (${file}:${check[2]}).`,
      { suggestion: 'This model or device is not one it can be trained with. Try the CPU or another model.' },
    )
  }
  if (how.includes('SIGKILL'))
    return new LoamError('TRAINER_DIED', `${how}; the system does that when memory runs out.`, {
      suggestion: 'Close other programs, show the student fewer attempts, or take a smaller model.',
      retryable: true,
    })
  const last = message.trim().split('\n').slice(-3).join(' | ')
  return new LoamError('TRAINER_DIED', last === '' ? `${how}.` : `${how}; it said: ${last}`, {
    suggestion: 'Start it again: it goes on from its last checkpoint.',
    retryable: true,
  })
}
