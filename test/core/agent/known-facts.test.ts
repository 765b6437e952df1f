import { expect, test } from 'vitest'
import { factAlone } from '../../../src/core/agent/known-facts'
import type { RecalledPart } from '../../../src/core/ground/method'

const part = (text: string, from: 'person' | 'import'): RecalledPart =>
  ({
    text,
    item: { kind: 'fact', id: text, ...(from === 'import' && { trust: FOREIGN }) },
  }) as unknown as RecalledPart
const FOREIGN = { origin: 'import', by: 'x.json', signer: null, claim: null, seen: false }
const OWN = part('Die Probe ist am Donnerstag.', 'person')

test('the best fact is the answer to a short question, and to nothing else', () => {
  expect(factAlone({ retrieved: [OWN, part('Anderes.', 'person')] }, 'Wann ist die Probe?')).toBe(OWN.text)
  expect(factAlone({ retrieved: [OWN] }, 'Schreib ein Gedicht über die Probe.')).toBe('')
  expect(factAlone({ retrieved: [OWN] }, `${'sehr '.repeat(20)}lange Probe?`)).toBe('')
  expect(factAlone({ retrieved: [part('zwei\nZeilen', 'person')] }, 'Wann ist die Probe?')).toBe('')
  expect(factAlone({ retrieved: [] }, 'Wann ist die Probe?')).toBe('')
})

test('what others told is not said as known', () => {
  const told = part('Die Probe ist am Montag.', 'import')
  expect(factAlone({ retrieved: [told] }, 'Wann ist die Probe?')).toBe('')
  expect(factAlone({ retrieved: [told, OWN] }, 'Wann ist die Probe?')).toBe(OWN.text)
})
