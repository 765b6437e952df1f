import type { Bullet, BulletChange } from '../../memory/bullets/bullet'
import { onScaleOf } from '../../retrieval/calibration'
import { cosine } from '../../retrieval/cosine'
import { vectorsOf } from '../../retrieval/rank'
import type { Embedder, LanguageModel } from '../../ground/ports'

const wordsOf = (text: string): Set<string> => new Set(text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [])

/** The one of two texts that says more; where each says something of its own, the newer one. */
export function fuller(older: string, newer: string): string {
  const words = wordsOf(older)
  return [...wordsOf(newer)].every((word) => words.has(word)) ? older : newer
}

/** For each of `texts`, which of `bullets` says the same, if any: the likest above `sameAbove`, on a scale where unrelated texts are at 0. */
export async function sayTheSame(
  embedder: Embedder,
  texts: readonly string[],
  bullets: readonly Bullet[],
  sameAbove: number,
  signal?: AbortSignal,
): Promise<(Bullet | null)[]> {
  if (texts.length === 0 || bullets.length === 0) return texts.map(() => null)
  const vectors = await vectorsOf(embedder, [...texts, ...bullets.map(({ content }) => content)], signal)
  const least = onScaleOf(embedder, sameAbove)
  return texts.map((_, i) => {
    let best: Bullet | null = null
    let score = least
    bullets.forEach((bullet, j) => {
      const own = vectors[i]
      const other = vectors[texts.length + j]
      const foundCount = (own && other && cosine(own, other)) ?? 0
      if (foundCount >= score) [best, score] = [bullet, foundCount]
    })
    return best
  })
}

/** Two bullets as one: the older one's place, the counts of both, the text that says more. */
export const absorbed = (into: Bullet, from: Bullet): BulletChange => ({
  helpful: from.helpful,
  harmful: from.harmful,
  content: fuller(into.content, from.content),
  trajectoryIds: from.trajectoryIds,
})

/** Best first: what a person pinned, then what helped more often than it misled, then the newest. `at`: place in the playbook. */
const worth = (a: { bullet: Bullet; at: number }, b: { bullet: Bullet; at: number }): number =>
  Number(b.bullet.pinned === true) - Number(a.bullet.pinned === true) ||
  b.bullet.helpful - b.bullet.harmful - (a.bullet.helpful - a.bullet.harmful) ||
  b.at - a.at

/** The bullets that fit into `budget` tokens, the most useful first chosen, in the playbook's order. Pinned ones always fit. */
export async function withinBudget(
  playbook: readonly Bullet[],
  budget: number,
  model: Pick<LanguageModel, 'countTokens'>,
  signal?: AbortSignal,
): Promise<readonly Bullet[]> {
  if (playbook.length === 0) return playbook
  const counts = await model.countTokens(
    playbook.map(({ content }) => content),
    { signal },
  )
  let remainingCount = budget
  const selection = new Set<Bullet>()
  for (const { bullet, at } of playbook.map((bullet, at) => ({ bullet, at })).sort(worth)) {
    const tokens = counts[at] ?? 0
    if (tokens > remainingCount && bullet.pinned !== true) continue
    remainingCount -= tokens
    selection.add(bullet)
  }
  return playbook.filter((bullet) => selection.has(bullet))
}
