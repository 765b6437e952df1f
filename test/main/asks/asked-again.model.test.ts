import { expect, test } from 'vitest'
import { askedAgain } from '../../../src/main/asks/asked-again'
import { askAndWait, hasDemoModel, useAsksRig } from './rig'

const turn = (text: string) => ({ text, rounds: [], answer: 'Something wrong.' })
const again = (...messages: string[]) =>
  askedAgain(messages.at(-1) ?? '', { turns: messages.slice(0, -1).map(turn), summary: null })

test('a message that only calls an answer wrong asks its request once more', () => {
  const both = again('Hello', 'How many legs has a spider?', 'Wrong!', "No, that's not right.")
  expect(both).toMatchObject({ text: 'How many legs has a spider?', earlier: { turns: [{ text: 'Hello' }] } })
  expect(again('Wer hat recht?', 'Nein, das stimmt nicht.')?.text).toBe('Wer hat recht?')
  expect(again('How many legs has a spider?', 'No, that is wrong, it has eight.')).toBeNull()
  expect(again('Is it late?', 'No.')).toBeNull()
  expect(again('That is wrong.')).toBeNull()
})

test.each([
  'Try again.',
  'Another one, please!',
  'Once more?',
  'Noch einen.',
  'Versuch es nochmal',
  'Encore une fois.',
  'Un autre, s’il te plaît',
  'Otra vez, por favor',
])('%s asks for another answer to the request before it', (message) => {
  expect(again('Tell me a joke.', message)?.text).toBe('Tell me a joke.')
})

test.each(['Shorter, please.', 'Again, what is the capital?', 'Another joke about cats.', 'Noch ein Bier?'])(
  '%s is a request of its own',
  (message) => {
    expect(again('Tell me a joke.', message)).toBeNull()
  },
)

const openRig = useAsksRig()
test.skipIf(!hasDemoModel)('a small model does not read the answer that was called wrong', async () => {
  const { app } = await openRig()
  const plain = { maxTokens: 16, seed: 1, temperature: 0 }
  const { ask, attempts } = await askAndWait(app, { text: 'How many legs has a spider?', ...plain })
  await app.asks.say(ask.id, 'No, that is wrong.', [], null)
  await app.asks.settled()
  const [first, second] = app.asks.get(ask.id).attempts
  expect(second?.trajectory.task.instruction).toBe('How many legs has a spider?')
  expect(second?.trajectory.rounds[0]?.usage.promptTokens).toBe(
    first?.trajectory.rounds[0]?.usage.promptTokens,
  )
  expect(attempts).toHaveLength(1)
})
