import { describe, expect, it } from 'vitest'
import { sumsAlone, workOutSums } from '../../../src/main/asks/sums'

describe('calculations of a message', () => {
  it.each([
    ['What is 17 times 23?', '17 times 23 = 391'],
    ['How much is 12.5% of 480?', '12.5% of 480 = 60'],
    ['Wie viel ist 144 geteilt durch 12?', '144 geteilt durch 12 = 12'],
    ['Combien font 7 fois 8 ?', '7 fois 8 = 56'],
    ['¿Cuánto es 15 más 27?', '15 más 27 = 42'],
    ['Add it up: (3 + 4) * 2, please.', '(3 + 4) * 2 = 14'],
    ['We sold 1,250 × 3 tickets.', '1,250 × 3 = 3750'],
    ['Combien font 12,5 * 4 ?', '12,5 * 4 = 50'],
    ['If I pay 3 x 4.20 euros, how much is that?', '3 x 4.20 = 12.6'],
    ['0.1 + 0.2', '0.1 + 0.2 = 0.3'],
    ['What is the square root of 1369?', 'square root of 1369 = 37'],
    ['Convert 12 miles to kilometres.', '12 miles = 19.3121 kilometres'],
    ['How many minutes are in 3.5 hours?', '3.5 hours = 210 minutes'],
    ['How many grams are there in a pound?', 'a pound = 453.592 grams'],
    ['What is 100 °F in °C?', '100 °F = 37.7778 °C'],
    ['Wie viele Minuten sind 3,5 Stunden?', '3,5 Stunden = 210 Minuten'],
    ['Combien de minutes y a-t-il dans 2 heures ?', '2 heures = 120 minutes'],
    ['Wie viele Sekunden hat eine Woche?', 'eine Woche = 604800 Sekunden'],
    ['What is 9000 times 9000?', '9000 times 9000 = 81000000'],
    ['Split 187 euros among 4 people.', '187 euros / 4 = 46.75'],
    ['What is 240 plus 15%?', '240 plus 15% = 276'],
    ['What is 200 - 15%?', '200 - 15% = 170'],
    ['What is 20% off $80?', '20% off $80 = 64'],
    ['How much is a 20% tip on 84.50?', '20% tip on 84.50 = 16.9'],
    ['What percentage of 80 is 20?', '20 / 80 in % = 25'],
    ['What is 3/4 of 200?', '3/4 of 200 = 150'],
    ['Was ist die Hälfte von 90?', 'die Hälfte von 90 = 45'],
    ['What is 7 squared?', '7 squared = 49'],
    ['What is the average of 4, 8 and 15?', 'average of 4, 8 and 15 = 9'],
    ['Quelle est la somme de 12, 15 et 20 ?', 'somme de 12, 15 et 20 = 47'],
    ['How much is 200 g of flour in ounces?', '200 g = 7.05479 ounces'],
    ['How much is 350 degrees F in C?', '350 degrees F = 176.667 C'],
    [
      'If I buy 3 lamps at 24.90 each and 2 cables at 7.45, what do I pay?',
      '3 lamps at 24.90 each + 2 cables at 7.45 = 89.6',
    ],
    ['Was kosten 4 Brote zu 3,20 Euro?', '4 Brote zu 3,20 Euro = 12.8'],
  ])('%s', async (text, result) => {
    expect(await workOutSums(text)).toEqual([result])
  })

  it.each([
    'What happened on 2024-05-30?',
    'Meet me at 9:40 on 12/11/2025 in room 4-12.',
    'Call +49 151 2345678.',
    'Version 1.2.3 - what is new?',
    'We have 3 cats and 4 dogs.',
    'We expect 10 - 12 people.',
    'Is it 5 / 0?',
    '((((',
    'Three times a day, 2 pills.',
    'Is it 3,5 or 4,5?',
    'We have 2 meetings at 10 and one at 14.',
    'Book a table for 4 people at 8.',
    'How many days are in the plan?',
    'I ran 5 miles in heavy rain.',
    'Was mache ich an 3 Tagen in Wien?',
    'Is a tip of 10-15% usual?',
    'Do prices rise by 3 - 5% a year?',
    'Can I book a double 12 May?',
    'Shall we meet at half 8?',
  ])('there are none in: %s', async (text) => {
    expect(await workOutSums(text)).toEqual([])
  })
})

describe('the answer to sums and nothing else', () => {
  it.each([
    ['What is 15% of 240?', '15% of 240 = 36.'],
    ['Split 144 euros between 6 people.', '144 euros / 6 = 24.'],
    ['What is 3 + 4, and what is 5 * 6?', '3 + 4 = 7; 5 * 6 = 30.'],
    ['I bought 4 notebooks at 3.25 each. What did I pay?', '4 notebooks at 3.25 each = 13.'],
    ['Who won the 4 x 100 m relay in 2024?', ''],
    ['Half of 30 people came late. Why?', ''],
    ['Write a poem about 2 + 2', ''],
    ['Explain to a child of seven in easy words why it is so that 2 + 2 is 4?', ''],
    ['What is new?', ''],
  ])('%s', async (text, answer) => {
    expect(sumsAlone(text, await workOutSums(text))).toBe(answer)
  })
})
