import { expect, it } from 'vitest'
import { playAgain, type Failure } from '../../scripts/second-play.mjs'

const failure = (name: string, place: string | null = `${name}.test.ts`): Failure => ({
  ...{ name, place, message: 'expected 1 to be 2' },
})

it('clears what passes when it is played again, and nothing else', async () => {
  const failures = [failure('slow'), failure('wrong'), failure('gone', 'slow.test.ts')]
  const places: string[][] = []
  const steady = await playAgain({
    ...{ failures, most: 6 },
    play: (asked) => {
      places.push([...asked])
      return Promise.resolve({ played: new Set(['slow', 'wrong', 'other']), failed: new Set(['wrong']) })
    },
  })
  expect(places).toEqual([['slow.test.ts', 'wrong.test.ts']])
  // What the second play did not reach stays failed.
  expect(steady.map(({ name }) => name)).toEqual(['slow'])
})

it('plays nothing again where many failed, or one has no place', async () => {
  const play = () => Promise.reject(new Error('Played.'))
  expect(await playAgain({ failures: [failure('a'), failure('b')], most: 1, play })).toEqual([])
  expect(await playAgain({ failures: [failure('a', null)], most: 6, play })).toEqual([])
  expect(await playAgain({ failures: [], most: 6, play })).toEqual([])
})
