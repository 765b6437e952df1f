import { expect, test } from 'vitest'
import { nextMessages, type ReplyDraft } from '../../../src/renderer/stores/next-messages'

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
