import { stat } from 'node:fs/promises'
import { cannotWrite, type ModelInfo } from '../../shared/domain/model'
import type { Host } from '../host/host'
import type { ModelProfiles } from './model-profiles'

/** Part of this machine's memory that a model's file may take, so that its cache and other programs have room. */
const PART_OF_MEMORY = 0.6
/** Bits of a weight where a file does not say how they are written. */
const USUAL_BITS = 5

/** Bits of a weight, by the name of how weights are written. */
export function bitsOf(quantization: string | null | undefined): number {
  if (quantization === null || quantization === undefined) return USUAL_BITS
  if (quantization === 'F32') return 32
  if (/^B?F16$/.test(quantization)) return 16
  if (/^MXFP4/.test(quantization)) return 4.5
  const [, digit] = /^(?:I|T)?Q(\d)/.exec(quantization) ?? []
  return digit === undefined ? USUAL_BITS : Number(digit) + 0.5
}

/** About how many weights a model has, by the size of its files. */
export const weightsOf = ({
  sizeBytes,
  quantization,
}: Pick<ModelInfo, 'sizeBytes' | 'quantization'>): number => (sizeBytes * 8) / bitsOf(quantization)

/** A size as makers write it into names: `smollm2:135m`, `Llama-3.2-1B`, `mixtral:8x7b`. */
const SIZE_IN_NAME = /(?:^|[-_ :/])(?:(\d{1,2})x)?(\d{1,4}(?:\.\d{1,2})?)([mb])(?=$|[-_ :.@])/i

/** How many weights a model has by its name; null where that says no size. */
export function weightsByName(name: string): number | null {
  const [, count = '1', size, unit = ''] = SIZE_IN_NAME.exec(name) ?? []
  return size === undefined ? null : Number(count) * Number(size) * (unit.toLowerCase() === 'b' ? 1e9 : 1e6)
}

/** The same of a model named by its path: of one that was found, else by the size of its file; by its name for what is no file. */
export async function weightsAt(path: string, models: readonly ModelInfo[]): Promise<number | null> {
  const model = models.find((one) => one.path === path)
  if (model) return weightsOf(model)
  const file = await stat(path).catch(() => null)
  return file?.isFile() ? weightsOf({ sizeBytes: file.size, quantization: null }) : weightsByName(path)
}

/** About how many weights a model has at least that is taken to call tools as they are meant, before it was measured. */
const LEAST_WEIGHTS_FOR_TOOLS = 1e9

/** Whether a model uses tools well: as was measured, or else by its size. */
export async function usesTools(
  model: string,
  { foundModels }: Pick<Host, 'foundModels'>,
  profiles: Pick<ModelProfiles, 'callsTools'>,
): Promise<boolean> {
  const callsTools = await profiles.callsTools(model)
  if (callsTools !== null) return callsTools
  const weights = await weightsAt(model, (await foundModels()).models)
  return weights === null || weights >= LEAST_WEIGHTS_FOR_TOOLS
}

/**
 * The model that answers where nobody chose one: the largest that can hold a dialog and leaves room in this machine's memory. Tight ones, base
 * models and the demo model only where there is nothing else; of two alike the first by name. Null where none can write, or none fits at all.
 */
export function usualModel(models: readonly ModelInfo[], memoryBytes: number): ModelInfo | null {
  const writing = models.filter(
    (model) => cannotWrite(model) === null && model.sizeBytes > 0 && model.sizeBytes <= memoryBytes,
  )
  const rank = (model: ModelInfo): number =>
    (model.demo ? 0 : 4) +
    (model.base === true || model.chatTemplate === false ? 0 : 2) +
    (model.sizeBytes <= memoryBytes * PART_OF_MEMORY ? 1 : 0)
  const better = (a: ModelInfo, b: ModelInfo): number => {
    const fits = rank(a) % 2 === 1
    const byWeights = fits ? weightsOf(b) - weightsOf(a) : weightsOf(a) - weightsOf(b)
    return rank(b) - rank(a) || byWeights
  }
  return writing.toSorted(better)[0] ?? null
}

/** The same list, the model that answers where nobody chose one marked. */
export function withUsual(models: readonly ModelInfo[], memoryBytes: number): ModelInfo[] {
  const usual = usualModel(models, memoryBytes)
  return models.map((model) => (model === usual ? { ...model, usual: true } : model))
}
