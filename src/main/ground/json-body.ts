import { setImmediate } from 'node:timers/promises'
import { holdsTooMuch } from '../../core/ground/json-check'
import { LoamError } from '../../shared/errors'

/** Values of a request that are read: what is worst takes 100 ms. */
const MOST_VALUES = 200_000

/** A request in JSON; undefined where it is none. Others get their turn between the steps. @throws LoamError `BAD_INPUT` for too many values */
export async function parseJsonBody(text: string): Promise<unknown> {
  await setImmediate()
  if (holdsTooMuch(text, MOST_VALUES))
    throw new LoamError(
      'BAD_INPUT',
      `The request holds more than ${MOST_VALUES} values, or nests too deep.`,
      {
        suggestion: 'Send less at a time.',
      },
    )
  await setImmediate()
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}

/** A request that has to be JSON. @throws LoamError `BAD_INPUT` where it is none, or holds too many values */
export async function readJsonBody(text: string): Promise<unknown> {
  const body = await parseJsonBody(text)
  if (body !== undefined) return body
  throw new LoamError('BAD_INPUT', text === '' ? 'The request has no body.' : 'The request is no JSON.', {
    suggestion: 'Send JSON, as docs/share.md says it.',
  })
}
