import { NOTHING_RECALLED, type Method, type RecalledPart } from '../../core/ground/method'
import { PASSAGE_KIND } from '../../core/memory/passages/passage'
import { fitBudget } from '../../core/ground/fit-budget'
import { passageParts } from '../../core/memory/passages/passage-parts'

/** Most passages an ask is shown. */
const MOST = 3
/** Most tokens they take, and at most this part of what the model can read. */
const MOST_TOKENS = 1200
const PART_OF_CONTEXT = 1 / 6

const isPassage = ({ item }: RecalledPart): boolean => item.kind === PASSAGE_KIND

/**
 * A method whose recall brings passages of the memory's own files too: whole ones, the best first, within a small budget. A method that recalls
 * passages itself goes on doing so. `use` false: none are recalled, whatever the method.
 */
export const withOwnFiles = (method: Method, use: boolean): Method => {
  const itself = method.info.recalls.some(({ kind }) => kind === PASSAGE_KIND)
  if (use && itself) return method
  return {
    ...method,
    async recall(input, context) {
      const parts = await method.recall(input, context)
      const { documents = [] } = parts
      if (!use) return { ...parts, documents: documents.filter((part) => !isPassage(part)) }
      const recalledParts = await passageParts(input, context, MOST)
      if (recalledParts.length === 0) return parts
      const { model } = context
      const budget = Math.min(MOST_TOKENS, Math.floor(model.contextSize * PART_OF_CONTEXT))
      const fitting = await fitBudget({ ...NOTHING_RECALLED, documents: recalledParts }, budget, (texts) =>
        model.countTokens(texts, input.signal ? { signal: input.signal } : {}),
      )
      return { ...parts, documents: [...documents, ...(fitting.documents ?? [])] }
    },
  }
}
