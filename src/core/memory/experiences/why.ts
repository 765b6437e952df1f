const words = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []

/** A word without its English ending, so that "bookings" and "booking" are one. Short words stay as they are. */
function stem(word: string): string {
  if (word.length <= 3) return word
  const root = word.replace(/(?:ations?|ings?|ed|ies|es|s|ly|y)$/, '')
  return root.length >= 3 ? root : word
}

/** Words of a question that a search text has too, endings aside, in the order of the question. About what BM25 matched. */
export function matchingTerms(searched: string, question: string): string[] {
  const askedSet = new Set(words(searched).map(stem))
  return [...new Set(words(question))].filter((word) => askedSet.has(stem(word)))
}
