/** What the teacher would have said at one place: its likeliest tokens with their probabilities (they need not sum to 1). */
export interface TeacherDistribution {
  readonly ids: readonly number[]
  readonly probabilities: readonly number[]
}

/**
 * One token sequence to learn from: chat-templated prompt and expert actions A*, without the soft prompt. The loss is
 * EvoSC's L_consolid: cross-entropy over the tokens of the actions of all rounds.
 */
export interface TrainingSample {
  /** Names what it was made from, e.g. a trajectory's id. Samples of one id are held out together. */
  readonly id: string
  readonly tokens: readonly number[]
  /** The soft prompt stands before this index: 0, or 1 behind a BOS token. */
  readonly softAt: number
  /** Indices of the tokens that are to be predicted, ascending, none before `softAt`. */
  readonly targets: readonly number[]
  /** Samples of one group begin alike, so they are learned in one step. Default: none does with another. */
  readonly group?: string
  /** Per target, the teacher's distribution to learn instead of the one token. Default: the token itself. */
  readonly teacher?: readonly TeacherDistribution[]
}

/** One round of one attempt as it is shown to the student: what it reads, and what the expert then does. */
export interface ExpertRound {
  readonly prompt: readonly number[]
  readonly action: readonly number[]
  readonly teacher?: readonly TeacherDistribution[]
}

/**
 * Samples from the rounds of one attempt, first to last. A round whose prompt and action begin a later round's prompt is
 * learned inside that one, so that an attempt replayed as it was costs one sequence instead of one per round.
 */
export function samplesOf(id: string, rounds: readonly ExpertRound[], softAt: number): TrainingSample[] {
  const open: { tokens: readonly number[]; spans: { from: number; round: ExpertRound }[] }[] = []
  for (const round of [...rounds].reverse()) {
    if (round.action.length === 0) continue
    const tokens = [...round.prompt, ...round.action]
    const span = { from: round.prompt.length, round }
    const longer = open.find((sample) => startsWith(sample.tokens, tokens))
    if (longer) longer.spans.unshift(span)
    else open.unshift({ tokens, spans: [span] })
  }
  return open.map(({ tokens, spans }) => {
    const targets = spans.flatMap(({ from, round }) => round.action.map((_, index) => from + index))
    const distilled = spans.every(({ round }) => round.teacher?.length === round.action.length)
    return {
      id,
      tokens,
      softAt,
      targets,
      ...(distilled && { teacher: spans.flatMap(({ round }) => round.teacher ?? []) }),
    }
  })
}

/** Why a sample cannot be used, in words; null when it can. */
export function sampleProblem(sample: TrainingSample, vocabulary: number): string | null {
  const { tokens, targets, softAt, teacher } = sample
  if (targets.length === 0) return 'it has no tokens to predict'
  if (tokens.some((token) => !Number.isInteger(token) || token < 0 || token >= vocabulary))
    return `it has a token outside the vocabulary of ${vocabulary}`
  if (softAt < 0 || softAt >= tokens.length) return 'the soft prompt has no place in it'
  if (targets.some((at, i) => at < softAt || at >= tokens.length || at <= (targets[i - 1] ?? -1)))
    return 'its targets are out of order or outside of it'
  if (teacher && teacher.length !== targets.length) return 'it has not one teacher distribution per target'
  return null
}

const startsWith = (long: readonly number[], short: readonly number[]): boolean =>
  long.length >= short.length && short.every((token, index) => long[index] === token)

/** The attempts that samples are from, each once. */
export const sampleIds = (samples: readonly Pick<TrainingSample, 'id'>[]): string[] => [
  ...new Set(samples.map(({ id }) => id)),
]
