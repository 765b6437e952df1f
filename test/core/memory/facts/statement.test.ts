import { overtakes, slotsOf } from '../../../../src/core/memory/facts/slots'
import { describe, expect, test } from 'vitest'
import { isFact, rememberedIn, statementFrom, subjectOf } from '../../../../src/core/memory/facts/statement'

describe('a correction as one sentence', () => {
  test.each([
    ['What is the name of my dentist?', 'Dr. Okonjo', 'The name of my dentist is Dr. Okonjo.'],
    ["What is my sister's dog called?", 'Biscuit', "My sister's dog is called Biscuit."],
    ['Where do I keep the spare key?', 'under the blue pot', 'I keep the spare key under the blue pot.'],
    ['Which bread does Ana like?', 'rye bread', 'The bread Ana likes is rye bread.'],
    ['Which branch do we release Corvus from?', 'stable-4', 'The branch we release Corvus from is stable-4.'],
    ['What town does Ana come from?', 'Graz', 'The town Ana comes from is Graz.'],
    ['How many chickens does my uncle have?', '14', 'My uncle has 14 chickens.'],
    ['When does our team meeting start?', 'at 9:40', 'Our team meeting starts at 9:40.'],
    ['Who repairs our coffee machine?', 'Lindqvist', 'Lindqvist repairs our coffee machine.'],
    ['Where does Ana live?', 'in Graz', 'Ana lives in Graz.'],
    [
      'On which day is the garbage collected?',
      'Thursday',
      'On which day is the garbage collected? Thursday.',
    ],
    ['Which bread does Ana like?', 'Ana likes rye bread most of all.', 'Ana likes rye bread most of all.'],
    ['Wo ist der Schlüssel?', 'im Flur', 'Der Schlüssel ist im Flur.'],
    ['Which day is band practice?', 'Thursday', 'The day of band practice is Thursday.'],
    ['Which bus is the fastest?', 'the 12', 'Which bus is the fastest? the 12.'],
    [
      'What time does the pharmacy open on Saturdays?',
      '9:30',
      'The time the pharmacy opens on Saturdays is 9:30.',
    ],
    ['When is the sweep coming?', 'on 12 May', 'The sweep is coming on 12 May.'],
    ['How long does the night build take?', '47 minutes', 'The night build takes 47 minutes.'],
  ])('%s %s', (question, answer, statement) => {
    expect(statementFrom(question, answer)).toBe(statement)
  })

  test('a letter, code or an essay is none', () => {
    expect(isFact('What is the port?', '7411')).toBe(true)
    expect(isFact('Add up the costs.', '42 euro')).toBe(false)
    expect(isFact('Write to Ana.', 'Dear Ana,\n\nthanks for the bread.\n\nYours')).toBe(false)
    expect(isFact('Write a loop.', '```js\nfor (;;) {}\n```')).toBe(false)
    expect(isFact('Tell me about bread.', 'Bread is old. '.repeat(30))).toBe(false)
  })
})

describe('what a message asks to be remembered', () => {
  test.each([
    ['Remember that I am allergic to nuts', ['I am allergic to nuts.']],
    [
      'please remember: the spare key is under the pot. Ana has another one.',
      ['The spare key is under the pot.', 'Ana has another one.'],
    ],
    ['Remember my locker number is 12', ['My locker number is 12.']],
    ['Keep in mind that we meet at nine.', ['We meet at nine.']],
    ['Remember that my dentist is Dr. Ferrari in Milan', ['My dentist is Dr. Ferrari in Milan.']],
    ['My dentist is Dr. Ferrari. Remember that.', ['My dentist is Dr. Ferrari.']],
    ['The wifi password is marmot, please keep that in mind', ['The wifi password is marmot.']],
    ['Mein Chef heißt Herr Kurz, merk dir das.', ['Mein Chef heißt Herr Kurz.']],
    ["N'oublie pas que le code est 4711", ['Le code est 4711.']],
    ['Recuerda que mi talla es 42', ['Mi talla es 42.']],
    ['Merk dir, dass ich gegen Nüsse allergisch bin', ['Ich bin gegen Nüsse allergisch.']],
    ['Merk dir, dass mein Hausarzt Dr. Wendt heißt.', ['Mein Hausarzt heißt Dr. Wendt.']],
    ['Merke dir bitte: Der Müll wird dienstags abgeholt.', ['Der Müll wird dienstags abgeholt.']],
    [
      'Denk bitte daran, dass der Schlüssel meiner Oma Erna im Flur liegt',
      ['Der Schlüssel meiner Oma Erna liegt im Flur.'],
    ],
    ['Vergiss nicht, dass ich am Montag anfange', ['Ich am Montag anfange.']],
    [
      'For future reference, the staging server is at stage7.brook.local.',
      ['The staging server is at stage7.brook.local.'],
    ],
    ['Actually, band practice moved to Friday. Remember that.', ['Band practice moved to Friday.']],
    ['I want you to remember that I take my coffee black.', ['I take my coffee black.']],
    ['Quick note for later: the boiler was serviced in March.', ['The boiler was serviced in March.']],
    ['You should know that the office closes at 6 on Fridays.', ['The office closes at 6 on Fridays.']],
    ["Let me tell you something: I'm colour-blind. Keep it in mind.", ["I'm colour-blind."]],
    ["Correction: my wife's shoe size is 40. Remember that.", ["My wife's shoe size is 40."]],
    ['Bitte merken: Oma hat am 2. Februar Geburtstag.', ['Oma hat am 2. Februar Geburtstag.']],
    ['Vergiss nicht, dass Jonas Laktose nicht verträgt.', ['Jonas verträgt Laktose nicht.']],
    ['Jot this down for me: the storage unit is 118.', ['The storage unit is 118.']],
    ['I go to the dentist twice a year, keep that in mind.', ['I go to the dentist twice a year.']],
    ['Add to memory: the alarm code is 7734.', ['The alarm code is 7734.']],
    ['Do remember that Lucia does not eat fish.', ['Lucia does not eat fish.']],
    ['Remember that just one key fits the shed.', ['Just one key fits the shed.']],
    ['Remember that you should ring twice.', ['You should ring twice.']],
    ['Merk dir, dass ich müde bin, wenn ich arbeite', ['Ich müde bin, wenn ich arbeite.']],
    [
      'Merk dir, dass ich gegen Nüsse allergisch bin. Ana hat eine Katze.',
      ['Ich bin gegen Nüsse allergisch.', 'Ana hat eine Katze.'],
    ],
    ['Save this: the safe is behind the mirror.', ['The safe is behind the mirror.']],
    ['Never forget that Nina has a cat allergy.', ['Nina has a cat allergy.']],
    ["Let's remember that the retro is at 15:00.", ['The retro is at 15:00.']],
    ['Merk dir mal, dass unser Kindergarten um 16 Uhr schließt.', ['Unser Kindergarten schließt um 16 Uhr.']],
    ['Notiz: Der Heizungsmonteur heißt Yilmaz.', ['Der Heizungsmonteur heißt Yilmaz.']],
    ['By the way, remember that I work on Sundays', ['I work on Sundays.']],
  ])('%s', (text, statements) => {
    expect(rememberedIn(text)).toEqual(statements)
  })

  test.each([
    'Do you remember that I am allergic to nuts?',
    'Remember when we went to the sea',
    'Note taking methods for students',
    'What did I ask you to remember?',
    'Summarise this text. Note that down.',
    'Save this: ```js```',
    'Keep this: a list of verbs',
    'Write: the cat is black',
    'Add: the totals are in column B',
    'Memo: the table has three columns. Count them by hand.',
    'Translate this, remember that!',
    'Write a poem about how to remember that summer',
  ])('nothing: %s', (text) => {
    expect(rememberedIn(text)).toBeNull()
  })
})

test('a later fact takes the place of an earlier one on what there is one of, and of no other', () => {
  const slots = (statement: string) => slotsOf({ question: null, statement })
  expect(slots('The wifi password of the cabin is marmot-221.')).toEqual(
    slots('The wifi password of the cabin is bear-7.'),
  )
  expect(slots('My sister is a nurse.')).toEqual([])
  expect(slots('I am allergic to nuts.')).toEqual([])
  expect(slotsOf({ question: 'Which port does our Vela service use?', statement: '7411' })).toEqual(
    slotsOf({ question: 'which port does our vela service use', statement: '7412' }),
  )
})

test('what was moved takes the place of when it was', () => {
  const slots = slotsOf({
    question: 'Which day is band practice?',
    statement: 'The day of band practice is Thursday.',
  })
  const when = (statement: string) =>
    slotsOf({ question: null, statement }).filter((slot) => slots.includes(slot))
  expect(when('Band practice moved to Friday.')).toEqual(['when band practic'])
  expect(when('Band practice is on Friday.')).toEqual(['when band practic'])
  expect(when('Band practice is at the school.')).toEqual([])
  const own = (statement: string) => slotsOf({ question: null, statement })
  expect([
    own('I work on Mondays.'),
    own('The bins are collected on Fridays.'),
    own('Ana comes on Monday.'),
  ]).toEqual([[], [], []])
  expect(when('Choir practice moved to Friday.')).toEqual([])
  const sweep = (day: string) =>
    slotsOf({ question: null, statement: `The chimney sweep is coming on ${day}.` })
  expect(sweep('19 November')).toEqual(sweep('12 November'))
  const hours = slotsOf({ question: 'What time does the pharmacy open on Saturdays?', statement: '9:30' })
  expect(slotsOf({ question: null, statement: 'The pharmacy now opens at 10 on Saturdays.' })).toEqual(
    expect.arrayContaining(hours.filter((slot) => slot.startsWith('when'))),
  )
})

test('a fact is about somebody', () => {
  expect(subjectOf('I am allergic to nuts.')).toBe('me')
  expect(subjectOf('Ana is allergic to nuts.')).toBe('Ana')
})

test('something is in one of several numbered places at a time', () => {
  const slots = (statement: string) => slotsOf({ question: null, statement })
  expect(slots('The Alma lies at berth 7.')).toEqual(slots('The Alma lies at berth 4.'))
  expect(slots('The Alma lies at berth 7.')).toHaveLength(1)
  expect(slots('The Berta lies at berth 7.')).not.toEqual(slots('The Alma lies at berth 7.'))
  for (const other of ['Berth 7 has 3 bollards.', 'Ann works at Vela.', 'The report is in 3 parts.'])
    expect(slots(other)).toEqual([])
  expect(subjectOf('The Alma lies at berth 7.')).toBe('The Alma')
})

test('with a word such as "now" a later place or day takes the place of an earlier one, whatever it is', () => {
  const isOver = (earlier: string, later: string): boolean =>
    overtakes({ question: null, statement: later })({ question: null, statement: earlier })
  for (const [earlier = '', later = ''] of [
    ['The spare key is under the blue flowerpot.', 'The spare key is in the shed now.'],
    ['Rehearsal is every Wednesday at 19:15.', 'Rehearsal is now every Thursday at 20:00.'],
    ['The staging server is called heron.', 'The staging server is now called plover.'],
    ['Unser Hund heißt Rex.', 'Unser Hund heißt jetzt Bello.'],
    ['I live in Bern.', 'I moved to Zurich.'],
    ['I work at Vela.', 'I now work for Corvid.'],
    ['Der Ersatzschlüssel liegt im Schuppen.', 'Der Ersatzschlüssel liegt jetzt unter der Matte.'],
    ['Le double des clés est dans la cave.', 'Le double des clés est maintenant sous le pot bleu.'],
    ['La llave está en el cajón.', 'La llave está ahora debajo de la maceta.'],
  ])
    expect([earlier, isOver(earlier, later)]).toEqual([earlier, true])
  for (const [earlier = '', later = ''] of [
    ['Yoga is every Monday at 18:00.', 'Yoga is every Thursday at 18:00.'],
    ['Our cat is called Minka.', 'Our cat is called Tom.'],
    ['My sister is in the choir.', 'My sister is in Rome.'],
    ['I work at Vela.', 'I live in Bern now.'],
    ['The car key is in the drawer.', 'The spare key is in the shed now.'],
    ['I am allergic to nuts.', 'I am vegetarian now.'],
  ])
    expect([earlier, isOver(earlier, later)]).toEqual([earlier, false])
})

test.each([
  ['Could you remember that I take my tea without milk?', ['I take my tea without milk.']],
  ['Can you please note that our rehearsal is at 8?', ['Our rehearsal is at 8.']],
  ['Kannst du dir merken, dass mein Bruder Jonas heißt?', ['Mein Bruder heißt Jonas.']],
  ['Peux-tu te souvenir que mon frère est allergique au lait ?', ['Mon frère est allergique au lait.']],
  ['Peux-tu retenir que ma fille est allergique aux noix ?', ['Ma fille est allergique aux noix.']],
  ['¿Puedes recordar que vivo en Sevilla?', ['Vivo en Sevilla.']],
  ['Can you remember that song by Abba?', null],
  ['Could you remember when we last met?', null],
  ['Can you note the differences between a frog and a toad?', null],
])('asked for in a question: %s', (text, statements) => {
  expect(rememberedIn(text)).toEqual(statements)
})

test.each([
  ['Quel est le mot de passe du wifi ?', 'mistral-2026', 'Le mot de passe du wifi est mistral-2026.'],
  ['Comment s’appelle mon dentiste ?', 'Dr. Roux', "Mon dentiste s'appelle Dr. Roux."],
  ['¿Dónde está la llave?', 'en el cajón', 'La llave está en el cajón.'],
  ['Wann kommt der Schornsteinfeger?', 'am Freitag', 'Der Schornsteinfeger kommt am Freitag.'],
  ['Quand passe le ramoneur ?', 'vendredi', 'Le ramoneur passe vendredi.'],
  ['¿Cuándo abre la biblioteca?', 'a las diez', 'La biblioteca abre a las diez.'],
  ['Wie lautet der Code der Garage?', '4471', 'Der Code der Garage lautet 4471.'],
])('%s answered', (question, answer, statement) => {
  expect(statementFrom(question, answer)).toBe(statement)
})
