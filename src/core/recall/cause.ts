/** An act of a tool, as causes are looked for in it. */
export interface TriedAct {
  /** Its masked complaint; empty where it ran. */
  readonly complaint: string
  readonly words: ReadonlySet<string>
  readonly task: string
}

/** What makes a complaint come: an action that holds all of these words meets it. */
export interface Cause {
  readonly words: readonly string[]
  /** Acts that hold them and met the complaint, and that hold them and ran. */
  readonly met: number
  readonly ran: number
}

/** Part of the complaints that a word has to stand in, and words that are looked at. */
const COVER = 0.4
const MOST_WORDS = 24
/** Part of the acts with these words that has to meet the complaint. */
const HOLDS = 0.8
/** Tasks of these acts, and acts that ran without the words: so many words are tried that two tasks often share one by chance. */
export const LEAST_TASKS = 3
const LONGEST = 120

const WORDS = /\p{L}{2,40}(?:[/.]\p{L}{2,40}\d?){0,4}/gu

/** The words of an action that may be a cause. */
export const causeWords = (action: string): Set<string> =>
  new Set((action.toLowerCase().match(WORDS) ?? []).slice(0, LONGEST))

const holds = (words: readonly string[], act: TriedAct): boolean => words.every((word) => act.words.has(word))

/** Whether an action holds what is known to make a complaint come. */
export const holdsCause = (cause: Pick<Cause, 'words'>, words: ReadonlySet<string>): boolean =>
  cause.words.every((word) => words.has(word))

/** One word or two of an action with which a complaint comes, mined from all acts of its tool; null where none tells them apart. */
export function mineCause(acts: readonly TriedAct[], complaint: string): Cause | null {
  const bad = acts.filter((act) => act.complaint === complaint)
  const good = acts.filter((act) => act.complaint === '')
  const counts = new Map<string, number>()
  for (const { words } of bad) for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1)
  const top = [...counts]
    .filter(([, n]) => n >= 2 && n >= COVER * bad.length)
    .sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
    .slice(0, MOST_WORDS)
    .map(([word]) => word)
  const pairs = top.flatMap((one, i) => top.slice(i + 1).map((other) => [one, other]))
  let best: (Cause & { readonly score: number; readonly tasks: number }) | null = null
  for (const words of [...top.map((word) => [word]), ...pairs]) {
    const hits = bad.filter((act) => holds(words, act))
    const ran = good.filter((act) => holds(words, act)).length
    const met = hits.length
    const score = ((met + 0.5) / (met + ran + 1.5)) * Math.sqrt(met / Math.max(1, bad.length))
    if (best && score <= best.score) continue
    best = { words, met, ran, score, tasks: new Set(hits.map(({ task }) => task)).size }
  }
  // What no act that ran was without tells nothing apart.
  if (!best || best.tasks < LEAST_TASKS || good.length - best.ran < LEAST_TASKS) return null
  if (best.met / (best.met + best.ran) < HOLDS) return null
  return { words: best.words, met: best.met, ran: best.ran }
}
