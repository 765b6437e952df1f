/** A step that an item may need before it leaves: a tool with the item and one more argument. */
export interface StepKind {
  /** The tool's name, and the verb: `wrap`. */
  readonly name: string
  /** As done to an item, with the little word before the value: `wrapped in`. */
  readonly past: string
  /** As asked for: `wrap it in`. */
  readonly order: string
  /** The name of the argument. */
  readonly argument: string
  readonly values: readonly string[]
  /** Whether the tool refuses a wrong value; others take it, and the work is wrong. */
  readonly strict: boolean
}

/** What kind of place a workplace is. */
export interface WorkplaceKind {
  readonly id: string
  readonly title: string
  readonly item: string
  readonly prefix: string
  readonly materials: readonly string[]
  readonly objects: readonly string[]
  readonly steps: readonly StepKind[]
  /** The last step: an item leaves. Its value belongs to the town that the item is for. */
  readonly leave: StepKind
}

const COLOURS = ['red', 'blue', 'green', 'yellow', 'white', 'black', 'orange', 'violet']
const CODES = ['A3', 'B7', 'C2', 'D9', 'E4', 'F6', 'G1', 'H8', 'K5', 'L0']
const WAYS = ['N1', 'N2', 'N3', 'E1', 'E2', 'E3', 'S1', 'S2', 'S3', 'W1', 'W2', 'W3']
const MATERIALS = ['glass', 'copper', 'wooden', 'paper', 'clay', 'woollen', 'silver', 'leather']

const step = (
  name: string,
  past: string,
  order: string,
  argument: string,
  values: readonly string[],
  strict: boolean,
): StepKind => ({ name, past, order, argument, values, strict })

/** Every kind of workplace. */
export const WORKPLACE_KINDS: readonly [WorkplaceKind, ...WorkplaceKind[]] = [
  {
    id: 'parcels',
    title: 'parcel office',
    item: 'parcel',
    prefix: 'P',
    materials: MATERIALS,
    objects: ['jars', 'clocks', 'masks', 'boxes', 'spoons', 'lamps', 'toys'],
    steps: [
      step(
        'wrap',
        'wrapped in',
        'wrap it in',
        'cover',
        ['kraft', 'foil', 'felt', 'straw', 'canvas', 'tissue', 'cork', 'linen'],
        true,
      ),
      step('stamp', 'stamped in', 'stamp it in', 'colour', COLOURS, false),
      step('label', 'labelled with', 'label it with', 'code', CODES, true),
      step(
        'seal',
        'sealed with',
        'seal it with',
        'seal',
        ['lead', 'wax', 'tape', 'glue', 'wire', 'resin', 'tin', 'lime'],
        false,
      ),
      step(
        'weigh',
        'weighed on scale',
        'weigh it on scale',
        'scale',
        ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight'],
        true,
      ),
    ],
    leave: step('send', 'sent from bay', 'send it from bay', 'bay', WAYS, false),
  },
  {
    id: 'repairs',
    title: 'repair shop',
    item: 'job',
    prefix: 'J',
    materials: ['old', 'small', 'large', 'field', 'kitchen', 'garden', 'office', 'travel'],
    objects: ['pumps', 'radios', 'mixers', 'saws', 'fans', 'scales', 'drills'],
    steps: [
      step(
        'clean',
        'cleaned with',
        'clean it with',
        'cleaner',
        ['soap', 'spirit', 'sand', 'steam', 'vinegar', 'air', 'chalk', 'soda'],
        true,
      ),
      step('oil', 'oiled with grade', 'oil it with grade', 'grade', CODES, false),
      step(
        'check',
        'checked at volts',
        'check it at volts',
        'volts',
        ['6', '9', '12', '24', '48', '110', '230', '400'],
        true,
      ),
      step('tag', 'tagged in', 'tag it in', 'colour', COLOURS, false),
      step(
        'record',
        'recorded in book',
        'record it in book',
        'book',
        ['ash', 'birch', 'cedar', 'elm', 'fir', 'larch', 'oak', 'yew'],
        true,
      ),
    ],
    leave: step('hand_over', 'handed over at gate', 'hand it over at gate', 'gate', WAYS, false),
  },
  {
    id: 'plants',
    title: 'plant nursery',
    item: 'tray',
    prefix: 'T',
    materials: ['early', 'late', 'red', 'white', 'dwarf', 'giant', 'wild', 'winter'],
    objects: ['beans', 'poppies', 'leeks', 'roses', 'ferns', 'peppers', 'asters'],
    steps: [
      step(
        'water',
        'watered from tank',
        'water it from tank',
        'tank',
        ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight'],
        true,
      ),
      step(
        'feed',
        'fed with',
        'feed it with',
        'feed',
        ['bone', 'kelp', 'ash', 'guano', 'nettle', 'malt', 'lime', 'peat'],
        false,
      ),
      step('shade', 'shaded by net', 'shade it by net', 'net', CODES, true),
      step(
        'rest',
        'rested in house',
        'rest it in house',
        'house',
        ['north', 'south', 'east', 'west', 'upper', 'lower', 'old', 'new'],
        true,
      ),
      step('mark', 'marked in', 'mark it in', 'colour', COLOURS, false),
    ],
    leave: step('load', 'loaded onto cart', 'load it onto cart', 'cart', WAYS, false),
  },
]

/** Halves of names of towns and places. */
export const TOWN_STARTS = ['Otter', 'Alder', 'Brim', 'Carn', 'Dun', 'Elm', 'Fen', 'Gor', 'Hazel', 'Ivel']
export const TOWN_ENDS = ['by', 'ford', 'wick', 'mere', 'stow', 'ley']
