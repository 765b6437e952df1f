import { describe, expect, test } from 'vitest'
import { statedIn } from '../../../../src/core/memory/facts/stated'
import { linesOf, recallNotes } from '../../../fixtures/recall/recall-notes'

describe('what a message tells of its writer in passing', () => {
  test.each([
    ['I am allergic to nuts, what dessert can I bake?', ['I am allergic to nuts.']],
    ["I'm a nurse and work nights. Suggest a sleep schedule.", ["I'm a nurse and work nights."]],
    ["By the way, my sister's name is Hanna. Write her a card.", ["My sister's name is Hanna."]],
    ['im vegetarian\nwhats a good lunch', ['Im vegetarian.']],
    ['my daughter has a nut allergy', ['My daughter has a nut allergy.']],
    ['My dentist is Dr. Ferrari. Where is Milan?', ['My dentist is Dr. Ferrari.']],
    ['From now on, use metric units.', ['From now on, use metric units.']],
    ['Please always answer in metric units.', ['Please always answer in metric units.']],
    ['Call me Max.', ['Call me Max.']],
    ['Ich bin allergisch gegen Nüsse. Was kann ich backen?', ['Ich bin allergisch gegen Nüsse.']],
    ['Meine Katze heißt Minka.', ['Meine Katze heißt Minka.']],
    ['Je suis végétarienne, que puis-je cuisiner ce soir ?', ['Je suis végétarienne.']],
    ['Just so you know, my passport expires in October 2027.', ['My passport expires in October 2027.']],
    ['The dishwasher guarantee runs until May 2028.', ['The dishwasher guarantee runs until May 2028.']],
    ['I usually wake up at 5:45.', ['I usually wake up at 5:45.']],
    ['Nina has a cat allergy.', ['Nina has a cat allergy.']],
    ['Das Büro öffnet um 8 Uhr.', ['Das Büro öffnet um 8 Uhr.']],
    ['Vivo en Sevilla. ¿Qué puedo visitar?', ['Vivo en Sevilla.']],
  ])('%s', (text, statements) => {
    expect(statedIn(text)).toEqual(statements)
  })

  test.each([
    "I'm trying to sort a column in Excel",
    'I am a new user of pandas and get an error',
    'I have a spreadsheet with two columns',
    'My code does not work',
    "I'm a bit confused",
    'Call me a taxi',
    'My car makes a strange noise',
    'The table orders has three columns. Count its rows.',
    'Nina has three apples and gives one away. How many are left?',
    'Write a story that begins: I live in a cave.',
    'Translate "I am allergic to nuts" into French',
    'Am I allergic to nuts?',
    '```\nI am a nurse\n```',
    `I am a nurse. ${'And so on. '.repeat(200)}`,
  ])('nothing: %s', (text) => {
    expect(statedIn(text)).toEqual([])
  })

  test('nothing in everyday asks that others wrote, and something in notes about oneself', () => {
    const asks = linesOf('fresh-asks.txt').map((line) => line.split('|')[1]?.trim() ?? '')
    expect(asks.length).toBeGreaterThan(300)
    expect(asks.filter((ask) => statedIn(ask).length > 0)).toEqual([])
    const notes = recallNotes().flatMap(({ text }) => statedIn(text))
    expect(notes).toContain('My boss dislikes long mails.')
    expect(notes.length).toBeGreaterThan(5)
  })
})
