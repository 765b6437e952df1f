import { expect, test } from 'vitest'
import { asksOfOwnLife } from '../../../src/core/retrieval/own-question'
import { EVERYDAY_ASKS } from '../../../src/core/retrieval/everyday-asks'
import { linesOf } from '../../fixtures/recall/recall-notes'

test.each([
  'When do we rehearse?',
  'At which bank do I have an account?',
  'How old is our dog?',
  'Wer leitet meine Abteilung?',
  'Wie heißt mein Imker?',
  'An welchem Tag üben wir?',
  'Combien est-ce que je paie pour l’appartement ?',
  'À quelle heure part notre bateau ?',
  '¿Dónde está mi llave?',
])('%s is of one’s own life', (ask) => expect(asksOfOwnLife(ask)).toBe(true))

test.each([
  'How do I fall asleep faster?',
  'What should I pack for a week in Iceland?',
  'When does the ferry sail?',
  'Tell me about my dog.',
  'We moved. When do we rehearse?',
  'Wie werde ich ruhiger vor einer Rede?',
  'Quand dois-je tailler mes rosiers ?',
  'Who wrote Faust?',
  '',
])('%s is not', (ask) => expect(asksOfOwnLife(ask)).toBe(false))

test('next to no everyday ask is one', () => {
  const asks = [
    ...EVERYDAY_ASKS,
    ...linesOf('fresh-asks.txt').map((line) => line.split(' | ')[1] ?? ''),
    ...linesOf('asked-of-none.txt').map((line) => line.split(' | ')[1] ?? ''),
  ]
  expect(asks.filter(asksOfOwnLife).length / asks.length).toBeLessThan(0.01)
})
