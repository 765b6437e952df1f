import { z } from 'zod'
import { FITTED, type ClientRules } from '../../../core/verdict/client-rules'
import { endingOf } from '../../../core/verdict/endings'
import { evidenceOf } from '../../../core/verdict/evidence'
import { verdictOf } from '../../../core/verdict/verdict'
import type { Ending, RuledVerdict } from '../../../shared/domain/verdict'
import type { ReadAnswer, ReadRequest } from './dialects/dialect'
import type { OpenAttempt } from './open-attempts'

/** How an attempt went, by what the person wrote next, as the rules of its client have it. Default: the fitted ones. What a server broke off says nothing of the work: then null. */
export function ruledBy(
  attempt: OpenAttempt,
  next: string | null,
  { weights, prior }: ClientRules = FITTED,
): RuledVerdict | null {
  const { instruction, rounds, ending, replaced } = attempt
  if (ending === 'lost' || rounds.length === 0) return null
  return verdictOf(
    evidenceOf(
      {
        request: instruction,
        // What tools answered settles nothing that the person's own message does not settle.
        steps: [],
        reply: rounds.at(-1)?.completion ?? '',
        ending,
        next,
        replaced,
      },
      weights,
    ),
    prior,
  )
}

/** How an answer ended that came whole: cut at a limit, not in the form that was asked for, or as it should (null). */
export function endingOfAnswer({ schema }: Pick<ReadRequest, 'schema'>, answer: ReadAnswer): Ending | null {
  const ending = endingOf(answer.finish)
  if (ending !== null) return ending
  const calls = [...answer.calls.values()]
  if (calls.some(({ input }) => input !== '' && readJson(input) === undefined)) return 'out-of-form'
  return schema !== null && calls.length === 0 && answer.text !== '' && !meets(answer.text, schema)
    ? 'out-of-form'
    : null
}

/** Whether a text is JSON that a schema takes; a schema that cannot be read takes all JSON. */
export function meets(text: string, schema: Readonly<Record<string, unknown>>): boolean {
  const value = readJson(text)
  if (value === undefined) return false
  try {
    return z.fromJSONSchema(schema).safeParse(value).success
  } catch {
    return true
  }
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}
