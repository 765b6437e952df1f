import { readFile } from 'node:fs/promises'
import { z } from 'zod'
import {
  knownModelSchema,
  type AdvisedModel,
  type KnownModel,
  type Machine,
  type ModelAdvice,
  type ModelSeat,
} from '../../shared/domain/model-advice'
import type { ModelInfo } from '../../shared/domain/model'
import { LoamError } from '../../shared/errors'
import { bitsOf } from './usual-model'

const listSchema = z.object({
  format: z.literal(1),
  /** The day on which the list was written. */
  written: z.string().regex(/^20\d\d-\d\d-\d\d$/),
  models: z.array(knownModelSchema),
})
export type KnownModels = z.infer<typeof listSchema>

/** The models of models/known.json. @throws LoamError `DATA_CORRUPT` */
export async function loadKnownModels(file: string): Promise<KnownModels> {
  try {
    return listSchema.parse(JSON.parse(await readFile(file, 'utf8')))
  } catch (error) {
    throw new LoamError('DATA_CORRUPT', `The list of known models ${file} cannot be used.`, {
      suggestion: 'Install Loam again.',
      underlying: error,
    })
  }
}

/** Tokens of context that a model is to have room for. */
const CONTEXT = 8192
/** Bytes of cache for a token and a billion weights that are read for it: large for small models, small for large ones, a sixth to spare. */
const CACHE_PER_TOKEN = 24_000
/** What the engine computes in, in bytes. */
const COMPUTE_BYTES = 400e6
/** Parts of memory that a model may take: other programs need the rest. A card is there for it. */
const OF_RAM = 0.6
const OF_VRAM = 0.9
/** Part of what memory could give that a model gets out of it. */
const USE_OF_BANDWIDTH = 0.6
/** Words of an answer should come about as fast as a person reads. */
const READING_SPEED = 5

/** Bits of a weight in whole files, in which some parts are written finer than the name says. */
const BITS: Readonly<Record<string, number>> = { Q4_K_M: 4.9, Q8_0: 8.5, MXFP4: 4.65 }

const sizeOf = ({ weights, quantization }: KnownModel): number =>
  (weights * 1e9 * (BITS[quantization] ?? bitsOf(quantization))) / 8

function seatOf(needsBytes: number, { ramBytes, vramBytes }: Machine): ModelSeat {
  const [ram, vram] = [ramBytes * OF_RAM, (vramBytes ?? 0) * OF_VRAM]
  if (vram > 0 && needsBytes <= vram) return 'gpu'
  if (needsBytes <= ram) return 'cpu'
  return vram > 0 && needsBytes <= ram + vram ? 'both' : null
}

/** What is known of how fast a machine is, from models that were tried on it. */
interface Pace {
  /** Bytes of weights that are read in a second at most while a token is written, on the processor; null where nothing says so. */
  readonly reach: number | null
  /** What the known models do that are here and were tried, tokens in a second by id. */
  readonly speeds: ReadonlyMap<string, number>
}

/** Whether a file is the known model. */
const isKnown = ({ repo, quantization }: KnownModel, model: ModelInfo): boolean =>
  model.quantization === quantization &&
  `${model.id ?? ''} ${model.path.replaceAll('\\', '/')}`.toLowerCase().includes(`/${repo.toLowerCase()}/`)

/**
 * Memory gives at most `USE_OF_BANDWIDTH` of what copying came to. Where models were tried here, what the best of them got counts, if it is less: the
 * processor may be the limit.
 */
function paceOf(list: readonly KnownModel[], { bandwidth }: Machine, all: readonly ModelInfo[]): Pace {
  // Beside others' work a model was seen ten times slower than a minute later.
  const here = all.filter(({ speed }) => speed?.busy === false)
  const reaches = here.flatMap(({ speed }) => speed?.bytesPerSecond ?? [])
  const bound = bandwidth === null ? Infinity : bandwidth * USE_OF_BANDWIDTH
  const reach = Math.min(bound, reaches.length > 0 ? Math.max(...reaches) : Infinity)
  const speeds = list.flatMap((model) => {
    const speed = here.find((one) => isKnown(model, one))?.speed
    return speed ? [[model.id, speed.writing] as const] : []
  })
  return { reach: Number.isFinite(reach) ? reach : null, speeds: new Map(speeds) }
}

/** A model as a machine would have it. Without `pace` its speed is reckoned from how fast memory is read. */
export function fitTo(
  model: KnownModel,
  machine: Machine,
  { reach, speeds }: Pace = paceOf([], machine, []),
): AdvisedModel {
  const sizeBytes = Math.round(sizeOf(model))
  const needsBytes = Math.round(
    sizeBytes + CONTEXT * CACHE_PER_TOKEN * Math.sqrt(model.active) + COMPUTE_BYTES,
  )
  const seat = seatOf(needsBytes, machine)
  const readBytes = sizeBytes * (model.active / model.weights)
  const own = speeds.get(model.id)
  const speed = seat === 'cpu' && reach !== null ? reach / readBytes : null
  return {
    ...{ ...model, sizeBytes, needsBytes, seat },
    tokensPerSecond: own ?? speed,
    tried: own !== undefined,
  }
}

/**
 * Which known model suits a machine: of those that fit the one with most weights that answers about as fast as a person reads; on a
 * graphics card all that fit do. Of two alike the newer. Those that use tools come first. Where none is fast enough, the fastest.
 *
 * @param here models on this machine: what those were found to do that were tried counts before what is reckoned
 */
export function adviseModels(
  { written, models }: KnownModels,
  machine: Machine,
  here: readonly ModelInfo[] = [],
): ModelAdvice {
  const pace = paceOf(models, machine, here)
  const all = models.map((model) => fitTo(model, machine, pace))
  const seated = all.filter(({ seat }) => seat !== null)
  const handy = seated.filter(({ can }) => can.includes('tools'))
  const fitting = handy.length > 0 ? handy : seated
  const isFast = ({ seat, tokensPerSecond }: AdvisedModel): boolean =>
    seat === 'gpu' || (tokensPerSecond !== null && tokensPerSecond >= READING_SPEED)
  const bySize = (a: AdvisedModel, b: AdvisedModel): number =>
    rankOf(b) - rankOf(a) || (a.published < b.published ? 1 : -1)
  const [best] = fitting.filter(isFast).toSorted(bySize)
  const [fastest] = fitting.toSorted((a, b) => a.active - b.active)
  return { written, machine, models: all, best: (best ?? fastest)?.id ?? null }
}

/** About how much is in a model: of experts that take turns less is at work on a token. A fifth more or less is alike. */
const rankOf = ({ weights, active }: KnownModel): number =>
  Math.round(Math.log(Math.sqrt(weights * active)) / Math.log(1.2))
