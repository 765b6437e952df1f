import { expect, test } from 'vitest'
import { closedAnswer, saysSame } from '../../../src/core/agent/closed-answer'

const says = (question: string, reference: string, answer: string): boolean | null => {
  const closed = closedAnswer(question, reference)
  return closed && saysSame(answer, closed)
}

test('an answer is compared by what it says beside its question', () => {
  const port = 'Which port does Vela use?'
  expect(closedAnswer(port, 'The port Vela uses is 7411.')?.words).toEqual(['7411'])
  expect(says(port, '7411', 'Vela listens on port 7411.')).toBe(true)
  expect(says(port, '7411', 'Vela listens on port 7412.')).toBe(false)
  expect(says(port, '7411', 'It is not 7411.')).toBe(false)
  expect(says('Is the gate open?', 'No', 'Yes, it is.')).toBe(false)
  // One of several choices of the question is said alone.
  expect(says('Is it red or blue?', 'blue', 'Blue.')).toBe(true)
  expect(says('Is it red or blue?', 'blue', 'It is red or blue.')).toBe(false)
  // What lists everything says nothing.
  expect(says(port, '7411', Array.from({ length: 60 }, (_, i) => 7400 + i).join(' '))).toBe(false)
  expect(closedAnswer('Write a letter.', 'Dear Ana,\nthank you.')).toBeNull()
})
