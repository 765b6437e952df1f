import { expect, it } from 'vitest'
import { playSideBySide, type Counts, type Part } from '../../scripts/side-by-side.mjs'

const counts = (passed: number, failed = 0, skipped = 0): Counts => ({ passed, failed, skipped })
/** A moment that a test decides on. */
function signal(): { readonly come: Promise<void>; readonly give: () => void } {
  let give = () => {}
  const come = new Promise<void>((resolve) => (give = resolve))
  return { come, give }
}

it('plays lanes at the same time and the parts of one in turn, and adds up what they came to', async () => {
  const [front, behind] = [signal(), signal()]
  const order: string[] = []
  const lanes: Part[][] = [
    [
      async () => {
        front.give()
        await behind.come
        order.push('front')
        return counts(3, 0, 1)
      },
    ],
    [
      async () => {
        await front.come
        order.push('first behind')
        return counts(2, 1)
      },
      async () => {
        order.push('second behind')
        behind.give()
        return counts(1, 0, 2)
      },
    ],
  ]
  const sum = await playSideBySide({ lanes, write: () => {} })
  expect(sum).toEqual({ passed: 6, failed: 1, skipped: 3 })
  expect(order).toEqual(['first behind', 'second behind', 'front'])
})

it('keeps what a lane behind says until the one before has ended, then lets it through as it comes', async () => {
  const text: string[] = []
  const [spoken, heard] = [signal(), signal()]
  const lanes: Part[][] = [
    [
      async (say) => {
        say('a1 ')
        await spoken.come
        say('a2 ')
        return counts(1)
      },
    ],
    [
      async (say) => {
        say('b1 ')
        say(Buffer.from('b2 '))
        spoken.give()
        return counts(1)
      },
      async (say) => {
        await heard.come
        say('b3')
        return counts(1)
      },
    ],
  ]
  await playSideBySide({
    lanes,
    write: (chunk) => {
      text.push(chunk.toString())
      if (text.length === 4) heard.give()
    },
  })
  expect(text.join('')).toBe('a1 a2 b1 b2 b3')
})

it('begins no further part once it is stopped, and waits for those that had begun', async () => {
  let isStopped = false
  const order: string[] = []
  const [start, stop] = [signal(), signal()]
  const lanes: Part[][] = [
    [
      async () => {
        await start.come
        isStopped = true
        stop.give()
        return counts(1)
      },
      async () => {
        order.push('too late')
        return counts(1)
      },
    ],
    [
      async () => {
        start.give()
        await stop.come
        await new Promise((resolve) => setImmediate(resolve))
        order.push('over')
        return counts(1)
      },
    ],
  ]
  const playing = playSideBySide({ lanes, write: () => {}, isStopped: () => isStopped })
  await expect(playing).rejects.toThrow('Stopped.')
  expect(order).toEqual(['over'])
})

it('a part that breaks ends its lane; the others are played and heard before that is said', async () => {
  const text: string[] = []
  const lanes: Part[][] = [
    [() => Promise.reject(new Error('The build failed.')), () => Promise.reject(new Error('not played'))],
    [
      async (say) => {
        await new Promise((resolve) => setImmediate(resolve))
        say('checked')
        return counts(4)
      },
    ],
  ]
  const playing = playSideBySide({ lanes, write: (chunk) => void text.push(chunk.toString()) })
  await expect(playing).rejects.toThrow('The build failed.')
  expect(text).toEqual(['checked'])
})
