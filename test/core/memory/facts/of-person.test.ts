import { expect, test } from 'vitest'
import { saysOfPerson } from '../../../../src/core/memory/facts/of-person'

test.each([
  ['I am a nurse in Lund.', 'I am a nurse in Lund. Write a duty roster.'],
  ['Our company is called Tidewatch.', 'our company is called Tidewatch. shorten the policy'],
  ['My favourite dish is ramen.', 'My favourite dish is ramen. What else would I like?'],
  ['The plumber we use is called Fogarty.', 'The plumber we use is called Fogarty.'],
  ['Ich wohne in Bremen.', 'Ich wohne in Bremen. Was kann man am Wochenende machen?'],
  ['Je travaille comme infirmière.', 'Je travaille comme infirmière. Propose un planning.'],
  ['I work as a nurse at the port clinic.', 'I work as a nurse at the port clinic.'],
])('%s is about the person', (statement, message) => {
  expect(saysOfPerson(statement, message)).toBe(true)
})

test.each([
  ['The villa has four bedrooms.', 'The villa has four bedrooms. Write an advert.'],
  ['He entered the army in 2018.', 'Joe owes money. He entered the army in 2018. What rate applies?'],
  ['The course needs to be five days long.', 'Write a syllabus. The course needs to be five days long.'],
  ['I live in New York.', "Let's write a story. I live in New York."],
  ['I am a psychologist.', 'Act as a teenager. I am a psychologist.'],
  ['I like the last one.', 'I like the last one, more of those'],
  ["We'll also need it in Spanish.", "Great. We'll also need it in Spanish."],
  ["I'm looking for a good burger.", "I'm looking for a good burger."],
  ['My flight is tonight.', 'My flight is tonight. What can I still see?'],
  ['The Labs: I.B.I.S. and H.E.R.O.N.', 'The Labs: I.B.I.S. and H.E.R.O.N.'],
  ['Ich suche ein gutes Buch.', 'Ich suche ein gutes Buch.'],
])('%s is about the matter at hand', (statement, message) => {
  expect(saysOfPerson(statement, message)).toBe(false)
})
