import type { ConsoleIo } from './console-io'

/** What begins as a call or a fence is no answer yet. */
const PLAIN = /^[^{<`]/

/** Writes an answer on a terminal while a model writes it: `grow` shows what there is by now, `end` the whole. Elsewhere only `end` shows. */
export function openTyping({ type, out }: Pick<ConsoleIo, 'type' | 'out'>) {
  let typed = ''
  return {
    /** Whether some of it stands on the terminal. */
    begun: (): boolean => typed !== '',
    grow(text: string): void {
      const own = text.trimStart()
      if (type === null || !own.startsWith(typed) || !PLAIN.test(own)) return
      type(own.slice(typed.length))
      typed = own
    },
    /** What was shown and is not the answer stays, and the answer follows. */
    end(answer: string): void {
      const rest = answer.startsWith(typed) ? answer.slice(typed.length) : null
      out(rest ?? (typed.startsWith(answer) ? '' : `\n\n${answer}`))
    },
  }
}
