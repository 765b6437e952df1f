import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { md5 } from '../../../../src/core/mysql/md5'
import { tableHash } from '../../../../src/core/tasks/lab-db/grader'

describe('the fingerprint of a table', () => {
  it.each(['', 'abc', 'a'.repeat(55), 'b'.repeat(56), 'c'.repeat(64), 'é€𝄞'.repeat(40)])(
    'computes MD5 of %j',
    (text) => {
      expect(md5(text)).toBe(createHash('md5').update(text).digest('hex'))
    },
  )

  it('does not depend on the order of rows and leaves NULL out', () => {
    expect(
      tableHash([
        [1, 'a'],
        [2, null],
      ]),
    ).toBe(tableHash([[2], [1, 'a']]))
    expect(tableHash([[1, 'a']])).not.toBe(tableHash([[1, 'b']]))
    expect(tableHash([])).toBe('None')
  })
})
