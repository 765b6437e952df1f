import { createRng } from '../../src/shared/random'

const NAMES = [
  'Vela',
  'Orrin',
  'Tamsin',
  'Quill',
  'Harrow',
  'Lumen',
  'Sable',
  'Corvid',
  'Fennel',
  'Marlow',
] as const
const THINGS = ['port', 'room', 'colour', 'city', 'gate code'] as const
const COLOURS = ['ochre', 'teal', 'crimson', 'slate', 'violet'] as const
const CITIES = ['Turku', 'Lviv', 'Bergen', 'Cadiz', 'Nantes'] as const

/** Closed questions about a made-up household, each fact asked about twice in all, in an order drawn once. */
export function questionsOfLife(count: number): { question: string; answer: string }[] {
  const rng = createRng('a life of questions')
  const facts = NAMES.flatMap((name) =>
    THINGS.map((thing) => {
      const answer =
        thing === 'colour'
          ? rng.pick(COLOURS)
          : thing === 'city'
            ? rng.pick(CITIES)
            : String(1000 + rng.int(9000))
      return { question: `What is the ${thing} of ${name}?`, answer }
    }),
  )
  const chosen = rng.sample(facts, Math.ceil(count / 2))
  return rng.sample([...chosen, ...chosen], count)
}

export const inMinutes = (ms: number): string => `${(ms / 60_000).toFixed(1)} min`
