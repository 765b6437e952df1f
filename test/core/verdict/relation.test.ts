import { expect, test } from 'vitest'
import { overlap, relationOf } from '../../../src/core/verdict/relation'

const BEFORE = {
  request: 'Add a dark mode switch to the settings page',
  reply: 'I added the switch to the settings page and wired it to the theme.',
}

test.each([
  ['thanks', 'Thanks, that looks great!'],
  ['thanks', 'Danke, perfekt.'],
  ['thanks', 'Merci beaucoup'],
  ['thanks', 'Gracias, ahora funciona'],
  ['complaint', 'The switch on the settings page does not work'],
  ['complaint', 'still broken'],
  ['complaint', 'That failed, the settings page stayed bright.'],
  ['complaint', 'Das hat nicht geklappt'],
  ['complaint', 'Der Schalter funktioniert nicht'],
  ['complaint', 'ça ne marche pas'],
  ['complaint', 'El interruptor no funciona'],
  ['correction', 'fix the switch'],
  ['correction', 'The settings switch should be on the right'],
  ['correction', 'No, it is called the theme page.'],
  ['correction', 'no it is on the left'],
  ['correction', 'Nein, er liegt links.'],
  ['correction', 'Non.'],
  ['thanks', 'No, thanks!'],
  ['something-else', 'No more than ten words: what is a fjord'],
  ['error-pasted', 'Traceback (most recent call last):\n  File "a.py", line 1\nValueError: no'],
  ['same-again', BEFORE.request],
  ['other-words', 'Please put a switch for dark mode on the settings page'],
  ['continue', 'go ahead'],
  ['continue', 'mach weiter'],
  ['moves-on', 'Now write the release notes'],
  ['moves-on', 'Als nächstes die Versionshinweise'],
  ['follow-up', 'Could it remember what was chosen?'],
  ['something-else', 'Explain how database migrations are versioned'],
])('%s: %s', (relation, message) => {
  expect(relationOf(BEFORE, message)).toBe(relation)
})

test('a long complaint about something else is another problem', () => {
  const message =
    'While you are here, the login of the mobile client has not worked since the upgrade of our server'
  expect(relationOf(BEFORE, message)).toBe('other-problem')
})

test('the next number is the next step', () => {
  const before = { request: 'Translate block 1 of the manual into plain words', reply: 'Done.' }
  expect(relationOf(before, 'Translate block 2 of the manual into plain words')).toBe('moves-on')
})

test('words in which a negation and what it denies stand in two sentences are no complaint', () => {
  expect(relationOf(BEFORE, 'Why not. Show the settings')).not.toBe('complaint')
})

test('an answer follows a question', () => {
  expect(relationOf({ ...BEFORE, reply: 'Which colour do you want?' }, 'dark blue')).toBe('answers')
})

test('a language without words is read by its form', () => {
  const before = { request: 'Přidej přepínač tmavého režimu do nastavení', reply: '' }
  expect(relationOf(before, 'Přidej přepínač tmavého režimu do nastavení')).toBe('same-again')
  expect(relationOf(before, 'Napiš dopis pro souseda o plotu')).toBe('something-else')
})

test('overlap is a share of the shorter text, and of two words none', () => {
  expect(overlap('red green blue', 'red green blue yellow')).toBe(1)
  expect(overlap('red green', 'red green')).toBe(0)
})

test.each([
  'How do I fix a broken window frame at home?',
  'Great ideas for a birthday party?',
  'Super Mario was made in which year?',
  'Nice places to visit in Rome',
])('a new question is neither praise nor complaint: %s', (message) => {
  expect(['thanks', 'complaint']).not.toContain(relationOf(BEFORE, message))
})
