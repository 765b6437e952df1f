type Status = 'queued' | 'running' | 'paused' | 'done' | 'failed' | 'cancelled'

const WORDS: Readonly<Record<Status, string>> = {
  queued: 'Waiting for its turn',
  running: 'Running',
  paused: 'Paused',
  done: 'Finished',
  failed: 'Failed',
  cancelled: 'Cancelled',
}

/** How a run or an experiment stands, in a word or two. `done` counts what is finished of it. */
export const statusWords = (work: {
  readonly status: Status
  readonly done: number
  readonly pausing?: true | undefined
}): string =>
  work.pausing
    ? 'Pausing once this task is done'
    : work.status === 'running' && work.done === 0
      ? 'Getting ready'
      : WORDS[work.status]
