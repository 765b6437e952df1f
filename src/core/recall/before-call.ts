import type { Act } from './acts'
import type { Beliefs } from './beliefs'
import { BELIEVED } from '../memory/beliefs/belief'
import type { ToldBefore } from '../ground/method'
import { quoted } from '../ground/quote'
import { refusalText } from './belief-items'
import { causeWords, holdsCause } from './cause'
import { credence, type Refusal } from './refusals'
import { heldText, MOST_TOLD, type ToldCause } from './told-cause'

/** A call of a tool that has not been made. */
export type PlannedCall = Pick<Act, 'tool' | 'action'>

/** What is known to make a call fail: complaints that two tasks agree on and whose cause it holds, most tasks first; at most four. */
export function knownCauses(beliefs: Beliefs, environment: string, { tool, action }: PlannedCall): Refusal[] {
  const words = causeWords(action)
  return beliefs
    .agreed(environment)
    .filter(
      (one) => one.tool === tool && one.cause && credence(one) >= BELIEVED && holdsCause(one.cause, words),
    )
    .slice(0, MOST_TOLD)
}

/** What is told of a cause: as data where it was written outside. */
const toldText = (one: Refusal): string =>
  one.foreign === undefined ? refusalText(one) : quoted(refusalText(one), one.foreign)

/** What an agent is told before such a call; null where nothing is known. */
export function toldBefore(beliefs: Beliefs, environment: string, call: PlannedCall): ToldBefore | null {
  const causes = knownCauses(beliefs, environment, call)
  return causes.length === 0 ? null : { text: heldText(causes.map(toldText)), by: causes.map(({ id }) => id) }
}

/** All that is known to make calls fail, whatever they are made in, for a program that asks its own tools: as `knownCauses`. */
export const toldCauses = (beliefs: Beliefs): ToldCause[] =>
  beliefs
    .everywhere()
    .flatMap((one) =>
      one.cause && credence(one) >= BELIEVED
        ? [{ id: one.id, tool: one.tool, words: one.cause.words, text: toldText(one) }]
        : [],
    )
