import type { Earlier } from '../../core/agent/dialog'
import { messageWords } from '../../core/verdict/person-signs'

/** "No, that is wrong.", and no word more. */
const DENIAL =
  /^(?:(?:no|nope|nein|non) )?(?:(?:that is|thats|that was|this is|it is|its|das ist|das war|cest|eso es|es) )?(?:wrong|incorrect|false|not (?:right|true|correct)|falsch|nicht richtig|faux|falso|incorrecto)$|^(?:nein )?das stimmt nicht$/
const isDenial = (message: string): boolean =>
  DENIAL.test(
    messageWords(message)
      .filter((word) => word !== '.')
      .join(' '),
  )

/** The request that a message asks once more by calling its answer wrong and saying nothing else, with what came before that request; null for any other message. */
export function askedAgain(
  text: string,
  { turns, summary }: Earlier,
): { readonly text: string; readonly earlier: Earlier } | null {
  if (!isDenial(text)) return null
  const at = turns.findLastIndex((turn) => !isDenial(turn.text))
  const request = turns[at]
  if (!request || at < (summary?.turns ?? 0)) return null
  return { text: request.text, earlier: { turns: turns.slice(0, at), summary } }
}
