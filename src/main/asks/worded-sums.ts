/** A calculation that a message says in words: as it stands there, in signs that mathjs reads, and the unit of its result as the message calls it. */
export interface WordedSum {
  readonly words: string
  readonly signs: string
  readonly unit: { readonly name: string; readonly label: string } | null
}

const NUMBER = String.raw`\d(?:[\d.,]{0,14}\d)?`
const MONEY = '€|\\$|£|euros?|dollars?|pounds?|francs?|franken|pesos?|chf|eur|usd|gbp'
const form = (source: string): RegExp =>
  new RegExp(`(?<![\\p{L}\\p{N}.,])(?:${source})(?![\\p{L}\\p{N}])`, 'giu')

/** Units as people call them, by the name that mathjs has. */
const UNITS: readonly (readonly [string, string])[] = [
  ['km', 'km|kilomet(?:er|re)s?|kilomètres?|kilómetros?'],
  ['m', 'm|met(?:er|re)s?|mètres?|metros?'],
  ['cm', 'cm|centimet(?:er|re)s?|zentimeter|centimètres?|centímetros?'],
  ['mm', 'mm|millimet(?:er|re)s?|millimètres?|milímetros?'],
  ['mile', 'miles?|meilen?|milles?|millas?'],
  ['yard', 'yards?'],
  ['foot', 'foot|feet|fuß|pieds?|pies?'],
  ['inch', 'inch(?:es)?|zoll|pouces?|pulgadas?'],
  ['kg', 'kg|kilos?|kilograms?|kilogramm|kilogrammes?|kilogramos?'],
  ['g', 'g|grams?|gramm|grammes?|gramos?'],
  ['lb', 'lbs?|pounds?|pfund|libras?'],
  ['oz', 'oz|ounces?|unzen?|onces?|onzas?'],
  ['litre', 'l|lit(?:er|re)s?|litros?'],
  ['ml', 'ml|millilit(?:er|re)s?|mililitros?'],
  ['gallon', 'gallons?|gallonen?|galones?'],
  ['cup', 'cups?'],
  ['degC', '°c|degrees? c|c|(?:degrees? )?celsius|grad celsius|degrés celsius|grados celsius'],
  ['degF', '°f|degrees? f|f|(?:degrees? )?fahrenheit|grad fahrenheit|degrés fahrenheit|grados fahrenheit'],
  ['second', 'seconds?|sekunden?|secondes?|segundos?'],
  ['minute', 'min|minutes?|minuten?|minutos?'],
  ['hour', 'hours?|stunden?|heures?|horas?'],
  ['day', 'days?|tagen?|tage|jours?|días?'],
  ['week', 'weeks?|wochen?|semaines?|semanas?'],
]
const UNIT = UNITS.map(([, words]) => words).join('|')
const nameOf = (label: string): string =>
  UNITS.find(([, one]) => new RegExp(`^(?:${one})$`, 'iu').test(label))?.[0] ?? ''

const ROOT = form(
  `(?:square root of|(?:quadrat)?wurzel (?:von|aus)|racine carrée de|raíz cuadrada de) (${NUMBER})`,
)
/** "12 miles to kilometres", and "how many minutes are in 3.5 hours". */
const CONVERSION = form(`(${NUMBER}) ?(${UNIT}) (?:(?:of|de) \\p{L}+ )?(?:to|in|into|as|nach|en|a) (${UNIT})`)
const HOW_MANY = form(
  `(?:how many|wie ?viele|combien de|cuánt[oa]s) (${UNIT}) (?:(?:are|is|sind|hat|haben|y a[- ]t[- ]il|font|hay|son|tiene|tienen) )?(?:(?:there|es) )?(?:(?:in|dans|en) )?(?:(an?|one|eine?[rm]?|une?|una?) |(${NUMBER}) ?)(${UNIT})`,
)
const SHARED = form(
  `(?:split|share|divide|distribute|teile|verteile|partage|reparte|divide) (?:\\$|€|£)?(${NUMBER})( ?\\p{L}+ | )(?:evenly |equally |gleichmäßig )?(?:among|between|by|auf|unter|durch|entre|par) (${NUMBER})`,
)
/** "3 lamps at 24.90 each": a price is told from a time by its places, its currency or "each". */
const PRICED = form(
  `(\\d{1,6}) (?:\\p{L}+ ){1,3}(?:(?:at|for|zu|für|à|pour|a|por) )(?:€|\\$|£)?(${NUMBER})( ?(?:${MONEY}))?( (?:each|apiece|per piece|a piece|pro stück|das stück|je|chacune?|pièce|cada un[oa]))?`,
)

const PERCENT = '(?:%|percent|prozent|pour cent|por ciento)'
/** "240 plus 15%", "20% off 80", "a 20% tip on 84.50", "what percentage of 80 is 20". */
const CHANGED = form(`(${NUMBER}) ?(plus|minus|más|moins|menos|\\+|-) ?(${NUMBER}) ?${PERCENT}`)
const OFF = form(`(${NUMBER}) ?${PERCENT} off(?: of)? (?:${MONEY})?(${NUMBER})`)
const TIP = form(
  `(${NUMBER}) ?${PERCENT} (?:tip|trinkgeld|tax|vat) (?:on|of|für|auf) (?:€|\\$|£)?(${NUMBER})`,
)
const PERCENTAGE = form(
  `(?:what (?:percentage|percent|%)|wie ?viel prozent|quel pourcentage|qué porcentaje) (?:of|von|de) (${NUMBER}) (?:is|are|sind|ist|représente|es) (${NUMBER})`,
)
/** Parts of a number by their names, in the languages that Loam comes with. */
const PARTS: readonly (readonly [string, string])[] = [
  ['1/2', 'half of|die hälfte von|la moitié de|la mitad de'],
  ['1/3', 'a third of|one third of|ein drittel von|un tiers de|un tercio de'],
  ['1/4', 'a quarter of|one quarter of|ein viertel von|un quart de|un cuarto de'],
  ['2', 'das doppelte von|le double de|el doble de'],
]
/** "the average of 4, 8 and 15", "the sum of 12, 15 and 20". */
const LISTED = form(
  `(average|mean|durchschnitt|mittelwert|moyenne|promedio|media|sum|summe|somme|suma) (?:of|von|de) (${NUMBER}(?:,? (?:(?:and|und|et|y) )?${NUMBER}){1,20})`,
)
const POWER = form(`(${NUMBER}) (squared|cubed|im quadrat|au carré|al cuadrado)`)
const FRACTION = form(`(\\d{1,4}/\\d{1,4}) (?:of|von|de) (${NUMBER})`)

/** A number as people write it, for mathjs. */
const plainNumber = (text: string): string => text.replace(/,(?=\d{3}(?!\d))/g, '').replace(',', '.')

const converted = (words: string, value: string, from: string, to: string): WordedSum[] => {
  const [unit, name] = [nameOf(from.toLowerCase()), nameOf(to.toLowerCase())]
  return unit === '' || name === '' || unit === name
    ? []
    : [{ words, signs: `${plainNumber(value)} ${unit} to ${name}`, unit: { name, label: to } }]
}

function pricedIn(text: string): WordedSum[] {
  const prices = [...text.matchAll(PRICED)].filter(
    ([, , price = '', money, each]) => /[.,]\d\d$/.test(price) || money !== undefined || each !== undefined,
  )
  const signs = prices.map(([, count = '', price = '']) => `${count} * ${plainNumber(price)}`)
  if (prices.length === 0) return []
  const words = prices.map(([whole]) => whole).join(' + ')
  return [{ words, signs: signs.join(' + '), unit: null }]
}

/** Calculations of one number by another, by how people word them. `words`: default: as they stand there. */
const FORMS: readonly {
  readonly of: RegExp
  readonly signs: (...parts: string[]) => string
  readonly words?: (...parts: string[]) => string
  /** Whether it is one after all. Default: it is. */
  readonly isOne?: (...parts: string[]) => boolean
}[] = [
  {
    of: CHANGED,
    // "10 - 15%" is a range.
    isOne: (value, sign, share) => sign !== '-' || Number(value) > Number(share),
    signs: (value, sign = '', share) =>
      `${value} * (1 ${/^(?:plus|más|\+)$/iu.test(sign) ? '+' : '-'} ${share} / 100)`,
  },
  { of: OFF, signs: (share, value) => `${value} * (1 - ${share} / 100)` },
  { of: TIP, signs: (share, value) => `${value} * ${share} / 100` },
  {
    of: PERCENTAGE,
    signs: (whole, part) => `${part} / ${whole} * 100`,
    words: (whole, part) => `${part} / ${whole} in %`,
  },
  { of: FRACTION, signs: (share, value) => `${share} * ${value}` },
  ...PARTS.map(([share, words]) => ({
    of: form(`(?:${words}) (${NUMBER})`),
    signs: (value = '') => `${share} * ${value}`,
  })),
  { of: POWER, signs: (value, power = '') => `${value} ^ ${/^cubed$/iu.test(power) ? 3 : 2}` },
  {
    of: LISTED,
    signs: (what = '', list = '') =>
      `${/^(?:sum|summe|somme|suma)$/iu.test(what) ? 'sum' : 'mean'}(${(list.match(/\d(?:[\d.]{0,14}\d)?/g) ?? []).join(', ')})`,
  },
  { of: ROOT, signs: (value) => `sqrt(${value})` },
  {
    of: SHARED,
    signs: (value, _what, count) => `${value} / ${count}`,
    words: (value, what = '', count) => `${value}${what.trimEnd()} / ${count}`,
  },
]

/** The calculations that a message says in words: shares, roots, numbers in a row, units and prices. */
export const wordedSums = (text: string): WordedSum[] => [
  ...FORMS.flatMap(({ of, signs, words, isOne }) =>
    [...text.matchAll(of)]
      .filter(([, ...parts]) => isOne?.(...parts.map(plainNumber)) ?? true)
      .map(([whole, ...parts]) => ({
        words: words?.(...parts) ?? whole,
        signs: signs(...parts.map(plainNumber)),
        unit: null,
      })),
  ),
  ...[...text.matchAll(CONVERSION)].flatMap(([, value = '', from = '', to = '']) =>
    converted(`${value} ${from}`, value, from, to),
  ),
  ...[...text.matchAll(HOW_MANY)].flatMap(([, to = '', one, value = '1', from = '']) =>
    converted(`${one ?? value} ${from}`, one === undefined ? value : '1', from, to),
  ),
  ...pricedIn(text),
]
