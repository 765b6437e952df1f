import type { Trajectory } from '../../shared/domain/trajectory'
import { addUsage, NO_USAGE } from '../../shared/domain/usage'
import type { Written } from './ask-record'
import type { AskEvents, AskTry } from './play-ask'

/** A try that can give its place to another ask in its midst, and goes on after it. */
export interface StepAside {
  /** Fires when it is stopped, and once it has to give its place back. */
  readonly signal: AbortSignal
  /** Asks for its place: it gives it back at once, or when the tool that it calls has answered. */
  request(): void
  /** The events of the try, which tell when a call is over. */
  watch(events: AskEvents): AskEvents
  /** Whether it ended to give its place back, and not for good. */
  isAside(): boolean
}

export function openStepAside(stop: AbortSignal): StepAside {
  const aside = new AbortController()
  let isWanted = false
  let isCalling = false
  const look = (): void => {
    if (isWanted && !isCalling) aside.abort()
  }
  return {
    signal: AbortSignal.any([stop, aside.signal]),
    request() {
      isWanted = true
      look()
    },
    watch: (events) => ({
      ...events,
      calling(call) {
        isCalling = true
        events.calling?.(call)
      },
      round(round) {
        events.round?.(round)
        isCalling = false
        look()
      },
    }),
    isAside: () => aside.signal.aborted && !stop.aborted,
  }
}

/** A reply that may be a call is not gone on with: it is written anew. */
const MAY_BE_CALL = /^[\s`]*[{[<]/

/** Where a try goes on that gave its place back: after its steps, and within the answer that it was writing. `first`: where it began. */
export function begunAt({ live: { rounds, streaming } }: Written, first: AskTry['begun']): AskTry['begun'] {
  const firstSteps = first?.rounds.length ?? 0
  const mayGoOn = streaming.trim() !== '' && !MAY_BE_CALL.test(streaming)
  // It had not come further than where it began, or a step that a person wrote was not taken yet.
  if (
    rounds.length < firstSteps ||
    (rounds.length === firstSteps && (!mayGoOn || (first?.edit ?? null) !== null))
  )
    return first
  return { rounds, planned: null, edit: null, ...(mayGoOn && { beginning: streaming }) }
}

/** A whole try with what its steps cost before it gave its place back. */
export function withCosts(trajectory: Trajectory, { live }: Written): Trajectory {
  const rounds = trajectory.rounds.map((round, i) => ({
    ...round,
    usage: live.rounds[i] ? live.rounds[i].usage : round.usage,
  }))
  return { ...trajectory, rounds, usage: rounds.reduce((sum, { usage }) => addUsage(sum, usage), NO_USAGE) }
}
