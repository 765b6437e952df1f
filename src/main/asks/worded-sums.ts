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
  ['m', 'met(?:er|re)s?|mètres?|metros?'],
  ['cm', 'cm|centimet(?:er|re)s?|zentimeter|centimètres?|centímetros?'],
  ['mm', 'mm|millimet(?:er|re)s?|millimètres?|milímetros?'],
  ['mile', 'miles?|meilen?|milles?|millas?'],
  ['yard', 'yards?'],
  ['foot', 'foot|feet|fuß|pieds?|pies?'],
  ['inch', 'inch(?:es)?|zoll|pouces?|pulgadas?'],
  ['kg', 'kg|kilos?|kilograms?|kilogramm|kilogrammes?|kilogramos?'],
  ['g', 'grams?|gramm|grammes?|gramos?'],
  ['lb', 'lbs?|pounds?|pfund|libras?'],
  ['oz', 'oz|ounces?|unzen?|onces?|onzas?'],
  ['litre', 'lit(?:er|re)s?|litros?'],
  ['ml', 'ml|millilit(?:er|re)s?|mililitros?'],
  ['gallon', 'gallons?|gallonen?|galones?'],
  ['cup', 'cups?'],
  ['degC', '°c|(?:degrees? )?celsius|grad celsius|degrés celsius|grados celsius'],
  ['degF', '°f|(?:degrees? )?fahrenheit|grad fahrenheit|degrés fahrenheit|grados fahrenheit'],
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
const CONVERSION = form(`(${NUMBER}) ?(${UNIT}) (?:to|in|into|as|nach|en|a) (${UNIT})`)
const HOW_MANY = form(
  `(?:how many|wie ?viele|combien de|cuánt[oa]s) (${UNIT}) (?:(?:are|is|sind|hat|haben|y a[- ]t[- ]il|font|hay|son|tiene|tienen) )?(?:(?:there|es) )?(?:(?:in|dans|en) )?(?:(an?|one|eine?[rm]?|une?|una?) |(${NUMBER}) ?)(${UNIT})`,
)
const SHARED = form(
  `(?:split|share|divide|distribute|teile|verteile|partage|reparte|divide) (?:\\$|€|£)?(${NUMBER}) ?(?:\\p{L}+ )?(?:evenly |equally |gleichmäßig )?(?:among|between|by|auf|unter|durch|entre|par) (${NUMBER})`,
)
/** "3 lamps at 24.90 each": a price is told from a time by its places, its currency or "each". */
const PRICED = form(
  `(\\d{1,6}) (?:\\p{L}+ ){1,3}(?:(?:at|for|zu|für|à|pour|a|por) )(?:€|\\$|£)?(${NUMBER})( ?(?:${MONEY}))?( (?:each|apiece|per piece|a piece|pro stück|das stück|je|chacune?|pièce|cada un[oa]))?`,
)

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

/** The calculations that a message says in words: roots, units, shares and prices. */
export const wordedSums = (text: string): WordedSum[] => [
  ...[...text.matchAll(ROOT)].map(([words, value = '']) => ({
    ...{ words, signs: `sqrt(${plainNumber(value)})`, unit: null },
  })),
  ...[...text.matchAll(CONVERSION)].flatMap(([, value = '', from = '', to = '']) =>
    converted(`${value} ${from}`, value, from, to),
  ),
  ...[...text.matchAll(HOW_MANY)].flatMap(([, to = '', one, value = '1', from = '']) =>
    converted(`${one ?? value} ${from}`, one === undefined ? value : '1', from, to),
  ),
  ...[...text.matchAll(SHARED)].map(([words, value = '', count = '']) => ({
    ...{ words, signs: `${plainNumber(value)} / ${plainNumber(count)}`, unit: null },
  })),
  ...pricedIn(text),
]
