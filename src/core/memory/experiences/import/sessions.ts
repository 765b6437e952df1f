import type { RowPlace } from '../../../../shared/domain/reading'
import { step, type AgentLog, type Found } from './log'

/** A request within a long session while it is being read. */
export interface Turn {
  readonly place: RowPlace
  readonly log: AgentLog & { steps: AgentLog['steps'][number][] }
}

/**
 * What a finished request gives: an attempt, or why it is none. `reply`: what the agent said or thought last; `answer`: what it said last, which is all it did
 * where it called nothing; `next`: the person's next message.
 */
export function foundOf(
  { place, log }: Turn,
  { reply, answer, next }: { readonly reply: string; readonly answer: string; readonly next: string | null },
): Found {
  const isAnswer = log.steps.length === 0 && answer.trim() !== ''
  const steps = isAnswer ? [step({ verb: 'answer', content: answer })] : log.steps
  if (steps.length === 0) return { kind: 'left', place, why: 'nobody answered this request' }
  return { kind: 'log', place, log: { ...log, steps, reply, next } }
}

/** Texts that programs put into a session in the user's name. */
const NOT_ASKED =
  /^\s*(<(command-name|command-message|command-args|local-command-\w+|bash-\w+|system-reminder|environment_context|user_instructions|ENVIRONMENT|turn_aborted|user_shell_command)|Caveat: The messages below|# AGENTS\.md instructions|This is the Gemini CLI\. We are setting up the context|\[Request interrupted|This session is being continued)/i

/** What Gemini CLI puts before the person's words, in the same text. */
const PREFACES = ['session_context', 'hook_context'].map((tag) => ({ open: `<${tag}>`, close: `</${tag}>` }))

/** A text in the person's name without what a program put before their words; empty where it holds nothing else. */
export function personWords(text: string): string {
  let rest = text
  for (;;) {
    const start = rest.trimStart()
    const preface = PREFACES.find(({ open }) => start.startsWith(open))
    const end = preface ? start.indexOf(preface.close) : -1
    if (!preface || end < 0) return rest
    rest = start.slice(end + preface.close.length).trimStart()
  }
}

/** Whether a text is a request of the person. */
export function isRequest(text: string): boolean {
  const words = personWords(text)
  return words.trim() !== '' && !NOT_ASKED.test(words)
}
