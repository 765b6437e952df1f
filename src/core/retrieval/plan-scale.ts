import type { Embedder } from '../ground/ports'
import { onScaleOf } from './calibration'
import { cosine } from './cosine'

/**
 * Plans, a sentence a step, and each as somebody refines it who keeps what it is about: values filled in, a step put in, left out or moved, another tool in the place of one.
 */
const REFINED: readonly (readonly [plan: string, refined: string])[] = [
  [
    'Open the sheet. Find the column with the dates. Add up the amounts of May. Answer with the sum.',
    'Open the sheet. Add up the amounts of May by the column due_on. Answer with the sum.',
  ],
  [
    'Search the web for the author. Find the year of the first edition. Answer with the year.',
    'Search the library catalogue for the author. Find the year of the first edition. Check it in a second source. Answer with the year.',
  ],
  [
    'Reproduce the error with a test. Find the function that raises it. Fix the function. Run the tests.',
    'Find the function that raises the error. Reproduce it with a test of empty input. Fix the function. Run the tests.',
  ],
  [
    'List the files in the folder. Read the newest one. Report what changed.',
    'List the files in the folder, newest first. Read the first one and the one before. Report what changed between them.',
  ],
  [
    'Look up the code of the status. Look up how names are written. Run the statement. Answer with its rows.',
    'The code of the status is Q, names are in lower case. Run the statement. Answer with its rows.',
  ],
  [
    'Find the distance between both towns. Convert it to miles. Answer with the number.',
    'Find the distance between both towns in kilometres. Divide it by 1.609. Answer with the number of miles.',
  ],
  [
    'Ask for the booking number. Cancel the flight. Refund the price.',
    'Ask for the booking number. Check that the fare can be refunded. Cancel the flight. Refund the price.',
  ],
  [
    'Count the rows of the table. Leave out those that are deleted. Answer with the count.',
    'Count the rows of the table that are not deleted. Answer with the count.',
  ],
  [
    'Write a script that reads the log. Group the errors by hour. Plot them.',
    'Write a script that reads the log line by line. Skip lines without a time. Group the errors by hour. Plot them as bars.',
  ],
  [
    'Read the paper. Note its authors. Search what each wrote before. Name who published first.',
    'Note the authors of the paper. Search what each wrote before in a bibliography. Name who published first.',
  ],
]

/** Of the pairs, as many may be less alike than what counts as faithful. */
const FEW = 1

/** The threshold that the paper sets, which faithful refinements have to pass. */
const PASSES = 0.8

/** A plan as agents write it: a step for each sentence, numbered. */
const planOf = (sentences: string): string =>
  sentences
    .split(/(?<=\.) /)
    .map((step, i) => `${i + 1}. ${step}`)
    .join('\n')

/** Measured once per encoder that was opened. */
const measuredCountPromiseMap = new WeakMap<Embedder['embed'], Promise<number>>()

async function measure(embedder: Embedder, signal?: AbortSignal): Promise<number> {
  const vectors = await embedder.embed(REFINED.flat().map(planOf), { signal })
  const cosines = REFINED.map((_, i) => {
    const [a, b] = vectors.slice(2 * i)
    return (a && b && cosine(a, b)) ?? 0
  }).sort((a, b) => a - b)
  return cosines[FEW] ?? 0
}

/**
 * A cosine of a plan and a refined one that is asked for on the paper's scale, on the scale of an encoder: 0 is where texts without relation are, and 0.8 is
 * passed by all but few of ten faithful refinements, since encoders that look at words put these lower than those that look at meaning. 1 stays 1.
 */
export async function onScaleOfPlans(
  embedder: Embedder,
  threshold: number,
  signal?: AbortSignal,
): Promise<number> {
  const foundCountPromise = measuredCountPromiseMap.get(embedder.embed) ?? measure(embedder, signal)
  measuredCountPromiseMap.set(embedder.embed, foundCountPromise)
  const faithful = await foundCountPromise.catch((error: unknown) => {
    measuredCountPromiseMap.delete(embedder.embed)
    throw error
  })
  const plain = onScaleOf(embedder, PASSES)
  if (faithful >= plain || threshold <= 0) return onScaleOf(embedder, threshold)
  const zero = onScaleOf(embedder, 0)
  return threshold <= PASSES
    ? zero + (threshold / PASSES) * (faithful - zero)
    : faithful + ((threshold - PASSES) / (1 - PASSES)) * (1 - faithful)
}
