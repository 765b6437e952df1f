import { expect, test } from 'vitest'
import { asksOfOwn, isNeighbour, isOfKind, namesContrast } from '../../../src/core/retrieval/neighbours'
import { linesOf, recallNotes } from '../../fixtures/recall/recall-notes'

/** Shares of the lines of a file whose own ask, and whose neighbour's, is taken for another thing's. */
function shares(file: string): { own: number; neighbour: number } {
  const lines = linesOf(file).map((line) => line.split(' | '))
  const share = (at: number): number =>
    lines.filter((cells) => isNeighbour(cells[at] ?? '', cells[1] ?? '')).length / lines.length
  return { own: share(2), neighbour: share(3) }
}

test('an ask of the same about another thing is told apart, and the ask of the thing itself is not', () => {
  const { own, neighbour } = shares('last-neighbours.txt')
  expect(own).toBeLessThanOrEqual(0.03)
  expect(neighbour).toBeGreaterThan(0.9)
})

test('asks near a note are not taken for a neighbour’s', () => {
  // Of these notes nothing is chosen.
  const jottings = recallNotes().filter(({ style }) => style === 'b')
  const wrong = jottings.filter(({ near, text }) => isNeighbour(near, text))
  expect(wrong.length / jottings.length).toBeLessThanOrEqual(0.05)
})

test.each([
  ['Which colour has the new bike?', 'The new bike is orange'],
  ['Where do I put the old sofa?', 'The old sofa goes to the cellar'],
  ['Was isst Ana gern?', 'Ana isst gern Pflaumen'],
  ['Where is the car?', 'The vehicle of Tom is in the garage'],
  ['Where in Italy is my dentist?', 'My dentist is Dr. Ferrari in Milan'],
  ['In welchem Hamburger Viertel ist mein Hausarzt?', 'Mein Hausarzt ist in Altona'],
  ['Dans quel quartier de Lyon est mon médecin ?', 'Mon médecin est à la Croix-Rousse'],
])('what is asked for, done or called otherwise makes no neighbour: %s', (request, text) => {
  expect(isNeighbour(request, text)).toBe(false)
})

test.each([
  ["Where is my sister's dentist?", 'My dentist is Dr. Ferrari in Milan'],
  ['Wo ist der Zahnarzt meiner Schwester?', 'Mein Zahnarzt ist Dr. Weber in Graz'],
  ['Où est le dentiste de ma sœur ?', 'Mon dentiste est le docteur Moretti à Turin'],
])('what is somebody else’s is another thing: %s', (request, text) => {
  expect(isNeighbour(request, text)).toBe(true)
})

test('a name is asked for in many words', () => {
  expect(isNeighbour('What is our cat called?', 'What is the name of our cat?')).toBe(false)
  expect(isNeighbour('Wie heißt unsere Katze?', 'Der Name unserer Katze ist Mimi')).toBe(false)
})

test('light verbs at the end of a question tell nothing apart', () => {
  expect(
    isNeighbour('How many minutes does the nightly build need?', 'How long does the night build take?'),
  ).toBe(false)
  expect(isNeighbour('When does the shop open?', 'When does the shop close?')).toBe(true)
})

test.each([
  ['How do cats purr?', 'The name of our cat is Biscuit.'],
  ['What is a caravan?', 'Where did we park the caravan?'],
  ['How do oaks grow?', 'The oak in our garden is 130 years old.'],
  ['What is tyre pressure?', 'The tyre pressure of our trailer is 2.8 bar.'],
  ['How do I choose a gym?', 'Which gym do I go to?'],
  ['How do I write an invoice?', 'Invoice 2231 is still unpaid.'],
  ['Was ist ein Wohnwagen?', 'Der Wohnwagen steht in der Fährgasse.'],
])('what is asked of a kind is not of one of it: %s', (request, text) => {
  expect(isOfKind(request, text)).toBe(true)
})

test.each([
  ['Where is the caravan?', 'The caravan is at the depot.'],
  ['How much is a bus ticket?', 'The bus ticket costs 3.60.'],
  ['What is Bluefinch?', 'The project is called Bluefinch.'],
  ['guest wifi password?', 'The guest wifi password is marmot.'],
  ['Do we have a plumber?', 'The name of our plumber is Mr. Halloran.'],
])('and what is asked of one is: %s', (request, text) => {
  expect(isOfKind(request, text)).toBe(false)
})

test('another everyday thing of its sort is told apart without a word in common', () => {
  expect(namesContrast('What is the name of our dog?', 'What is the name of our cat?')).toBe(true)
  expect(namesContrast('Is our dog older than our cat?', 'The name of our cat is Biscuit.')).toBe(false)
})

test.each([
  ['What is wrong with my bicycle?', 'My bike is a green Koga with a broken bell.', true],
  ['Was ist mit meinem Fahrrad?', 'Mein Fahrrad ist ein Koga.', true],
  ["Where is my bike's lock?", 'My bike is green.', false],
  ['Where is the lock of my bike?', 'The lock is in the cellar.', false],
])('a fact on a thing of mine is met by what is asked of it: %s', (request, statement, isMet) => {
  expect(asksOfOwn(request, statement)).toBe(isMet)
})
