import type { Rng } from '../../ground/random'
import type { Item } from './entry'

/** How one person asks: ways to name a thing (`{k}` the kind of thing, `{n}` its number, `{s}` its sort, `{t}` its town), and sentences about `{i}`. */
export interface Hand {
  readonly names: readonly string[]
  readonly sentences: readonly string[]
}

/** The hands that most tasks are written by. */
export const USUAL_HANDS: readonly Hand[] = [
  {
    names: ['{k} {n}, {s} for {t}', '{k} {n} ({s}, {t})'],
    sentences: [
      'Please get {i} out of the house today, by the book.',
      'Take care of {i}, up to the leaving.',
      'See off {i} as the handbook wants it.',
      'It is time for {i} to leave. Follow the procedure.',
      'Do what is still missing for {i}, up to the door and out.',
    ],
  },
  {
    names: ['the {s} for {t}, {k} {n}', 'the {t} {k} with the {s}, {n}'],
    sentences: [
      'Somebody is waiting for {i}. Do all that has to be done, the leaving too.',
      'Could you finish {i}? It has been lying here long enough.',
      'I have to go. You see to {i} until nothing is left to see to.',
      'Would you be so kind and bring {i} on its way?',
      'Today is the day of {i}. Make it ready and let it go.',
    ],
  },
  {
    names: ['{n} ({s}) to {t}', '{n}: {s}, {t}'],
    sentences: [
      'Next up is {i}. All steps, then out.',
      'To do: {i}. Off the list when gone.',
      'Outgoing: {i}. Nothing left out.',
      'Clear {i}.',
      '{i}, whole procedure, today.',
    ],
  },
  {
    names: [
      'one {k} of {s} whose number is {n} and which {t} awaits',
      'the {k} numbered {n}, of {s}, bound for {t}',
    ],
    sentences: [
      'It is requested that {i} be treated according to the rules and dispatched.',
      'Kindly complete the treatment of {i} and its departure.',
      'In respect of {i}, all that is prescribed shall be done and the departure effected.',
      'The management wishes that {i} shall have left by the evening, in due form.',
    ],
  },
  {
    names: ['{n}, you know, the {s} that {t} ordered', '{k} {n} with those {s} they want in {t}'],
    sentences: [
      'Hey, can you do {i}? The whole thing, till it is gone.',
      'We still have {i} here, right? Off with it, but properly.',
      'So, {i}: do it like we always do, and then away with it.',
      'No rush, but {i} should be gone before we close. You know how.',
      'I nearly forgot {i}! Can you do the rest?',
    ],
  },
]

/** The hands that no text for training has: their names of things and their sentences occur nowhere else. */
export const HELD_OUT_HANDS: readonly Hand[] = [
  {
    names: ['what {t} is getting from us, namely {s} under {n}', 'our {s} under {n}, which belong in {t}'],
    sentences: [
      'We promised {i} by tonight. Keep our word, and keep to our rules.',
      'Nothing may be forgotten on {i}: the work has to be complete at the door.',
      'A customer rang about {i}. I said it would be out within the hour, as it should be.',
    ],
  },
  {
    names: ['number {n}, the {s} that {t} wants', '{s}, destination {t}, under number {n}'],
    sentences: [
      'On your desk: {i}. Whatever is open there, close it, and then it goes.',
      'Before lunch: {i}. From where it stands now to the last move.',
      'You take {i}, I take the rest. Meet me when yours is away.',
    ],
  },
]

const fill = (pattern: string, words: Readonly<Record<string, string>>): string =>
  pattern.replace(/\{(\w)\}/g, (whole, key: string) => words[key] ?? whole)

/** What a person says who wants these items to leave; each is named with its sort and its town. */
export function instructionFor(
  rng: Rng,
  hands: readonly Hand[],
  items: readonly Item[],
  noun: string,
): string {
  const hand = rng.pick(hands)
  const pattern = rng.pick(hand.names)
  const names = items.map(({ id, sort, town }) => fill(pattern, { k: noun, n: id, s: sort, t: town }))
  const words = fill(rng.pick(hand.sentences), { i: names.join(', and ') })
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`
}
