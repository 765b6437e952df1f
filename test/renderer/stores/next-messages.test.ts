import { expect, test } from 'vitest'
import { LoamError } from '../../../src/shared/errors'
import { nextMessages, sayNext, type ReplyDraft } from '../../../src/renderer/stores/next-messages'

const reply = (text: string): ReplyDraft => ({ text, files: [] })

function open(isTaken: Promise<boolean>) {
  let state: { replies: Record<string, ReplyDraft>; asks: [] } = {
    replies: { a: reply('Thanks!') },
    asks: [],
  }
  const hostTexts: string[] = []
  const messages = nextMessages({
    get: () => state,
    set: (change) => (state = { ...state, ...change(state) } as typeof state),
    keeper: { keep: ({ text }) => hostTexts.push(text), flush: () => hostTexts.push('flushed') },
    async command(act) {
      await act()
      return isTaken
    },
  })
  return { messages, hostTexts, text: () => state.replies['a']?.text }
}

test.each([
  ['taken', true, 'That is wrong.', ['That is wrong.', 'That is wrong.', 'flushed']],
  ['refused', false, 'Thanks!\nThat is wrong.', ['That is wrong.', 'Thanks!\nThat is wrong.']],
])(
  'what is typed while a message is sent stays, when that is %s, and nothing is sent twice',
  async (_how, isTaken, left, kept) => {
    let answer: (isTaken: boolean) => void = () => undefined
    const { messages, hostTexts, text } = open(new Promise((resolve) => (answer = resolve)))
    const sending = messages.sendReply('a', () => Promise.resolve())
    // Nothing is there that a second Enter would send.
    expect(text()).toBe('')
    expect(hostTexts).toEqual([])
    messages.writeReply('a', { text: 'That is wrong.' })
    answer(isTaken)
    await sending
    expect(text()).toBe(left)
    expect(hostTexts).toEqual(kept)
  },
)

test.each([
  ['waits for its turn where work has begun unheard', 'CONFLICT', false, ['say', 'queue']],
  ['is refused then where it has files', 'CONFLICT', true, ['say', 'refused']],
  ['is refused where something else is wrong', 'NOT_FOUND', false, ['say', 'refused']],
] as const)('a message %s', async (_how, code, withFiles, expected) => {
  const calls: string[] = []
  const call = (name: string, answer: Promise<unknown>) => () => {
    calls.push(name)
    return answer
  }
  const asks = {
    say: call('say', Promise.reject(new LoamError(code, 'No.', { suggestion: 'Wait.' }))),
    queue: call('queue', Promise.resolve()),
  }
  const files = withFiles ? [{ name: 'a.txt', base64: '' }] : []
  await sayNext(asks as unknown as Parameters<typeof sayNext>[0], {
    askId: 'a',
    text: 'Wrong.',
    after: 0,
    files,
  }).catch(() => calls.push('refused'))
  expect(calls).toEqual(expected)
})
