import { expect, test } from 'vitest'
import { createAskJudging, type JudgePorts } from '../../../src/main/asks/judge-ask'
import type { AskEntry } from '../../../src/main/asks/ask-entry'
import type { AskVerdict } from '../../../src/shared/domain/ask'

const TEACHES = { value: 'solved', state: 'teaches', confidence: 0.95, evidence: [], rules: '2' }

/** An ask that was answered, and after whose answer the person wrote thanks. */
const entryOf = (id: string, answer: string, memoryId = 'm') =>
  ({
    state: {
      ask: {
        id,
        deletedAt: null,
        temporary: false,
        spec: { text: 'Who pays the VAT?', memoryId, remember: true },
      },
      turns: [
        { text: 'Who pays the VAT?', after: null },
        { text: 'Thank you so much!', after: 0 },
      ],
      attempts: [
        {
          ...{ index: 0, turn: 0, changes: {}, judgement: null, ruled: TEACHES, reading: null, facts: [] },
          trajectory: { id: `${id}-t`, rounds: [{ action: { kind: 'answer', content: answer } }] },
        },
      ],
    },
  }) as unknown as AskEntry

function judging(entries: readonly AskEntry[]) {
  const record = (entry: AskEntry, { judgement }: { judgement: AskVerdict }) => {
    const { state } = entry
    entry.state = { ...state, attempts: state.attempts.map((one) => ({ ...one, judgement, ruled: null })) }
    return Promise.resolve(state.ask)
  }
  const ports = {
    changes: { record },
    learn: () => Promise.resolve([]),
    forget: () => Promise.resolve(),
    follow: <T>(work: Promise<T>) => work,
    closing: new AbortController().signal,
  } as unknown as JudgePorts
  const host = { clock: { now: () => new Date(0) } } as unknown as Parameters<typeof createAskJudging>[0]
  return createAskJudging(host, ports, () => entries)
}
const probations = (entries: readonly AskEntry[]) =>
  entries.map(({ state }) => state.attempts[0]?.judgement?.probation)

test('the same answer taken for right on another occasion proves both, until a person takes one for wrong', async () => {
  const [first, other, same, elsewhere] = [
    entryOf('a', 'The buyer.'),
    entryOf('b', 'The seller.'),
    entryOf('c', 'the  buyer.'),
    entryOf('d', 'The buyer.', 'another memory'),
  ] as const
  const all = [first, other, same, elsewhere]
  const work = judging(all)
  for (const entry of [first, other, elsewhere]) await work.byNext(entry, 0)
  expect(probations(all).map((one) => typeof one)).toEqual(['number', 'number', 'undefined', 'number'])
  await work.byNext(same, 0)
  expect(probations([first, same])).toEqual([null, null])
  expect(probations([other, elsewhere]).every((one) => one !== null)).toBe(true)
  await work.teach(same, 0, { verdict: 'wrong', answer: null, wrongAt: null, note: null })
  expect(first.state.attempts[0]?.judgement).toMatchObject({ by: 'rule', verdict: 'right' })
  expect(probations([first])[0]).toBeGreaterThan(0)
})
