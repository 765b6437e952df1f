import type { ExperienceStep } from '../../shared/domain/experience'
import type { Ending, Evidence, EvidenceKind, ReadRelation } from '../../shared/domain/verdict'
import { isTestRun, resultOf } from './checks'
import { relationOf } from './relation'
import { SETTLES_FAILED, SETTLES_SOLVED, WEIGHTS } from './weights'

/** What was done at one request of a person, and what came after it. */
export interface Work {
  readonly request: string
  readonly steps: readonly ExperienceStep[]
  /** What the agent said last; empty where it said nothing. */
  readonly reply: string
  /** Null where the program does not say more than that it ended. */
  readonly ending?: Ending | null
  /** The person's next message in the same session; null where there is none. */
  readonly next?: string | null
  /** What a model took that message for; null where none has read it. Default: none. */
  readonly reading?: ReadRelation | null
  /** What the person had the program do before their next message. */
  readonly command?: 'commit' | 'undo' | null
  /** Whether another answer was asked for, or the request was written anew; only a proxy sees that. Default: neither. */
  readonly replaced?: 'sent-again' | 'branched' | null
}

/** Steps from which on an attempt is long. */
const LONG = 40
const VERY_LONG = 60
/** Part of the results that are errors from which on there are many, of at least `FEW` results. */
const MANY_ERRORS = 0.4
const FEW = 4
/** Times the same call comes to the same result. */
const LOOP = 3

type Sign = readonly [kind: EvidenceKind, step: number | null]

/** What a person does next: one sign, the strongest first. */
function personSign({ request, reply, next, command }: Work): Sign | null {
  if (command === 'undo') return ['undone', null]
  const message = next?.trim() ?? ''
  return message === '' ? null : [relationOf({ request, reply }, message), null]
}

/** What a model's reading of the next message comes to: a yes, a no, or neither. */
export function claimOf(relation: ReadRelation): 'read-right' | 'read-wrong' | null {
  if (SETTLES_SOLVED.has(relation)) return 'read-right'
  return SETTLES_FAILED.has(relation) ? 'read-wrong' : null
}

function readingSign({ reading }: Work): Sign | null {
  const claim = reading ? claimOf(reading) : null
  return claim === null ? null : [claim, null]
}

/** How it ended by what the program says, and by its having said nothing. */
function endingSigns({ steps, reply, ending, next }: Work): Sign[] {
  const endings: Sign[] = ending ? [[ending, null]] : []
  const isSilent = steps.length === 0 && reply.trim() === ''
  // A log that ends at a request is open, not failed.
  return isSilent && (ending || (next ?? '') !== '') ? [...endings, ['no-reply', null]] : endings
}

/** Errors that tools answered with, as one sign. */
function errorSign(steps: readonly ExperienceStep[]): Sign | null {
  const results = steps.flatMap((step, at) => (step.observation === null ? [] : [{ ...step, at }]))
  // What only looks may find nothing: that is no error of the work.
  const errors = results.filter(({ failed, verb }) => failed && verb !== 'search' && verb !== 'read')
  const last = errors.at(-1)
  if (results.length === 0) return null
  if (!last) return ['no-errors', null]
  if (last.at === results.at(-1)?.at) return ['last-error', last.at]
  return results.length >= FEW && errors.length / results.length >= MANY_ERRORS
    ? ['many-errors', last.at]
    : ['errors-overcome', last.at]
}

const isEdit = ({ verb }: ExperienceStep): boolean => verb === 'edit' || verb === 'write'

/** What checks said after the last edit, as one sign. */
function checkSign(steps: readonly ExperienceStep[]): Sign | null {
  const edit = steps.findLastIndex(isEdit)
  if (edit < 0) return null
  const runs = steps.flatMap((step, at) =>
    at > edit && step.verb === 'run' && step.observation !== null ? [{ step, at }] : [],
  )
  const tests = runs.filter(({ step }) => isTestRun(step))
  const [last, pass, fail] =
    tests.length > 0
      ? ([tests.at(-1), 'tests-pass', 'tests-fail'] as const)
      : ([runs.at(-1), 'checks-pass', 'checks-fail'] as const)
  if (!last) return ['edit-unchecked', edit]
  const result = resultOf(last.step)
  return result === null ? null : [result === 'passed' ? pass : fail, last.at]
}

function loopSign(steps: readonly ExperienceStep[]): Sign | null {
  const times = new Map<string, number>()
  for (const [at, { tool, content, observation }] of steps.entries()) {
    const call = JSON.stringify([tool, content.slice(0, 500), observation?.slice(0, 300)])
    const count = (times.get(call) ?? 0) + 1
    times.set(call, count)
    if (count === LOOP && content.length > 3) return ['repeated', at]
  }
  return null
}

const lengthSign = (steps: readonly ExperienceStep[]): Sign | null =>
  steps.length >= VERY_LONG ? ['very-long', null] : steps.length >= LONG ? ['long', null] : null

/** The signs of how an attempt ended: of each group one at most, so that one fact is not counted twice. `weights`: of the client. Default: the fitted ones. */
export function evidenceOf(
  work: Work,
  weights: Readonly<Record<EvidenceKind, number>> = WEIGHTS,
): Evidence[] {
  const { steps, command } = work
  const signs: (Sign | null)[] = [
    personSign(work),
    readingSign(work),
    command === 'commit' ? ['committed', null] : null,
    work.replaced ? [work.replaced, null] : null,
    ...endingSigns(work),
    errorSign(steps),
    checkSign(steps),
    loopSign(steps),
    lengthSign(steps),
  ]
  return signs.flatMap((sign) => (sign ? [{ kind: sign[0], weight: weights[sign[0]], step: sign[1] }] : []))
}
