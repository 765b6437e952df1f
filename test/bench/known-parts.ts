/** Whether an answer holds one of some words, as a word of its own. */
export const holds = (answer: string, accepted: readonly string[]): boolean =>
  accepted.some((word) =>
    new RegExp(`(?<![\\w])${word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}(?![\\w])`, 'i').test(answer),
  )

/** A text as what was recalled. */
export const partOf = (text: string) => ({
  text,
  item: {
    ...{ kind: 'fact', id: text, trajectoryId: null, title: text },
    ...{ score: null, scoreKind: 'likeness', reward: null },
  },
})
