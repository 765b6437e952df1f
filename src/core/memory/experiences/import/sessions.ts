import type { RowPlace } from '../../../../shared/domain/reading'
import type { AgentLog, Found } from './log'

/** A request within a long session while it is being read. */
export interface Turn {
  readonly place: RowPlace
  readonly log: AgentLog & { steps: AgentLog['steps'][number][] }
}

/** What a finished request gives, with what the agent said last and the person's next message: an attempt, or why it is none. */
export const foundOf = (
  { place, log }: Turn,
  { reply, next }: { readonly reply: string; readonly next: string | null },
): Found =>
  log.steps.length === 0
    ? { kind: 'left', place, why: 'the agent answered this request without doing anything' }
    : { kind: 'log', place, log: { ...log, reply, next } }

/** Texts that programs put into a session in the user's name. */
const NOT_ASKED =
  /^\s*(<(command-name|command-message|command-args|local-command-\w+|bash-\w+|system-reminder|environment_context|user_instructions|ENVIRONMENT|turn_aborted|user_shell_command)|Caveat: The messages below|# AGENTS\.md instructions|\[Request interrupted|This session is being continued)/i

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
