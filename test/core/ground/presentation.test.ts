import { describe, expect, it } from 'vitest'
import {
  AS_PAPERS,
  ownAttempts,
  presentationFor,
  readPresentation,
  settledPresentation,
  usualK,
} from '../../../src/core/ground/presentation'

describe('how memory is shown', () => {
  it('is as in the papers where a run says nothing, so that saved runs go on as they began', () => {
    expect(readPresentation({})).toEqual(AS_PAPERS)
    expect(settledPresentation({ evosc: { capacity: 4 } }, AS_PAPERS)).toEqual({ evosc: { capacity: 4 } })
  })

  it('suits a model by its size where nobody says otherwise', () => {
    expect(presentationFor(135e6, true, null)).toEqual({
      attempts: 'turns',
      replies: 'held',
      unaided: 0.25,
      beliefs: false,
      world: 'front',
    })
    expect(presentationFor(8e9, true, null)).toEqual({
      attempts: 'turns',
      replies: 'free',
      unaided: 0.25,
      beliefs: false,
      world: 'front',
    })
    expect(presentationFor(null, false, null)).toEqual({
      attempts: 'turns',
      replies: 'free',
      unaided: 0,
      beliefs: false,
      world: 'front',
    })
  })

  it('suits what was measured of a model, where that is known', () => {
    expect(presentationFor(135e6, true, 'none')).toMatchObject({ attempts: 'none', replies: 'held' })
    expect(presentationFor(8e9, true, 'text')).toMatchObject({ attempts: 'text', replies: 'free' })
  })

  it('keeps what a person chose and settles the rest', () => {
    const settled = settledPresentation(
      { presentation: { attempts: 'text', unaided: 0 } },
      presentationFor(135e6, true, null),
    )
    expect(readPresentation(settled)).toEqual({
      attempts: 'text',
      replies: 'held',
      unaided: 0,
      beliefs: false,
      world: 'front',
    })
    expect(
      settledPresentation({ presentation: { ...AS_PAPERS } }, presentationFor(135e6, true, null)),
    ).toEqual({})
  })

  it('shows two attempts as turns at the most', () => {
    const recalling = (defaultK: number, kind: string) => ({ defaultK, recalls: [{ kind }] })
    expect(usualK(recalling(4, 'case'), { attempts: 'turns' })).toBe(2)
    expect(usualK(recalling(1, 'trajectory'), { attempts: 'turns' })).toBe(1)
    expect(usualK(recalling(4, 'case'), { attempts: 'none' })).toBe(2)
    expect(usualK(recalling(4, 'case'), { attempts: 'text' })).toBe(4)
    expect(usualK(recalling(4, 'note'), { attempts: 'turns' })).toBe(4)
  })

  it('leaves attempts at other tasks out of turns alone', () => {
    const settings = { evosc: { capacity: 4 }, presentation: { attempts: 'turns', unaided: 0.25 } }
    expect(readPresentation(ownAttempts(settings))).toEqual({
      ...readPresentation(settings),
      attempts: 'none',
    })
    expect(ownAttempts(settings)).toMatchObject({ evosc: { capacity: 4 } })
    expect(ownAttempts({ presentation: { attempts: 'text' } })).toEqual({
      presentation: { attempts: 'text' },
    })
    expect(ownAttempts({})).toEqual({})
  })
})
