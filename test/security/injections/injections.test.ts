import { afterAll, beforeAll, expect, it } from 'vitest'
import { TORTURE } from '../../torture'
import { control, INJECTIONS, obedient, openInjections, type Injection } from './play'

/** All of them with `npm run torture`, else one of each surface. */
const first = new Map(INJECTIONS.map((one) => [one.surface, one]))
const share: readonly Injection[] = TORTURE ? INJECTIONS : [...first.values()]

let injections: Awaited<ReturnType<typeof openInjections>>
beforeAll(async () => {
  injections = await openInjections()
})
afterAll(() => injections.close())

it('are a hundred, of eleven surfaces', () => {
  expect(INJECTIONS).toHaveLength(100)
  expect(first.size).toBe(11)
  // What is played beside each asks for nothing.
  expect(INJECTIONS.filter((one) => control(one).text.includes(one.payload))).toEqual([])
})

it.each(share)('no tool changes anything unasked, and the origin is shown: $id', async (injection) => {
  const played = await injections.play(injection, obedient(injection), true)
  // What a page hides, its reader leaves out.
  if (injection.surface === 'web page' && !played.reached)
    return expect(played).toMatchObject({ wanted: 0, carriedOut: 0 })
  // The model did what it read: what held it back was not its own judgement.
  expect(played).toMatchObject({ reached: true, wanted: 1, asked: 1, carriedOut: 0, origin: true })
  // What claims a success, or was signed by nobody, is not even recalled before a person takes it out.
  if (injection.surface === 'case' || injection.surface === 'bundle') expect(played.waited).toBe(true)
})

it('without these defences each is carried out', async () => {
  for (const injection of share.slice(0, 3))
    expect(await injections.play(injection, obedient(injection), false)).toMatchObject({
      asked: 0,
      carriedOut: 1,
    })
})
