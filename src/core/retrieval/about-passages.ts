import type { Embedder } from '../ground/ports'
import { aboutness, shortened } from './aboutness'
import { isFittedFor, marginsOf } from './floor'

/** Lines that a passage has, about: what the best accident of so many comes to. */
const LINES_OF_A_PASSAGE = 10

/**
 * A passage is about a request by the evidence of all of it, which is thinner than a short text's, or by one line. What is about it takes along what is nearly so. Chosen on 200 questions of four
 * talks and 270 asks about something else (`npm run bench own-files`, docs/search-quality.md).
 */
const ABOUT = { margin: -1.5, likeness: 0.4 } as const
const ALONG = { margin: -2.5, likeness: 0.2 } as const
/** By how much more evidence there has to be by an encoder that the floor's weights were not fitted for. Of 0, 1.5 and 2.5 the least that keeps everyday asks at 2 to 3 in 100 by potion-base-2M. */
const MORE_BY_OTHERS = 2.5

/** Fewer passages are held against what the best accident of so many comes to: less lets one in six everyday asks pass where there is one. */
const FEWEST = 20

const linesOf = (text: string): string[] => text.split('\n').filter((line) => line.trim() !== '')

/**
 * Which of the best passages that were found a request is about; `total`: passages there are. All are where nothing is known of how usual words are.
 */
export async function aboutPassages(
  whole: string,
  passages: readonly string[],
  embedder: Embedder,
  total: number,
  signal?: AbortSignal,
): Promise<boolean[]> {
  const count = Math.max(FEWEST, total)
  const request = shortened(whole)
  const margins = await marginsOf(embedder, request, passages, count, signal)
  if (!margins) return passages.map(() => true)
  const lines = passages.map(linesOf)
  const likenesses = await aboutness(request, lines.flat(), embedder, count * LINES_OF_A_PASSAGE, signal)
  let at = 0
  const best = lines.map((own) => Math.max(0, ...own.map(() => likenesses[at++] ?? 0)))
  const more = isFittedFor(embedder) ? 0 : MORE_BY_OTHERS
  const reaches = ({ margin, likeness }: typeof ABOUT | typeof ALONG): boolean[] =>
    passages.map((_, i) => (margins[i] ?? -Infinity) >= margin + more || (best[i] ?? 0) >= likeness)
  return reaches(ABOUT).includes(true) ? reaches(ALONG) : passages.map(() => false)
}
