import { z } from 'zod'

/** A text that a person uses again, by a name of theirs. */
export const savedPromptSchema = z.object({
  id: z.uuid(),
  name: z.string().trim().min(1).max(80),
  text: z.string().trim().min(1).max(100_000),
})
export type SavedPrompt = z.infer<typeof savedPromptSchema>

/** The prompts that a search finds: those whose names begin with its words first, then those that hold them in name or text. */
export function promptsFor(prompts: readonly SavedPrompt[], search: string): SavedPrompt[] {
  const words = search.trim().toLowerCase()
  const rank = ({ name, text }: SavedPrompt): number => {
    const title = name.toLowerCase()
    if (title.startsWith(words)) return 0
    return title.includes(words) ? 1 : text.toLowerCase().includes(words) ? 2 : 3
  }
  return prompts.filter((prompt) => rank(prompt) < 3).sort((a, b) => rank(a) - rank(b))
}
