import { createBeliefs, type BeliefsAtWork } from '../../src/core/recall/beliefs'
import { knownCauses } from '../../src/core/recall/before-call'
import type { Lived } from '../../src/core/recall/acts'
import { createRng } from '../../src/core/ground/random'

/** What came of calls that would have been held: the complaint that was told, another one, or none. */
interface HeldTally {
  calls: number
  held: number
  met: number
  otherwise: number
  ran: number
  /** First complaints of attempts, those known from other tasks, those among what is shown with the task, and those told before their call. */
  first: number
  known: number
  told: number
}

const newTally = (): HeldTally => ({
  calls: 0,
  held: 0,
  met: 0,
  otherwise: 0,
  ran: 0,
  first: 0,
  known: 0,
  told: 0,
})

/** Counts the calls of an attempt against what is believed, at most two held and each once, as agents are told. */
function count(attempt: Lived, beliefs: BeliefsAtWork, tally: HeldTally): void {
  const held = new Set<string>()
  let isFirst = true
  for (const act of attempt.acts) {
    if (act.observation === null) continue
    tally.calls++
    const key = `${act.tool} ${act.action}`
    const causes = held.size < 2 && !held.has(key) ? knownCauses(beliefs, attempt.environment, act) : []
    const isTold = causes.some(({ masked }) => masked === act.complaint?.masked)
    if (causes.length > 0) {
      held.add(key)
      tally.held++
      if (isTold) tally.met++
      else if (act.complaint) tally.otherwise++
      else tally.ran++
    }
    if (!isFirst || !act.complaint || act.complaint.masked === '') continue
    isFirst = false
    tally.first++
    const isKnown = beliefs
      .refusals(attempt.environment)
      .some(
        ({ tool, masked, tasks }) =>
          tool === act.tool &&
          masked === act.complaint?.masked &&
          [...tasks].some((task) => task !== attempt.task),
      )
    if (isKnown) tally.known++
    if (isTold) tally.told++
  }
}

const line = (name: string, { calls, held, met, otherwise, ran, first, known, told }: HeldTally): string =>
  `  before calls, ${name}: ${held} of ${calls} calls held (${met} met what was told, ${otherwise} another complaint, ${ran} ran); ` +
  `of ${first} first complaints ${known} known, ${told} told right before their call`

/** In 20 random orders, counted in the second half of each (summed), and learned from all others, counted in one group. */
export function tellBeforeCalls(
  groups: ReadonlyMap<string, readonly Lived[]>,
  print: (text: string) => void,
): void {
  const all = [...groups.values()].flat()
  const tally = newTally()
  for (let order = 0; order < 20; order++) {
    const beliefs = createBeliefs()
    for (const [n, attempt] of createRng(`beliefs ${order}`).sample(all, all.length).entries()) {
      if (n >= all.length / 2) count(attempt, beliefs, tally)
      beliefs.take(attempt)
    }
  }
  print(line('second halves of 20 orders together', tally))
  for (const [name, attempts] of groups) {
    const beliefs = createBeliefs()
    for (const [other, learned] of groups) if (other !== name) for (const one of learned) beliefs.take(one)
    const own = newTally()
    for (const attempt of attempts) count(attempt, beliefs, own)
    print(line(`learned from the other models, counted with ${name}`, own))
  }
}
