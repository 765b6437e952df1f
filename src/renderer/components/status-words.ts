/** How a run or an experiment stands, in a word or two. `done` counts what is finished of it. */
export function statusWords({ status, done }: { readonly status: Status; readonly done: number }): string {
  switch (status) {
    case 'queued':
      return 'Waiting for its turn'
    case 'running':
      return done === 0 ? 'Getting ready' : 'Running'
    case 'paused':
      return 'Paused'
    case 'done':
      return 'Finished'
    case 'failed':
      return 'Failed'
    case 'cancelled':
      return 'Cancelled'
  }
}

type Status = 'queued' | 'running' | 'paused' | 'done' | 'failed' | 'cancelled'
