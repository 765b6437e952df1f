import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import type { AskEntry } from '../../../src/main/asks/ask-entry'
import { createAskQueue } from '../../../src/main/asks/ask-queue'
import { LoamError } from '../../../src/shared/errors'

/** A queue of an ask that rests or is about to be worked on, whose disk takes a moment. */
function open(queue: readonly string[], isBeginning: boolean) {
  const state = { queue, ask: { status: 'done' } }
  const entry = { state, jobId: null, beginning: isBeginning } as unknown as AskEntry
  const sent: string[] = []
  const queued = createAskQueue(
    async (_, event) => {
      await setImmediate()
      if (event.kind === 'queued') Object.assign(state, { queue: event.queue })
      return entry.state.ask
    },
    () => '',
    (_, text) => {
      if (sent.length > 0) return Promise.reject(new LoamError('CONFLICT', 'Busy.', { suggestion: 'Wait.' }))
      return Promise.resolve(void sent.push(text))
    },
  )
  return { entry, queued, sent, left: () => entry.state.queue }
}

test('what is queued and taken out at once is all heeded, in order', async () => {
  const { entry, queued, left, sent } = open(['before'], true)
  await Promise.all([
    queued.add(entry, 'first'),
    queued.takeOut(entry, 0, 'before'),
    queued.add(entry, 'second'),
    queued.add(entry, 'third'),
  ])
  expect(left()).toEqual(['first', 'second', 'third'])
  expect(sent).toEqual([])
})

test('the first one is sent where the ask rests; one that comes too late for that waits on', async () => {
  const { entry, queued, left, sent } = open(['first', 'second', 'third'], false)
  await Promise.all([queued.next(entry), queued.next(entry)])
  expect(sent).toEqual(['first'])
  expect(left()).toEqual(['second', 'third'])
})
