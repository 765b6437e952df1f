/**
 * Facts and questions of `first-answer.ts`. Forms and thresholds were chosen on `TUNED_FACTS`, `JUDGED`, `OTHERS` and `EVERYDAY`; the
 * questions and `LAST_FACTS` are only measured. Whoever changes a form after a look at their answers writes another set.
 */

/** A closed question of general knowledge; an answer is right that holds one of the accepted words. */
export interface ClosedQuestion {
  readonly text: string
  readonly accepted: readonly string[]
}

/** A made-up fact of a person: asked, taught, asked again in the same words and in other words. */
export interface MadeUpFact {
  readonly question: string
  readonly answer: string
  readonly paraphrase: string
  /** What an answer must hold to be right. Default: the answer itself. */
  readonly accepted?: readonly string[]
}

const q = (text: string, ...accepted: readonly string[]): ClosedQuestion => ({ text, accepted })

export const CLOSED: readonly ClosedQuestion[] = [
  q('What is the capital of France?', 'Paris'),
  q('What is the capital of Japan?', 'Tokyo'),
  q('What is the capital of Italy?', 'Rome'),
  q('What is the capital of Egypt?', 'Cairo'),
  q('What is the largest planet of the solar system?', 'Jupiter'),
  q('Which planet is closest to the sun?', 'Mercury'),
  q('Who wrote Romeo and Juliet?', 'Shakespeare'),
  q('Who painted the Mona Lisa?', 'Leonardo', 'da Vinci'),
  q('What is the chemical symbol of gold?', 'Au'),
  q('Which gas do plants take in from the air?', 'carbon dioxide', 'CO2'),
  q('How many days are there in a week?', 'seven', '7'),
  q('How many legs does a spider have?', 'eight', '8'),
  q('How many minutes are there in an hour?', 'sixty', '60'),
  q('What is the largest ocean on Earth?', 'Pacific'),
  q('On which continent is Kenya?', 'Africa'),
  q('What is the highest mountain on Earth?', 'Everest'),
  q('Which language is spoken in Brazil?', 'Portuguese'),
  q('What colour is a ripe banana?', 'yellow'),
  q('What do bees make?', 'honey'),
  q('What is frozen water called?', 'ice'),
  q('Which organ pumps blood through the body?', 'heart'),
  q('Who was the first president of the United States?', 'Washington'),
  q('What currency is used in Japan?', 'yen'),
  q('At how many degrees Celsius does water boil?', '100'),
  q('Which animal is known as the king of the jungle?', 'lion'),
  q('What is the opposite of hot?', 'cold', 'cool'),
  q('Which country has the city of Barcelona?', 'Spain'),
  q('Which river flows through London?', 'Thames'),
  q('What is the name of our galaxy?', 'Milky Way'),
  q('Who developed the theory of relativity?', 'Einstein'),
]

const f = (
  question: string,
  answer: string,
  paraphrase: string,
  ...accepted: readonly string[]
): MadeUpFact => ({ question, answer, paraphrase, ...(accepted.length > 0 && { accepted }) })

/** The set that forms were chosen on. */
export const TUNED_FACTS: readonly MadeUpFact[] = [
  f('Which port does our Vela service use?', '7411', 'On what port can I reach Vela?'),
  f('What is the name of my dentist?', 'Dr. Okonjo', 'Who looks after my teeth?', 'Okonjo'),
  f('When does our team meeting start?', 'at 9:40', 'At what time do we have the team meeting?', '9:40'),
  f('Where do I keep the spare key?', 'under the blue pot', 'In which place is the spare key?', 'blue pot'),
  f(
    'What is the wifi password of the cabin?',
    'marmot-221',
    'Which password do I need for the wifi in the cabin?',
  ),
  f('Which bread does Ana like?', 'rye bread', 'What kind of bread should I buy for Ana?', 'rye'),
  f('What is the colour of my bicycle?', 'orange', 'My bicycle is painted in which colour?'),
  f(
    'Who is the landlord of our office?',
    'Mr. Petrov',
    'To whom do we pay the rent of the office?',
    'Petrov',
  ),
  f('On which day is the garbage collected?', 'Thursday', 'When do they collect the garbage?'),
  f(
    'How many chickens does my uncle have?',
    '14',
    "What is the number of my uncle's chickens?",
    '14',
    'fourteen',
  ),
]

/** A second set, written before any form was chosen; its first figures led to sentences for more forms of questions, so that it is fresh no longer. */
export const FRESH_FACTS: readonly MadeUpFact[] = [
  f('Which branch do we release Corvus from?', 'stable-4', 'From what branch is Corvus released?'),
  f("What is my sister's dog called?", 'Biscuit', 'How is the dog of my sister named?'),
  f(
    'What does my gym membership cost each month?',
    '34 euros',
    'How much do I pay monthly for the gym?',
    '34',
  ),
  f('Where did we park the trailer?', 'behind the barn', 'In what spot is the trailer parked?', 'barn'),
  f('Who repairs our coffee machine?', 'Lindqvist', 'Whom do I call when the coffee machine is broken?'),
  f('What size of shoes does Tom wear?', '43', 'Which shoe size do I need to buy for Tom?'),
  f('Which seat do I prefer on a train?', 'a window seat', 'Where do I like to sit on a train?', 'window'),
  f(
    'When is the birthday of my grandmother?',
    '12 March',
    'On what date was my grandmother born?',
    '12 March',
    'March 12',
  ),
  f('What is the code of the garage door?', '8035', 'Which code opens the garage door?'),
  f('Which tea does my boss drink?', 'jasmine tea', 'What tea should I make for my boss?', 'jasmine'),
]

/** A third set, written after the last change and measured once. */
export const LAST_FACTS: readonly MadeUpFact[] = [
  f('Which queue does the Orion job read from?', 'intake-9', 'From what queue does Orion read?'),
  f('What is the name of our plumber?', 'Mr. Halloran', 'Who fixes our pipes?', 'Halloran'),
  f('How many bee hives does Lena have?', '6', "What is the number of Lena's bee hives?", '6', 'six'),
  f(
    'Where is the fire extinguisher?',
    'behind the kitchen door',
    'In what place do we keep the fire extinguisher?',
    'kitchen door',
  ),
  f('When does the library close?', 'at 18:30', 'Until what time is the library open?', '18:30', '6:30'),
  f(
    'What is the password of the guest account?',
    'heron-58',
    'Which password do guests need for their account?',
  ),
  f('Which wine does my father drink?', 'Riesling', 'What wine should I buy for my father?'),
  f('Who waters our plants?', 'Ingrid', 'Whom do I ask to water the plants?'),
  f('What is the size of my helmet?', '57', 'In which size do I need a helmet?'),
  f('On which floor is the archive?', 'the third floor', 'To what floor do I go for the archive?', 'third'),
]

/** Other closed questions with their right answers, which a person has judged: what a case bank holds when it has nothing to do with what is asked. */
export const JUDGED: readonly (readonly [question: string, answer: string])[] = [
  ['What is the capital of Norway?', 'Oslo'],
  ['What is the capital of Peru?', 'Lima'],
  ['What is the capital of Canada?', 'Ottawa'],
  ['Which planet has the most visible rings?', 'Saturn'],
  ['Who wrote Don Quixote?', 'Miguel de Cervantes'],
  ['Who composed the Four Seasons?', 'Antonio Vivaldi'],
  ['What is the chemical symbol of silver?', 'Ag'],
  ['How many strings does a violin have?', 'Four'],
  ['How many players are on a football team?', 'Eleven'],
  ['What is the longest river in South America?', 'The Amazon'],
  ['On which continent is Chile?', 'South America'],
  ['Which language is spoken in Austria?', 'German'],
  ['What colour is an emerald?', 'Green'],
  ['What do spiders spin?', 'Webs'],
  ['What is melted rock called?', 'Lava'],
  ['Which organ cleans the blood?', 'The kidneys'],
  ['Who invented the telephone?', 'Alexander Graham Bell'],
  ['What currency is used in Switzerland?', 'The franc'],
  ['At how many degrees Celsius does water freeze?', '0'],
  ['Which bird cannot fly and lives in Antarctica?', 'The penguin'],
  ['What is the opposite of early?', 'Late'],
  ['Which country has the city of Porto?', 'Portugal'],
  ['Which river flows through Vienna?', 'The Danube'],
  ['What is the star nearest to the Earth?', 'The sun'],
  ['Who discovered penicillin?', 'Alexander Fleming'],
  ['How many months are there in a year?', 'Twelve'],
  ['What is the smallest prime number?', 'Two'],
  ['Which metal is liquid at room temperature?', 'Mercury'],
  ['What is the hardest natural material?', 'Diamond'],
  ['Which sea lies between Europe and Africa?', 'The Mediterranean Sea'],
]

const PEOPLE = [
  'Aurel',
  'Bettina',
  'Cosmo',
  'Dunja',
  'Efrem',
  'Fenna',
  'Gideon',
  'Halina',
  'Ivo',
  'Jorunn',
  'Kasimir',
  'Leopoldine',
  'Mirko',
  'Nadia',
  'Oskar',
  'Petra',
  'Quirin',
  'Rosa',
  'Silvio',
  'Tamsin',
]
const SAID = [
  (who: string, n: number) => `${who}'s birthday is ${(n % 28) + 1} April`,
  (who: string, n: number) => `${who} works in room ${100 + n}`,
  (who: string, n: number) =>
    `${who} drives a car with the number ${who.slice(0, 2).toUpperCase()} ${1000 + 37 * n}`,
  (who: string, n: number) =>
    `${who} is allergic to ${['walnuts', 'milk', 'pollen', 'cats', 'wasps'][n % 5] ?? ''}`,
  (who: string, n: number) => `${who}'s locker has the combination ${2100 + 13 * n}`,
  (who: string, n: number) =>
    `${who} plays ${['chess', 'tennis', 'the cello', 'hockey', 'the flute'][n % 5] ?? ''} on weekends`,
  (who: string, n: number) => `${who} comes from ${['Graz', 'Lund', 'Pisa', 'Cork', 'Gent'][n % 5] ?? ''}`,
  (who: string, n: number) => `${who} has lent me ${5 + n} euros`,
  (who: string, n: number) =>
    `${who} takes ${['green tea', 'black coffee', 'cocoa', 'tap water', 'apple juice'][n % 5] ?? ''} at breakfast`,
  (who: string, n: number) => `${who}'s train leaves at ${6 + (n % 12)}:${10 + (n % 45)}`,
] as const

/** Two hundred further facts about people who are asked about nowhere. */
export const OTHERS: readonly string[] = PEOPLE.flatMap((who, i) => SAID.map((say, j) => say(who, i * 3 + j)))

/** Everyday asks that no fact or judged question is about. */
export const EVERYDAY: readonly string[] = [
  'Write a poem about the sea.',
  'Give me three ideas for a birthday present.',
  'How do I boil an egg?',
  'Translate "good morning" into French.',
  'Tell me a joke.',
  'What should I cook tonight?',
  'Explain photosynthesis in one sentence.',
  'Write a short thank-you note to a neighbour.',
  'How do I remove a wine stain?',
  'Give me a synonym for happy.',
  'Suggest a name for a cat.',
  'How can I sleep better?',
  'Write a haiku about autumn.',
  'What is a good way to learn Spanish?',
  'Summarise the story of Cinderella.',
  'How do I tie a tie?',
  'Make a packing list for a weekend in the mountains.',
  'Correct this sentence: he go to school yesterday.',
  'What are the benefits of walking?',
  'Write an opening line for a detective story.',
  'How do I convert inches to centimetres?',
  'Give me a recipe for pancakes.',
  'Explain what a black hole is to a child.',
  'Suggest a title for an essay about friendship.',
  'How do I write a function in Python?',
  'Good morning!',
  'Thanks, that helped.',
  'What can you do?',
  'Write a polite reminder about an unpaid invoice.',
  'Name five vegetables.',
  'How does a bicycle stay upright?',
  'Give me a fun fact.',
  'Write a limerick about a frog.',
  'How do I keep houseplants alive?',
  'What is the difference between weather and climate?',
  'Describe a sunset.',
  'Give me a stretching routine.',
  'How do I prepare for a job interview?',
  'List three famous composers.',
  'Write a motto for a sports club.',
]
