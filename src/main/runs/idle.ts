import { abortError } from '../../core/ground/abort'
import { readPower } from '../ground/power'
import type { Host } from '../host/host'
import type { RunQueue } from './run-queue'

/** How long nothing has to have worked before idle work begins, in ms. */
const QUIET_MS = 120_000
/** How often idle work looks whether it may begin, in ms. */
export const LOOK_MS = 5000
/** How often is looked whether somebody needs the machine while idle work goes on, in ms. */
const WATCH_MS = 100

/** The work of jobs that leaves the processor to others. */
const LIGHT: ReadonlySet<string> = new Set([
  'comparing',
  'reading',
  'watching',
  'download',
  'run',
  'experiment',
  'demo',
])

/** Whether the machine is free for work that nobody waits for. */
export type Idle = ReturnType<typeof createIdle>

/** Creates it; each kind of idle work has its own. */
export function createIdle(
  { clock, jobs, options }: Pick<Host, 'clock' | 'jobs' | 'options'>,
  runs: Pick<RunQueue, 'isAwaited' | 'isVisited' | 'atWork' | 'list'>,
) {
  const now = (): number => clock.now().getTime()
  let lastBusy = now()

  /** What else works on this machine, in words; null: nothing. `holdsModel`: the idle work itself has the model. */
  const busyWith = (holdsModel = false): string | null => {
    if (runs.isVisited()) return 'Loam works on an ask or for a program.'
    if (runs.isAwaited() || (!holdsModel && runs.atWork() !== null)) return 'A model is at work.'
    if (runs.list().some(({ status }) => status === 'running' || status === 'queued')) return 'A run goes on.'
    const other = jobs.list().find(({ status, kind }) => status === 'running' && !LIGHT.has(kind))
    return other ? `${other.title} goes on.` : null
  }

  return {
    busyWith,
    /** Why work would be in the person's way: power and heat. Null: nothing is. */
    async powerProblem(): Promise<string | null> {
      const { battery, hot } = await (options.power ?? readPower)()
      if (battery === true) return 'It waits for mains power.'
      return hot === true ? 'It waits until the machine is cooler.' : null
    },
    /** Whether nothing has worked for two minutes; to be asked every few seconds. */
    isQuiet(): boolean {
      if (busyWith() !== null) lastBusy = now()
      return now() - lastBusy >= QUIET_MS
    },
    /** Has the quiet begin anew. */
    worked: (): void => void (lastBusy = now()),
    /** Fires once somebody else needs the machine, or the work's own limit is reached (`isOver`, of ms since it began). `end` stops looking. */
    giveWay(signal: AbortSignal, holdsModel: boolean, isOver: (ms: number) => boolean) {
      const yielding = new AbortController()
      const began = now()
      const watching = setInterval(() => {
        if (isOver(now() - began) || busyWith(holdsModel) !== null) yielding.abort(abortError())
      }, WATCH_MS)
      return {
        signal: AbortSignal.any([signal, yielding.signal]),
        isYielding: () => yielding.signal.aborted && !signal.aborted,
        end: () => clearInterval(watching),
      }
    },
  }
}
