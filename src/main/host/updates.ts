import type { Settings } from '../../shared/domain/memory-info'
import type { NewerVersion, UpdateState } from '../../shared/domain/update'
import { LoamError } from '../../shared/errors'
import { Feed } from '../ground/feed'
import { networkOff } from '../model-files/fetch-following'

/** Where newer versions of an installed Loam come from. */
export interface UpdateSource {
  /** The host that is asked. */
  readonly host: string
  /** What is newer than this Loam; null where nothing is. */
  look(): Promise<NewerVersion | null>
  /** Fetches what was seen last and checks its sum. `onBytes` hears how much is here. */
  fetch(onBytes: (doneBytes: number) => void): Promise<void>
  /** Whether what was fetched is installed when Loam is quit. */
  installOnQuit(isWanted: boolean): Promise<void>
}

/** That there is none, with the reason in words. */
export interface NoUpdates {
  readonly unavailable: string
}

/** Newer versions of this Loam, as far as a person asks for them. What fails is told in the state. */
export interface Updates {
  readonly feed: Feed<UpdateState>
  state(): UpdateState
  /** Asks whether there is a newer version. */
  look(): Promise<UpdateState>
  /** Begins to fetch the one that is offered. */
  fetch(): UpdateState
  /** Has the one that was fetched installed at the end of this Loam, or not. */
  installOnQuit(isWanted: boolean): Promise<UpdateState>
  close(): void
}

export interface UpdatesDeps {
  readonly source: UpdateSource | NoUpdates
  readonly settings: () => Pick<Settings, 'network' | 'desktop'>
  /** Resolves once a change that is being saved counts: who turns the network on may look at once. */
  readonly savedSettings: () => Promise<unknown>
  readonly onSettings: (listener: () => void) => void
}

const CHECKOUT =
  'Only an installed Loam looks for newer versions. A checkout is renewed with git pull and npm ci.'

/** What a Loam that was not installed says. */
export const noUpdates: NoUpdates = { unavailable: CHECKOUT }

const errorOf = (error: unknown, host: string): LoamError =>
  error instanceof LoamError
    ? error
    : new LoamError('DOWNLOAD', `${host}: ${reasonOf(error)}`, {
        suggestion: 'Look again later.',
        retryable: true,
        underlying: error,
      })

function reasonOf(error: unknown): string {
  const { message, cause } = error instanceof Error ? error : { message: String(error), cause: null }
  const whole = cause instanceof Error ? `${message} (${cause.message})` : message
  return (whole.split('\n')[0] ?? '').slice(0, 300)
}

/** Opens them. Nothing is asked before a person asks, or has chosen under Settings that it is asked at each start. */
export function openUpdates({ source, settings, savedSettings, onSettings }: UpdatesDeps): Updates {
  const isHere = !('unavailable' in source)
  let state: UpdateState = {
    unavailable: isHere ? null : source.unavailable,
    source: isHere ? source.host : null,
    ...{ status: 'unasked', newer: null, doneBytes: 0, problem: null },
  }
  const feed = new Feed(() => state)
  const change = (part: Partial<UpdateState>): UpdateState => {
    state = { ...state, ...part }
    feed.changed()
    return state
  }
  const usable = (): UpdateSource => {
    if (!isHere) throw new LoamError('CONFLICT', source.unavailable, { suggestion: 'Nothing is to be done.' })
    if (!settings().network) throw networkOff()
    return source
  }
  /** Does something with the source; what fails stands in the state, which is `before` again. */
  const attempt = async (
    during: UpdateState['status'],
    work: (from: UpdateSource) => Promise<Partial<UpdateState>>,
  ): Promise<UpdateState> => {
    const { status: before } = state
    try {
      const from = usable()
      change({ status: during, problem: null })
      return change(await work(from))
    } catch (error) {
      const problem = errorOf(error, state.source ?? 'Loam').toShape()
      return change({ status: before, doneBytes: 0, problem })
    }
  }
  const look = (): Promise<UpdateState> =>
    attempt('looking', async (from) => {
      const newer = await from.look()
      return { newer, doneBytes: 0, status: newer === null ? 'newest' : 'offered' }
    })
  let looked = false
  const lookIfWanted = (): void => {
    const { network, desktop } = settings()
    if (looked || !isHere || !network || !desktop.lookForUpdates) return
    looked = true
    void look()
  }
  onSettings(lookIfWanted)
  lookIfWanted()

  return {
    feed,
    state: () => state,
    async look() {
      await savedSettings()
      return ['looking', 'fetching', 'ready', 'on-quit'].includes(state.status) ? state : look()
    },
    fetch() {
      if (state.status === 'offered')
        void attempt('fetching', async (from) => {
          await from.fetch((doneBytes) => change({ doneBytes }))
          return { status: 'ready' }
        })
      return state
    },
    async installOnQuit(isWanted) {
      if (!isHere || (state.status !== 'ready' && state.status !== 'on-quit')) return state
      try {
        await source.installOnQuit(isWanted)
        return change({ status: isWanted ? 'on-quit' : 'ready', problem: null })
      } catch (error) {
        return change({ problem: errorOf(error, source.host).toShape() })
      }
    },
    close: () => feed.close(),
  }
}
