import { describe, expect, it } from 'vitest'
import { recognisedFormat } from '../../../src/core/formats'

describe('recognisedFormat', () => {
  it.each(['', ' \n\t', '\uFEFF'])('says of a file without a word that it is empty: %j', (head) => {
    expect(() => recognisedFormat(head)).toThrow('There is nothing in the file.')
  })

  it('names the formats it reads where a file looks like none', () => {
    expect(() => recognisedFormat('{"x": 1}')).toThrow(
      expect.objectContaining({ suggestion: expect.stringContaining('agent-skills') as string }),
    )
  })
})
