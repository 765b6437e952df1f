/** Marks that open and close a thought in the families' formats. */
export const THOUGHT_MARKS: readonly (readonly [open: string, close: string])[] = [
  ['<think>', '</think>'],
  ['<thinking>', '</thinking>'],
  ['<thought>', '</thought>'],
  ['<reasoning>', '</reasoning>'],
  ['[THINK]', '[/THINK]'],
  ['<seed:think>', '</seed:think>'],
  ['<|START_THINKING|>', '<|END_THINKING|>'],
  ['<|inner_prefix|>', '<|inner_suffix|>'],
  ['<|channel>thought', '<channel|>'],
  ['<|channel|>analysis<|message|>', '<|end|>'],
]

/** A reply without its thoughts; `thought` is null when there are none. */
export interface WithoutThoughts {
  readonly text: string
  readonly thought: string | null
}

/**
 * Takes all thoughts out of a reply, wherever they stand. One that never closes takes the rest with it; a closing mark without an opening one
 * ends a thought that the prompt opened.
 */
export function takeThoughts(reply: string): WithoutThoughts {
  const thoughts: string[] = []
  let text = reply
  for (const [open, close] of THOUGHT_MARKS) {
    if (!text.includes(open) && !text.includes(close)) continue
    const selection: string[] = []
    let at = 0
    const index = text.indexOf(open)
    const closedIndex = text.indexOf(close)
    if (closedIndex >= 0 && (index < 0 || closedIndex < index)) {
      thoughts.push(text.slice(0, closedIndex))
      at = closedIndex + close.length
    }
    for (;;) {
      const from = text.indexOf(open, at)
      if (from < 0) break
      selection.push(text.slice(at, from))
      const end = text.indexOf(close, from + open.length)
      thoughts.push(text.slice(from + open.length, end < 0 ? undefined : end))
      at = end < 0 ? text.length : end + close.length
    }
    text = [...selection, text.slice(at)].join('')
  }
  if (thoughts.length === 0) return { text: reply, thought: null }
  const thought = thoughts.map((one) => one.trim()).filter((one) => one !== '')
  return { text: text.trim(), thought: thought.length === 0 ? null : thought.join('\n\n') }
}
