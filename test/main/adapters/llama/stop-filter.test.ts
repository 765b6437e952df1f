import { describe, expect, it } from 'vitest'
import { StopFilter } from '../../../../src/main/adapters/llama/stop-filter'

function run(stops: string[], pieces: string[]) {
  const filter = new StopFilter(stops)
  const shown: string[] = []
  for (const piece of pieces) {
    const { text, stop } = filter.push(piece)
    shown.push(text)
    if (stop !== null) return { shown, stop }
  }
  return { shown: [...shown, filter.flush()], stop: null }
}

describe('the stop filter', () => {
  it('passes text straight on without stop texts', () => {
    expect(run([], ['a', 'b'])).toEqual({ shown: ['a', 'b', ''], stop: null })
  })

  it('cuts at the earliest stop text, even across pieces', () => {
    expect(run(['END', 'X'], ['abcE', 'N', 'D more'])).toEqual({ shown: ['abc', '', ''], stop: 'END' })
    expect(run(['END', 'b'], ['abEND'])).toEqual({ shown: ['a'], stop: 'b' })
  })

  it('gives back what only looked like a stop text', () => {
    expect(run(['\n\nUser:'], ['a\n', '\nUs', 'ed', '\n'])).toEqual({
      shown: ['a', '', '\n\nUsed', '', '\n'],
      stop: null,
    })
  })

  it('handles stop texts that overlap themselves', () => {
    expect(run(['aab'], ['a', 'a', 'a', 'b']).shown.join('')).toBe('a')
  })
})
