import { expect, it } from 'vitest'
import { diskError } from '../../../src/main/ground/atomic-file'
import { PAUSING } from '../../../src/main/runs/run-entry'
import { LoamError } from '../../../src/shared/errors'

it.each([
  ['ENOSPC', /no room left/i, /space/],
  ['EFBIG', /larger than is allowed/, /ulimit -f/],
  ['EMFILE', /too many files are open/, /ulimit -n/],
  ['ENFILE', /too many files are open/, /ulimit -n/],
  ['EROFS', /read-only/, /another one/],
  ['EACCES', /may not be written/, /owns/],
])('%s has a cause and a suggestion, and a run waits for a person', (code, cause, suggestion) => {
  const error = diskError(Object.assign(new Error(code), { code }), '/data/x')
  if (!(error instanceof LoamError)) throw new Error('not in words')
  expect(error.why).toMatch(cause)
  expect(error.suggestion).toMatch(suggestion)
  expect(PAUSING.has(error.code)).toBe(true)
})
