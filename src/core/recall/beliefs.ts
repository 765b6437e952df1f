import type { Lived } from './acts'
import { followProven, type Proven, type Saying } from './proven'
import { followRefusals, type Refusal } from './refusals'

/** What is believed after the attempts so far. */
export interface Beliefs {
  /** Complaints of an environment's tools that two tasks agree on and nothing speaks against, most tasks first. */
  agreed(environment: string): Refusal[]
  /** The same of all environments together. */
  everywhere(): Refusal[]
  /** Every complaint of all environments, those met once too. */
  allRefusals(): Refusal[]
  /** Every complaint of an environment's tools, those met once too. */
  refusals(environment: string): Refusal[]
  /** Every line of every place, as far as it is believed now. */
  lines(): { readonly environment: string; readonly place: string; readonly line: Proven }[]
  /** Words that were gone by in a place where the agent was right, as far as they are believed now, oldest first. */
  proven(environment: string, place: string): readonly Proven[]
  /** The same of one attempt; empty where it said nothing that proved right. */
  provenOf(attempt: string): readonly Proven[]
  /** The words of its task in what an attempt did that was solved and went by no words of its own; null of any other. */
  actedIn(attempt: string): Saying | null
  /** How rare a word without its ending is among what agents are told in a place, in [0, 1]: 0 for one that half of its tasks have. */
  rarity(environment: string, place: string, word: string): number
}

/** Beliefs that follow attempts. */
export interface BeliefsAtWork extends Beliefs {
  /** One more attempt, in the order of the journal. */
  take(lived: Lived): void
}

/**
 * What attempts taught, as a fold over them: deterministic, and nothing random. Beliefs are made of quotations alone. A complaint is believed
 * the more tasks met it; what makes it come is mined from all acts of its tool and then told by later acts. Words that an agent went by are
 * kept where the attempt was solved, or where nobody judged it and they say what it looked up, and are told by later attempts that go by them.
 */
export function createBeliefs(): BeliefsAtWork {
  const environments = new Map<string, ReturnType<typeof followRefusals>>()
  const places = new Map<
    string,
    { readonly environment: string; readonly place: string; readonly lines: ReturnType<typeof followProven> }
  >()
  const placeOfAttempt = new Map<string, ReturnType<typeof followProven>>()
  const at = (environment: string, place: string) => places.get(`${environment}\n${place}`)?.lines
  return {
    take(lived) {
      const refusals = environments.get(lived.environment) ?? followRefusals()
      environments.set(lived.environment, refusals)
      refusals.take(lived)
      const proven = at(lived.environment, lived.place) ?? followProven()
      const { environment, place } = lived
      places.set(`${environment}\n${place}`, { environment, place, lines: proven })
      placeOfAttempt.set(lived.id, proven)
      proven.take(lived)
    },
    agreed: (environment) => environments.get(environment)?.agreed() ?? [],
    everywhere: () => [...environments.values()].flatMap((one) => one.agreed()),
    allRefusals: () => [...environments.values()].flatMap((one) => one.all()),
    lines: () =>
      [...places.values()].flatMap(({ environment, place, lines }) =>
        lines.all().map((line) => ({ environment, place, line })),
      ),
    refusals: (environment) => environments.get(environment)?.all() ?? [],
    proven: (environment, place) => at(environment, place)?.all() ?? [],
    provenOf: (attempt) => placeOfAttempt.get(attempt)?.of(attempt) ?? [],
    actedIn: (attempt) => placeOfAttempt.get(attempt)?.actedIn(attempt) ?? null,
    rarity: (environment, place, word) => at(environment, place)?.rarity(word) ?? 0,
  }
}
