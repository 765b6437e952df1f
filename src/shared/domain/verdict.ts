import { z } from 'zod'
import { count, instant } from './units'

/** What is said of an attempt: 1 is solved, 0 is not. */
export const verdictSchema = z.union([z.literal(0), z.literal(1)])

/** How a person's message stands to the attempt before it. */
export const RELATIONS = [
  'thanks',
  'moves-on',
  'complaint',
  'correction',
  'error-pasted',
  'same-again',
  'other-words',
  'other-problem',
  'continue',
  'answers',
  'follow-up',
  'something-else',
] as const
export type Relation = (typeof RELATIONS)[number]

/** Relations that a model is asked to tell: all but those that are told in any language without one. */
export const READ_RELATIONS = [
  'thanks',
  'moves-on',
  'complaint',
  'correction',
  'other-words',
  'other-problem',
  'continue',
  'answers',
  'follow-up',
  'something-else',
] as const satisfies readonly Relation[]
export type ReadRelation = (typeof READ_RELATIONS)[number]

/** How a program says that an attempt ended, where it says more than that it did. */
export const ENDINGS = [
  'cut-off',
  'out-of-form',
  'interrupted',
  'error',
  'service-error',
  'nothing-made',
  'edit-refused',
] as const
export type Ending = (typeof ENDINGS)[number]

/** Every kind of evidence, in words that follow "because". */
export const EVIDENCE_WORDS = {
  committed: 'the work was committed',
  undone: 'it was taken back',
  thanks: 'thanks or praise followed',
  'moves-on': 'the next step followed',
  complaint: 'a complaint followed',
  correction: 'a correction was ordered',
  'error-pasted': 'an error was pasted',
  'same-again': 'the same was asked again',
  'other-words': 'the same was asked in other words',
  'other-problem': 'another problem was named',
  continue: 'it was told to go on',
  answers: 'a question was answered',
  'follow-up': 'more was asked about it',
  'something-else': 'something else followed',
  'read-right': 'a model read the next message as a yes',
  'read-wrong': 'a model read the next message as a no',
  'sent-again': 'another answer was asked for',
  branched: 'the request was written anew',
  'no-reply': 'nothing was answered',
  'service-error': 'the service answered with an error',
  'cut-off': 'a limit cut it off',
  'out-of-form': 'the reply was not in the required form',
  interrupted: 'it was interrupted',
  error: 'it ended in an error',
  'nothing-made': 'it finished with nothing made',
  'edit-refused': 'the program refused an edit',
  'last-error': 'the last result was an error, and the agent stopped',
  'many-errors': 'many tools answered with errors',
  'no-errors': 'no tool answered with an error',
  'errors-overcome': 'errors on the way were overcome',
  'tests-pass': 'tests passed after the last edit',
  'tests-fail': 'tests failed after the last edit',
  'checks-pass': 'a check of its own passed after the last edit',
  'checks-fail': 'a check of its own failed after the last edit',
  'edit-unchecked': 'the last edit was never checked',
  repeated: 'the same call came to the same result three times',
  long: 'it took 40 calls and more',
  'very-long': 'it took 60 calls and more',
} as const
export type EvidenceKind = keyof typeof EVIDENCE_WORDS

/** One of them. */
export const evidenceKindSchema = z.enum(Object.keys(EVIDENCE_WORDS) as [EvidenceKind, ...EvidenceKind[]])

/** What a model took a person's next message for. */
export const messageReadingSchema = z.object({
  /** The message, from 0. */
  turn: count,
  /** Null where it said nothing that could be read. */
  relation: z.enum(READ_RELATIONS).nullable(),
  /** Which model. */
  model: z.string(),
  at: instant,
})
export type MessageReading = z.infer<typeof messageReadingSchema>

/** A sign of how an attempt ended, and where it stands. */
export const evidenceSchema = z.object({
  kind: evidenceKindSchema,
  /** Log-odds that the attempt was solved. */
  weight: z.number(),
  /** The step it stands at, from 0; null where it is about the whole. */
  step: count.nullable(),
})
export type Evidence = z.infer<typeof evidenceSchema>

/** How an attempt ended, as the rules tell it from its traffic. */
export const ruledVerdictSchema = z.object({
  value: z.enum(['solved', 'failed', 'unknown']),
  /** Of the value, in [0.5, 1]; of an unknown one how far the signs lean. Not a probability to be shown. */
  confidence: z.number().min(0).max(1),
  /** `teaches`: settled and sure enough to be learned from. `shown`: settled, to be confirmed by a person. `open`: not settled. */
  state: z.enum(['teaches', 'shown', 'open']),
  evidence: z.array(evidenceSchema),
  /** The version of the rules. */
  rules: z.string(),
})
export type RuledVerdict = z.infer<typeof ruledVerdictSchema>

/** Most reasons that are said of a verdict. */
const MOST_REASONS = 2

/** What speaks most for a verdict, in words; empty for an unknown one. */
export const reasonsOf = ({ value, evidence }: RuledVerdict): string =>
  evidence
    .filter(({ weight }) => (value === 'solved' ? weight > 0 : value === 'failed' && weight < 0))
    .sort((a, b) => Math.abs(b.weight) - Math.abs(a.weight))
    .slice(0, MOST_REASONS)
    .map(({ kind }) => EVIDENCE_WORDS[kind])
    .join(', and ')
