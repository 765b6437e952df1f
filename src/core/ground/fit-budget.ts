import type { PromptParts, RecalledPart } from './method'

/**
 * Keeps what fits into `budget` tokens: whole items, documents before lessons before cases, and of each kind the best ones.
 * Cases and lessons come with the best last, documents with the best first.
 */
export async function fitBudget(
  parts: PromptParts,
  budget: number,
  countTokens: (texts: readonly string[]) => Promise<number[]>,
): Promise<PromptParts> {
  const { documents = [], errorLessons, successLessons, retrieved } = parts
  const ordered = [
    documents,
    [...errorLessons].reverse(),
    [...successLessons].reverse(),
    [...retrieved].reverse(),
  ].flat()
  const counts = await countTokens(ordered.map(({ text }) => text))
  let remainingCount = budget
  const recalledParts = new Set<RecalledPart>()
  ordered.forEach((part, i) => {
    const tokens = counts[i] ?? 0
    if (tokens > remainingCount) return
    remainingCount -= tokens
    recalledParts.add(part)
  })
  const fits = (list: readonly RecalledPart[]): RecalledPart[] =>
    list.filter((part) => recalledParts.has(part))
  return {
    ...parts,
    documents: fits(documents),
    errorLessons: fits(errorLessons),
    successLessons: fits(successLessons),
    retrieved: fits(retrieved),
  }
}
