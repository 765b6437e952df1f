import { z } from 'zod'
import { attachmentSchema, type QuestionEntry, type ReadQuestion } from '../entry'

/** A text, or a number or truth value as text. */
export const text = z.union([z.string(), z.number(), z.boolean()]).transform(String)

/** Several texts, or one. */
export const texts = z.union([text.transform((one) => [one]), z.array(text)])

/** Texts without white space around them, each once, the empty ones gone. */
export const tidy = (inputs: readonly string[]): string[] => [
  ...new Set(inputs.map((one) => one.trim()).filter((one) => one !== '')),
]

/** A skill as it is shown: short, on one line. */
export const skill = (name: string | null | undefined): string[] => {
  const plain = (name ?? '').replace(/\s+/g, ' ').trim()
  return plain === '' ? [] : [plain.slice(0, 60)]
}

/** An open question: what else is known of it goes into `over`. */
export const question = (
  id: string | null | undefined,
  instruction: string,
  references: readonly string[],
  over: Partial<QuestionEntry> & { readonly skills?: readonly string[] } = {},
): ReadQuestion => {
  const { skills = [], ...entry } = over
  return {
    id: id === undefined || id === '' ? null : id,
    instruction,
    skills: tidy(skills),
    entry: {
      references: tidy(references),
      scorer: 'open',
      level: null,
      dataset: null,
      attachments: [],
      ...entry,
    },
  }
}

/** Files that a row names, as attachments. @throws ZodError for a name with folders in it */
export const attachments = (names: readonly string[]): QuestionEntry['attachments'] =>
  tidy(names).map((name) => attachmentSchema.parse({ name }))

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'

/** Choices below a question, a letter before each. */
export const withChoices = (instruction: string, choices: readonly string[]): string =>
  `${instruction.trim()}\n\n${choices.map((choice, i) => `${LETTERS[i] ?? '?'}. ${choice.trim()}`).join('\n')}\n\nAnswer with the letter of the right choice.`

/** The letter of a choice. */
export const letterOf = (index: number): string => LETTERS[index] ?? '?'

/** Choices in an order that follows from the question alone, so that the right one stands anywhere and stays there. */
export function shuffled(choices: readonly string[], seed: string): string[] {
  let state = 2166136261
  for (let i = 0; i < seed.length; i++) state = Math.imul(state ^ seed.charCodeAt(i), 16777619) >>> 0
  const order = [...choices]
  for (let i = order.length - 1; i > 0; i--) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    const j = Math.floor((state / 2 ** 32) * (i + 1))
    const [a, b] = [order[i], order[j]]
    if (a === undefined || b === undefined) continue
    order[i] = b
    order[j] = a
  }
  return order
}
