import type { MemoryStore, Embedder } from '../ground/ports'
import type { MethodInfo } from '../../shared/domain/method'
import { cosine } from './cosine'
import { LEXICAL_ID } from './lexical-embedder'

/** What texts without anything in common come to under an encoder: the zero of its scale. */
export interface Calibration {
  /** Median cosine of pairs of texts, in [0, 0.95]. Encoders differ: some put all texts near each other. */
  readonly unrelated: number
  /** Pairs it is the median of. */
  readonly pairs: number
  /** What the pairs were made of. */
  readonly from: 'space' | 'sentences' | 'nothing'
}

/** The word matcher needs none: texts without common words are at 0. */
export const UNCALIBRATED: Calibration = { unrelated: 0, pairs: 0, from: 'nothing' }

/** Different texts a memory must have to be calibrated by its own. */
const LEAST_TEXTS = 30
const MOST_TEXTS = 60
/** Texts looked at to draw from. */
const MOST_LOOKED_AT = 400
const HIGHEST = 0.95

/** For memories that have too little of their own: sentences about nothing in common. */
export const COHORT_SENTENCES: readonly string[] = [
  'The bakery on the corner opens at six in the morning.',
  'Delete every row whose status is cancelled.',
  'Glaciers carve valleys over thousands of years.',
  'Her brother plays the cello in a small orchestra.',
  'How many customers ordered more than three times in May?',
  'The engine overheats when the fan belt slips.',
  'Interest rates were raised by a quarter of a point.',
  'Compress the folder and copy it to the backup drive.',
  'Owls hunt at night by sound alone.',
  'Which river flows through the capital of Austria?',
  'He stirred the soup and added a little salt.',
  'The contract ends on the last day of March.',
  'Photosynthesis turns light into sugar.',
  'Please move my flight to Thursday afternoon.',
  'A proof by induction needs a base case.',
  'The museum lent two paintings to Madrid.',
  'Vaccines train the body to recognise a germ.',
  'List the files that changed since yesterday.',
  'The goalkeeper saved a penalty in the last minute.',
  'Concrete hardens even under water.',
  'My phone does not charge any more.',
  'The treaty was signed after ten years of war.',
  'Rotate the image and crop its left edge.',
  'Bees tell each other where flowers are by dancing.',
]

/** A cosine that is asked for on a scale where texts without relation are at 0, on the scale of an encoder. */
export const onScaleOf = ({ unrelated = 0 }: Pick<Embedder, 'unrelated'>, threshold: number): number =>
  unrelated + threshold * (1 - unrelated)

/** A cosine distance that is asked for on such a scale, on the scale of an encoder. */
export const distanceOnScaleOf = ({ unrelated = 0 }: Pick<Embedder, 'unrelated'>, distance: number): number =>
  distance * (1 - unrelated)

/** Calibrates an encoder by pairs of a memory's own texts, where it has at least 30, else by built-in sentences. The same memory gives the same. */
export async function calibrate(
  embedder: Embedder,
  bank: Pick<MemoryStore, 'writes' | 'experiences'> | null,
  signal?: AbortSignal,
): Promise<Calibration> {
  if (embedder.id === LEXICAL_ID) return UNCALIBRATED
  const own = bank === null ? [] : await textsOf(bank)
  const from = own.length >= LEAST_TEXTS ? 'space' : 'sentences'
  const step = Math.ceil(own.length / MOST_TEXTS)
  const texts = from === 'space' ? own.filter((_, i) => i % step === 0) : COHORT_SENTENCES
  const vectors = await embedder.embed(texts, { signal })
  const cosines = vectors.flatMap((a, i) => vectors.slice(i + 1).map((b) => cosine(a, b) ?? 0))
  cosines.sort((a, b) => a - b)
  const median = cosines[Math.floor(cosines.length / 2)] ?? 0
  return { unrelated: Math.min(HIGHEST, Math.max(0, median)), pairs: cosines.length, from }
}

type CalibratedBy = Pick<MemoryStore, 'writes' | 'experiences'>

/** Measured once per memory: runs that go on in it have what they began with on their record. */
const calibrationPromiseMapMap = new WeakMap<CalibratedBy, Map<string, Promise<Calibration>>>()

/**
 * An encoder on its own scale, for what compares by thresholds outside of runs. One that is on a scale already stays on it. Rejects as the encoder does,
 * and measures anew after that.
 */
export async function calibrated(
  embedder: Embedder,
  bank: CalibratedBy,
  signal?: AbortSignal,
): Promise<Embedder> {
  if (embedder.unrelated !== undefined || embedder.id === LEXICAL_ID) return embedder
  const calibrationPromiseMap = calibrationPromiseMapMap.get(bank) ?? new Map<string, Promise<Calibration>>()
  calibrationPromiseMapMap.set(bank, calibrationPromiseMap)
  const calibrationPromise = calibrationPromiseMap.get(embedder.id) ?? calibrate(embedder, bank, signal)
  calibrationPromiseMap.set(embedder.id, calibrationPromise)
  try {
    return { ...embedder, unrelated: (await calibrationPromise).unrelated }
  } catch (error) {
    calibrationPromiseMap.delete(embedder.id)
    throw error
  }
}

/** The encoder that a method is given outside of runs: on its own scale where the method compares by thresholds. */
export const encoderFor = async (
  { assumesMeaning }: Pick<MethodInfo, 'assumesMeaning'>,
  embedder: Embedder,
  bank: CalibratedBy,
): Promise<Embedder> => (assumesMeaning === undefined ? embedder : calibrated(embedder, bank))

/** Different texts that a memory is searched by, in order of arrival. */
async function textsOf(bank: Pick<MemoryStore, 'writes' | 'experiences'>): Promise<string[]> {
  const texts = new Set<string>()
  for await (const { case: output } of bank.writes(0)) {
    texts.add(output.state)
    if (texts.size >= MOST_LOOKED_AT) break
  }
  for (const { id } of bank.experiences.entries()) {
    if (texts.size >= MOST_LOOKED_AT) break
    const record = await bank.experiences.get(id)
    if (record) texts.add(record.experience.question)
  }
  return [...texts]
}
