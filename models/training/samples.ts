/** What one sample of the demo model's training text is, and how it is packed. */
import { writeFileSync } from 'node:fs'
import { SPECIAL } from './tokenizer'

const token = (name: (typeof SPECIAL)[number]): number => SPECIAL.indexOf(name)
export const [BOS, SYSTEM, USER, ASSISTANT, END] = [
  token('<s>'),
  token('<|system|>'),
  token('<|user|>'),
  token('<|assistant|>'),
  token('<|end|>'),
]

/** A piece of a branch: text and whether its tokens are learned. */
export interface Piece {
  readonly text: string
  readonly learn: boolean
  readonly after?: readonly number[]
}

/** A prefix that several tasks share: the system prompt, what was recalled, and the tasks. */
export interface Sample {
  readonly system: string
  /** Attempts as turns of the dialog. Default: none. */
  readonly earlier?: readonly { readonly role: string; readonly content: string }[]
  readonly recalled: string
  readonly branches: readonly (readonly Piece[])[]
  /** Evaluation group: cases shown, facts unknown at the start, facts needed. */
  readonly groups: readonly (readonly [number, number, number])[]
}

/** Writes samples as train.py reads them, with their groups beside them. Answers how many tokens they have. */
export function writeSamples(
  path: string,
  samples: readonly Sample[],
  encode: (text: string) => number[],
): number {
  const out: number[] = []
  let total = 0
  for (const { system, earlier = [], recalled, branches: pieces } of samples) {
    const turns = earlier.flatMap(({ role, content }) => [
      role === 'user' ? USER : ASSISTANT,
      ...encode(content),
      END,
    ])
    const prefix = [BOS, SYSTEM, ...encode(system), END, ...turns, USER, ...encode(recalled)]
    const branches = pieces.map((branch) => {
      const ids: number[] = []
      const mask: number[] = []
      for (const piece of branch) {
        const own = encode(piece.text)
        ids.push(...own)
        mask.push(...own.map(() => (piece.learn ? 1 : 0)))
        for (const [i, id] of (piece.after ?? []).entries()) {
          ids.push(id)
          mask.push(piece.learn && i === 0 ? 1 : 0)
        }
      }
      return { ids, mask }
    })
    out.push(prefix.length, branches.length, ...branches.map((b) => b.ids.length), ...prefix)
    for (const { ids, mask } of branches) out.push(...ids, ...mask)
    total += prefix.length + branches.reduce((sum, b) => sum + b.ids.length, 0)
  }
  writeFileSync(path, Buffer.from(Uint16Array.from(out).buffer))
  writeFileSync(path.replace(/\.bin$/, '.groups.json'), JSON.stringify(samples.map(({ groups }) => groups)))
  return total
}
