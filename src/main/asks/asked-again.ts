import type { Earlier } from '../../core/agent/dialog'
import { messageWords } from '../../core/verdict/person-signs'

/** "No, that is wrong.", and no word more. */
const DENIAL =
  /^(?:(?:no|nope|nein|non) )?(?:(?:that is|thats|that was|this is|it is|its|das ist|das war|cest|eso es|es) )?(?:wrong|incorrect|false|not (?:right|true|correct)|falsch|nicht richtig|faux|falso|incorrecto)$|^(?:nein )?das stimmt nicht$/
/** "Try again." and "Another one, please.", and no word more. */
const AGAIN =
  /^(?:please |bitte |(?:ok|okay|no|nein|non|and|und|et|y) )?(?:(?:please )?(?:try (?:it |that )?(?:again|once more)|once (?:more|again)|again|do it again|(?:give me |tell me |write )?(?:another(?: one)?|one more|a different one)|regenerate|versuch(?:e)? es (?:noch ?mal|noch einmal|erneut)|noch ?mal|noch einmal|noch ein(?:e|en|es|s)?|(?:gib mir |erzahl mir )?(?:einen |eine |ein )?andere[ns]?|encore(?: une fois)?|encore une?|reessaie|essaie encore|une? autre|otra vez|de nuevo|intentalo (?:otra vez|de nuevo)|otr[oa](?: mas)?))(?: please| bitte| sil te plait| por favor)?$/
/** Whether a message only calls an answer wrong, or asks for another. */
export const asksAnew = (message: string): boolean => {
  const words = messageWords(message)
    .filter((word) => word !== '.')
    .join(' ')
  return DENIAL.test(words) || AGAIN.test(words)
}

/** The request that a message asks once more by calling its answer wrong, or by asking for another, and saying nothing else, with what came before that request; null for any other message. */
export function askedAgain(
  text: string,
  { turns, summary }: Earlier,
): { readonly text: string; readonly earlier: Earlier } | null {
  if (!asksAnew(text)) return null
  const at = turns.findLastIndex((turn) => !asksAnew(turn.text))
  const request = turns[at]
  if (!request || at < (summary?.turns ?? 0)) return null
  return { text: request.text, earlier: { turns: turns.slice(0, at), summary } }
}
