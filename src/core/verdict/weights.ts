import type { EvidenceKind } from '../../shared/domain/verdict'

/**
 * Log-odds that an attempt was solved, per kind of evidence: fitted on 1,579 attempts with ground truth and 277 labelled by hand, mixed with a judgement
 * that counts as eight attempts. `moves-on` was lowered, and a yes left out, after 131 more attempts by 18 people. Kinds that may settle a verdict are held below 3.15, the others below 0.75.
 */
export const WEIGHTS: Readonly<Record<EvidenceKind, number>> = {
  committed: 2.47,
  'moves-on': 1.1,
  thanks: 2.13,
  'something-else': 0.73,
  answers: 0.72,
  'follow-up': 0.56,
  'other-problem': -0.09,
  continue: -0.21,
  correction: -1.26,
  'other-words': -1.82,
  'error-pasted': -1.9,
  'same-again': -2.43,
  complaint: -2.68,
  undone: -2.78,
  // Nothing until a person's own verdicts have weighed the reader, and never enough to settle.
  'read-right': 0,
  'read-wrong': 0,
  // By judgement alone, no such traffic was in the data: they settle nothing.
  'sent-again': -0.7,
  branched: -0.7,
  'no-reply': -3.15,
  'last-error': -2.74,
  'service-error': -2.63,
  'nothing-made': -2.59,
  'cut-off': -2.56,
  error: -2.1,
  'out-of-form': -0.99,
  interrupted: -0.73,
  'edit-refused': -0.73,
  'many-errors': -0.06,
  'no-errors': 0.39,
  'errors-overcome': -0.22,
  'tests-pass': 0.24,
  'tests-fail': -0.36,
  'checks-pass': -0.05,
  'checks-fail': -0.6,
  'edit-unchecked': -0.6,
  repeated: -0.63,
  long: -0.36,
  'very-long': -0.57,
}

/** What settles a success: a person's sign alone. */
export const SETTLES_SOLVED: ReadonlySet<EvidenceKind> = new Set(['committed', 'moves-on', 'thanks'])

/** What settles a failure: a person's sign, or what a program says. */
export const SETTLES_FAILED: ReadonlySet<EvidenceKind> = new Set([
  'undone',
  'complaint',
  'same-again',
  'other-words',
  'error-pasted',
  'correction',
  'no-reply',
  'last-error',
  'service-error',
  'nothing-made',
  'cut-off',
  'error',
  'out-of-form',
])

/** What a person does that speaks against a settled failure. */
export const CONTRADICTS_FAILED: ReadonlySet<EvidenceKind> = new Set(['thanks', 'committed'])
