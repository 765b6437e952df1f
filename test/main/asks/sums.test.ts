import { describe, expect, it } from 'vitest'
import { workOutSums } from '../../../src/main/asks/sums'

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
  ])('there are none in: %s', async (text) => {
    expect(await workOutSums(text)).toEqual([])
  })
})
