import type { UserScenario } from './entry'
import { askedTools, type UserHands } from './user-tools'

/** What the user says to the agent's message. `ends`: the user leaves, satisfied or not. */
export interface UserTurn {
  readonly text: string
  readonly ends: boolean
}

/** Someone for the agent to talk with. */
export interface SimulatedUser {
  /** What the user comes with; the task's instruction. */
  readonly opening: string
  reply(message: string): UserTurn | Promise<UserTurn>
}

const GOODBYE = 'Thank you, that is all.'
const NOTHING_TO_ADD = 'I have nothing to add.'
/** A question that a yes or no answers. */
const ASKS_FOR_YES =
  /\b(yes\/no|confirm|proceed|go ahead|shall i|should i|do you want|would you like|is (that|this) (ok|okay|correct|right|fine))\b/

const ASKS = /\?|\b(please|provide|tell me|let me know)\b/

/** "You are Ada. Your order" becomes "I am Ada. My order": a scenario is written to the user, who speaks of themselves. */
const inFirstPerson = (text: string): string =>
  text
    .replace(/\b[Yy]ou are\b/g, 'I am')
    .replace(/\b[Yy]ou're\b/g, "I'm")
    .replace(/\b[Yy]ou've\b/g, "I've")
    .replace(/\bYour\b/g, 'My')
    .replace(/\byour\b/g, 'my')
    .replace(/\b[Yy]ourself\b/g, 'myself')
    .replace(/\b[Yy]ou\b/g, 'I')
    .trim()

/** What a user opens the conversation with. */
export const openingOf = ({ instructions, script }: UserScenario): string => {
  const text = typeof instructions === 'string' ? instructions : instructions.reason_for_call
  return script ? text : inFirstPerson(text)
}

/**
 * A user who follows a fixed rule, so that the same agent always meets the same user: a scripted answer when its word is asked for, a yes
 * to a request for one, else the next thing that was not said yet. With nothing left to say the user leaves at the first message that
 * asks nothing, and after a second question in a row that there is no answer to. Scenarios without a script (the benchmark's prose) are told piece by piece.
 * With `hands`, the user does what the message asks for by a tool's name, and tells what it shows.
 */
export function scriptedUser(scenario: UserScenario, hands?: UserHands): SimulatedUser {
  const { instructions, script } = scenario
  const rest = [...(script?.replies ?? [])]
  const later = [...(script?.then ?? [])]
  if (!script && typeof instructions !== 'string') {
    for (const piece of [instructions.known_info, instructions.task_instructions]) {
      if (piece) later.push(inFirstPerson(piece))
    }
  }
  let unanswered = 0
  const say = (text: string): UserTurn => {
    unanswered = 0
    return { text, ends: false }
  }
  return {
    opening: openingOf(scenario),
    reply(message) {
      const requests = hands ? askedTools(message, hands.tools) : []
      if (hands && requests.length > 0)
        return say(requests.map(({ name, args }) => `${name}: ${hands.use(name, args)}`).join('\n'))
      const report = message.toLowerCase()
      const asks = ASKS.test(report)
      const index = rest.findIndex((reply) => reply.asks.some((word) => report.includes(word.toLowerCase())))
      const [answer] = asks && index >= 0 ? rest.splice(index, 1) : []
      if (answer) return say(answer.says)
      if (asks && ASKS_FOR_YES.test(report)) return say(script?.confirms ?? 'Yes, please go ahead.')
      const next = later.shift()
      if (next !== undefined) return say(next)
      if (!asks || ++unanswered > 1) return { text: GOODBYE, ends: true }
      return { text: NOTHING_TO_ADD, ends: false }
    },
  }
}
