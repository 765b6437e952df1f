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
export const statusWords = ({ status, done }: { readonly status: Status; readonly done: number }): string =>
  status === 'running' && done === 0 ? 'Getting ready' : WORDS[status]
