import { BELIEF_KIND } from '../memory/beliefs/belief'
import { BASELINE } from '../../shared/domain/experiment'
import type { Method, MethodContext, RecalledPart, RecallInput } from '../ground/method'
import { readPresentation } from '../ground/presentation'
import { toldBefore } from './before-call'
import { beliefsOf } from './belief-fold'
import { refusalText } from './belief-items'
import type { Beliefs } from './beliefs'
import { mostShown, type Refusal } from './refusals'

/** Part of the attempts that has to meet a complaint so that it is worth its tokens, and the same of what the agent is told anyway. */
const OFTEN = 0.05
const OFTEN_THOUGH_TOLD = 0.2

/** Characters of a token: rather few, so that an estimate is rather too high. */
const CHARACTERS_PER_TOKEN = 3.5
/** Tokens that beliefs may take beside what a method recalls. */
const BUDGET = 300

/** Whether complaints that say the same are met often enough together. */
function isOften(group: readonly Refusal[]): boolean {
  const attempts = group.reduce((sum, one) => sum + one.attempts, 0)
  const since = Math.max(...group.map((one) => one.since))
  return attempts / since >= (group.every(({ isTold }) => isTold) ? OFTEN_THOUGH_TOLD : OFTEN)
}

/** Whether an agent can act on it: it says what makes the call fail, what ran instead, or which form is asked for. */
const isOfUse = ({ cause, remedy, isTold }: Refusal): boolean => cause !== null || remedy !== null || isTold

/**
 * What the tools of a task's environment refuse often enough to be worth its tokens: at most four and what says the same, and at most `budget` tokens. A model that
 * was not trained to read memory retold is told only what it can act on: a bare complaint it works into what it writes.
 */
export function refusalParts(
  { task }: Pick<RecallInput, 'task'>,
  { settings }: Pick<MethodContext, 'settings'>,
  beliefs: Beliefs,
  budget: number,
): RecalledPart[] {
  let remainingCount = budget
  const isRetold = readPresentation(settings).attempts === 'text'
  return mostShown(beliefs.agreed(task.environment).filter((one) => isRetold || isOfUse(one)))
    .filter(isOften)
    .flat()
    .flatMap((one): RecalledPart[] => {
      const text = `${refusalText(one)}${one.isTold ? ' A reminder: the rules say so.' : ''}`
      const tokens = Math.ceil(text.length / CHARACTERS_PER_TOKEN)
      if (tokens > remainingCount) return []
      remainingCount -= tokens
      const item = {
        kind: BELIEF_KIND,
        id: one.id,
        trajectoryId: one.witness.attempt,
        title: text,
        reward: null,
      }
      return [{ text, item: { ...item, score: one.tasks.size, scoreKind: 'tasks' } }]
    })
}

const together = new WeakMap<Method, Method>()

/**
 * A method beside which what tools refuse is told where a run's settings say so: the same beliefs, under the same names, whatever else it remembers. A
 * method that tells them by itself stays as it is.
 */
export function withBeliefs(method: Method): Method {
  if (method.info.recalls.some(({ kind }) => kind === BELIEF_KIND)) return method
  const before = together.get(method)
  if (before) return before
  const wrapper: Method = {
    ...method,
    async recall(input, context) {
      const parts = await method.recall(input, context)
      if (!readPresentation(context.settings).beliefs) return parts
      const beliefs = await beliefsOf(context.bank, input.signal)
      return {
        ...parts,
        errorLessons: [...refusalParts(input, context, beliefs, BUDGET), ...parts.errorLessons],
      }
    },
    async beforeCall({ environment, signal, ...call }, { bank, settings }) {
      return readPresentation(settings).beliefs
        ? toldBefore(await beliefsOf(bank, signal), environment, call)
        : null
    },
  }
  together.set(method, wrapper)
  return wrapper
}

/** A method of asks and of programs behind the gateway: what is known to make a call fail is told before it, whatever else the method remembers. One without a memory stays so. */
export const tellingBeforeCalls = (method: Method): Method =>
  method.beforeCall !== undefined || method.info.id === BASELINE
    ? method
    : {
        ...method,
        beforeCall: async ({ environment, signal, ...call }, { bank }) =>
          toldBefore(await beliefsOf(bank, signal), environment, call),
      }
