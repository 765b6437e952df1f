import { expect, test } from 'vitest'
import { isNeighbour } from '../../../src/core/retrieval/neighbours'
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
