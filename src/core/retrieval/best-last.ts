import type { RecalledPart } from '../ground/method'
import type { Ranked } from './rank'

/** What an item of memory is shown as. */
interface Shown extends Pick<RecalledPart['item'], 'title' | 'reward'> {
  readonly text: string
}

/** The K best of a ranking by cosine as parts of a prompt, the best one last: next to the task. */
export const bestLast = <T extends { readonly id: string; readonly trajectoryIds: readonly string[] }>(
  kind: RecalledPart['item']['kind'],
  ranked: readonly Ranked<T>[],
  k: number,
  shownAs: (item: T) => Shown,
): RecalledPart[] =>
  ranked
    .slice(0, k)
    .reverse()
    .map(({ item, score }) => {
      const { text, title, reward } = shownAs(item)
      const [trajectoryId = null] = item.trajectoryIds
      return { text, item: { kind, id: item.id, trajectoryId, title, score, scoreKind: 'cosine', reward } }
    })
