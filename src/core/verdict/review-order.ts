import { contentOf, SAME } from './relation'

/** Words with a meaning from which on requests are compared by them; shorter ones are alike where they are the same. */
const FEW = 3

/** A request whose outcome nobody has told. */
export interface Unsettled {
  readonly request: string
  /** How far its signs lean, in [0.5, 1]; .5 is all doubt. */
  readonly confidence: number
}

const plain = (text: string): string => text.trim().toLowerCase().replace(/\s+/g, ' ')

/** Finds how many of many requests are alike one: the same, or with most of the shorter one's words in common. */
function likenessIn(requests: readonly string[]): (request: string) => number {
  const words = requests.map(contentOf)
  const holders = new Map<string, number[]>()
  const texts = new Map<string, number>()
  for (const [at, own] of words.entries()) {
    if (own.size < FEW) {
      const text = plain(requests[at] ?? '')
      texts.set(text, (texts.get(text) ?? 0) + 1)
    } else for (const word of own) holders.set(word, [...(holders.get(word) ?? []), at])
  }
  return (request) => {
    const own = contentOf(request)
    if (own.size < FEW) return texts.get(plain(request)) ?? 0
    const shared = new Map<number, number>()
    for (const word of own)
      for (const at of holders.get(word) ?? []) shared.set(at, (shared.get(at) ?? 0) + 1)
    return [...shared].filter(([at, common]) => common / Math.min(own.size, words[at]?.size ?? 0) >= SAME)
      .length
  }
}

/**
 * What a person is asked about, the most useful word first: by how often such a request comes, then by doubt, else as given.
 * @param requests all that were made, those that are settled among them
 * @returns each with `often`: the requests like it, itself among them
 */
export function reviewOrder<T extends Unsettled>(
  unsettled: readonly T[],
  requests: readonly string[],
): (T & { readonly often: number })[] {
  const countLike = likenessIn(requests)
  return unsettled
    .map((one) => ({ ...one, often: countLike(one.request) }))
    .sort((a, b) => b.often - a.often || a.confidence - b.confidence)
}
