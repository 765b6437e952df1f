import { aboutPassages } from '../../src/core/retrieval/about-passages'
import { passageText, type Passage } from '../../src/core/memory/passages/passage'
import type { Embedder } from '../../src/core/ground/ports'
import type { StoredMemory } from '../../src/main/memory-store/memory'

/** The at most k passages of own files that are nearest to a text, and of these those that asks show: what the text is about among `total`. */
export async function ownPassages(
  { passages }: Pick<StoredMemory, 'passages'>,
  embedder: Embedder,
  { text, k, total }: { readonly text: string; readonly k: number; readonly total: number },
): Promise<{ readonly nearest: Passage[]; readonly about: Passage[] }> {
  const nearest = (await passages.search(text, k)).map(({ passage }) => passage)
  const abouts = await aboutPassages(text, nearest.map(passageText), embedder, total)
  return { nearest, about: nearest.filter((_, i) => abouts[i] === true) }
}
