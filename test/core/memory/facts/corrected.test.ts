import { expect, test } from 'vitest'
import { correctedIn } from '../../../../src/core/memory/facts/corrected'
import { isComplaint } from '../../../../src/core/verdict/person-signs'

const corrected = (...messages: string[]) =>
  correctedIn(messages.slice(0, -1), messages.at(-1) ?? '', isComplaint)

test.each([
  [['Who is my dentist?', 'No, it is Dr. Weber.'], 'My dentist is Dr. Weber.'],
  [['Who is my dentist?', "No, that's wrong. It's Dr. Weber."], 'My dentist is Dr. Weber.'],
  [
    ['What is our staging host?', 'No, that is wrong.', 'It is vela-7.example.org.'],
    'Our staging host is vela-7.example.org.',
  ],
  [['Wer ist mein Zahnarzt?', 'Nein, das ist Dr. Weber.'], 'Mein Zahnarzt ist Dr. Weber.'],
  [['What is my dog called?', 'No, it is called Mortimer.'], 'My dog is called Mortimer.'],
  [['Who repairs our boiler?', 'No, Mr. Adeyemi.'], 'Mr. Adeyemi repairs our boiler.'],
  [['Which port does Vela use?', 'No, 7411.'], 'The port Vela uses is 7411.'],
  [
    ['Wann wird bei uns der Müll abgeholt?', 'Nein, am Donnerstag.'],
    'Wann wird bei uns der Müll abgeholt? am Donnerstag.',
  ],
  [['Where is the spare key?', 'No, under the mat.'], 'The spare key is under the mat.'],
  [
    ['Zu wem gehe ich wegen meiner Zähne?', 'Nein, mein Zahnarzt heißt jetzt Dr. Sommer.'],
    'Mein Zahnarzt heißt jetzt Dr. Sommer.',
  ],
  [['What is my dog called?', 'No, my dog is called Tom'], 'My dog is called Tom.'],
  [
    ['Où habite ma sœur ?', 'Non, ma sœur habite à Nantes maintenant.'],
    'Ma sœur habite à Nantes maintenant.',
  ],
])('%j says what is right', (messages, statement) => {
  expect(corrected(...messages)).toBe(statement)
})

test.each([
  [['Who is my dentist?', 'It is late.']],
  [['Who is my dentist?', 'No, that is wrong.']],
  [['Who is my dentist?', 'No, it is still wrong.']],
  [['Write a poem about my dentist.', 'No, it is too long.']],
  [['Write a poem about my dentist.', 'No, it is Dr. Weber.']],
  [['It is Dr. Weber.']],
  [['Who is my dentist?', 'No, thanks.']],
  [['Who is my dentist?', 'No, Try again.']],
  [['What is a good name for a bakery?', 'No, shorter please.']],
  [['Where is the spare key?', 'No, in German.']],
  [['Write a poem about my dentist.', 'No, Dr. Weber.']],
  [['Who is my dentist?', 'Dr. Weber.']],
  [['What is our server called?', 'No, our server is wrong.']],
  [['What is my dog called?', 'My dog is called Tom.']],
  [['Write a poem about my dog.', 'No, my dog is not so old.']],
])('%j says nothing to keep', (messages) => {
  expect(corrected(...messages)).toBeNull()
})
