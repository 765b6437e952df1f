import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { statedIn as statedBy } from '../../../../src/core/memory/facts/stated'
import { openTelling, packTelling } from '../../../../src/core/memory/facts/telling'
import { tellsBy } from '../../../../src/main/embedders/built-in-encoder'
import { encoderPath, tellingPath } from '../../../../src/main/ground/model-file'
import { findResources } from '../../../../src/main/ground/resources'
import { linesOf } from '../../../fixtures/recall/recall-notes'

const { models } = findResources()
const tells = tellsBy(tellingPath(models), encoderPath(models))
const statedIn = (text: string): string[] => statedBy(text, tells)

describe('what a message tells in passing', () => {
  test.each([
    ['I am allergic to nuts, what dessert can I bake?', ['I am allergic to nuts.']],
    ["I'm a nurse and work nights. Suggest a sleep schedule.", ["I'm a nurse and work nights."]],
    ["By the way, my sister's name is Hanna. Write her a card.", ["My sister's name is Hanna."]],
    ['im vegetarian\nwhats a good lunch', ['Im vegetarian.']],
    ['my daughter has a nut allergy', ['My daughter has a nut allergy.']],
    ['My dentist is Dr. Ferrari. Where is Milan?', ['My dentist is Dr. Ferrari.']],
    ['From now on, use metric units.', ['From now on, use metric units.']],
    ['Please always answer in metric units.', ['Please always answer in metric units.']],
    ['No, my dentist is Dr. Weber now.', ['My dentist is Dr. Weber now.']],
    ['Nein, meine Katze heißt Minka.', ['Meine Katze heißt Minka.']],
    ['Call me Max.', ['Call me Max.']],
    ['Ich bin allergisch gegen Nüsse. Was kann ich backen?', ['Ich bin allergisch gegen Nüsse.']],
    ['Meine Katze heißt Minka.', ['Meine Katze heißt Minka.']],
    ['Je suis végétarienne, que puis-je cuisiner ce soir ?', ['Je suis végétarienne.']],
    ['Just so you know, my passport expires in October 2027.', ['My passport expires in October 2027.']],
    ['The dishwasher guarantee runs until May 2028.', ['The dishwasher guarantee runs until May 2028.']],
    ['I usually wake up at 5:45.', ['I usually wake up at 5:45.']],
    ['Das Büro öffnet um 8 Uhr.', ['Das Büro öffnet um 8 Uhr.']],
    ["I'm the head of a small school, help me write a letter.", ["I'm the head of a small school."]],
    ['Vivo en Sevilla. ¿Qué puedo visitar?', ['Vivo en Sevilla.']],
  ])('%s', (text, statements) => {
    expect(statedIn(text)).toEqual(statements)
  })

  test.each([
    'Share 96 euros between 5 friends.',
    'Teile 96 Euro unter 5 Freunden auf.',
    'Partage 96 euros entre 5 amis.',
    "I'm trying to sort a column in Excel",
    'I am a new user of pandas and get an error',
    'I have a spreadsheet with two columns',
    'My code does not work',
    "I'm a bit confused",
    'Call me a taxi',
    "I don't like that. Ten more, please.",
    'I prefer the second one.',
    'From now on you will act as my Linux terminal.',
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

  test('of messages in free words, few asks are taken for tellings', () => {
    const offersIn = (texts: readonly string[]): number =>
      texts.filter((text) => statedIn(text).length > 0).length
    const messages = (kind: string): string[] =>
      linesOf('../told/fresh.txt').flatMap((line) => {
        const [, label, text = ''] = line.split(' | ')
        return label === kind ? [text] : []
      })
    expect(offersIn(messages('tells'))).toBeGreaterThanOrEqual(90)
    expect(offersIn(messages('asks'))).toBeLessThanOrEqual(30)
    const asks = linesOf('fresh-asks.txt').map((line) => line.split('|')[1]?.trim() ?? '')
    expect(asks.length).toBeGreaterThan(300)
    expect(offersIn(asks)).toBeLessThanOrEqual(2)
  })

  test('weights of another size are refused', () => {
    const encoder = { dimension: 4, embed: () => new Float32Array(4) }
    expect(() => openTelling(readFileSync(tellingPath(models)), encoder)).toThrow('do not fit')
  })
})

test('the first words of sentences are read once', () => {
  const read: string[] = []
  const encoder = {
    dimension: 2,
    embed: (text: string) => {
      read.push(text)
      return Float32Array.of(text.length, 1)
    },
  }
  const isTold = openTelling(packTelling(new Float32Array(13).fill(1)), encoder)
  expect(isTold('My sister lives in Porto.', 1)).toBe(true)
  expect(isTold('My sister sings there.', 1)).toBe(true)
  expect(read).toEqual(['My sister lives in Porto.', 'My', 'sister', 'My sister sings there.'])
})
