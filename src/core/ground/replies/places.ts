/** Characters of a reply in which calls are looked for; a longer one, which no model writes for a call, is text. */
export const LONGEST = 256 * 1024

/** Of many, the first and the last half of `most`: what a reply repeats without end is not all read. */
export const firstAndLast = <T>(all: readonly T[], most: number): readonly T[] =>
  all.length <= most ? all : [...all.slice(0, most / 2), ...all.slice(-most / 2)]

/** Where marks stand in a text. Each mark is looked for once, so that asking again and again stays linear in the text. */
export class Places {
  readonly #text: string
  readonly #byMark = new Map<string, readonly number[]>()

  constructor(text: string) {
    this.#text = text
  }

  /** All places of a mark, first to last; overlapping ones count once. */
  of(mark: string): readonly number[] {
    const ready = this.#byMark.get(mark)
    if (ready) return ready
    const places: number[] = []
    for (let at = this.#text.indexOf(mark); at >= 0; at = this.#text.indexOf(mark, at + mark.length))
      places.push(at)
    this.#byMark.set(mark, places)
    return places
  }

  /** The first place of any of the marks from `from` on that lies whole before `end`; `end` where there is none. */
  first(marks: readonly string[], from: number, end = this.#text.length): number {
    return marks.reduce((least, mark) => {
      const places = this.of(mark)
      const place = places[firstFrom(places, from)]
      return place !== undefined && place + mark.length <= end && place < least ? place : least
    }, end)
  }
}

/** Index of the first of some ascending places that is at least `from`. */
export function firstFrom(places: readonly number[], from: number): number {
  let [low, high] = [0, places.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((places[middle] ?? 0) < from) low = middle + 1
    else high = middle
  }
  return low
}
