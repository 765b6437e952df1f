/** The sizes of a model that decide what training a soft prompt costs. */
export interface ModelSizes {
  readonly layers: number
  /** Width of the residual stream. */
  readonly width: number
  readonly heads: number
  readonly keyHeads: number
  readonly headWidth: number
  readonly feedForward: number
  readonly vocabulary: number
  /** Bytes of the weights in the file. */
  readonly weightBytes: number
  /** Values in all matrices a gradient passes through. */
  readonly matrixValues: number
}

/** How the transposed weights of the backward pass are had. */
export type TransposeMode = 'stored-f32' | 'stored-bf16' | 'on-the-fly'

export interface TrainingEstimate {
  /** The weights, which stay in the file and are mapped. */
  readonly weightBytes: number
  /** Everything else. */
  readonly workBytes: number
  readonly transposes: TransposeMode
  /** Floating-point operations of one step over one sequence of the longest length. */
  readonly operationsPerSequence: number
}

/** Rows of logits computed at once: about 64 MiB of them, 16 to 256 rows. */
export const headRows = (vocabulary: number): number =>
  Math.max(16, Math.min(256, 2 ** Math.floor(Math.log2((64 * 2 ** 20) / (4 * vocabulary)))))

/** Values of a matrix turned around at once when it is done on the fly. */
export const FLY_VALUES = 1 << 24
/** Up to this many values are kept turned around in full precision: 256 MiB. */
const SMALL_MODEL_VALUES = 1 << 26

/** The process itself. */
const FIXED_BYTES = 64 * 2 ** 20

/**
 * What training at `lengths` (padded tokens) takes beside the weights: residual streams of all layers, one layer's
 * activations on the way back, one block of logits, and turned-around weights. Errs upwards: by a sixth for long sequences,
 * by more for short ones.
 */
export function estimateTraining(
  sizes: ModelSizes,
  lengths: readonly number[],
  mode: TransposeMode | 'auto',
  freeBytes: number,
): TrainingEstimate {
  const keptCount = lengths.reduce((sum, length) => sum + streamBytes(sizes, length), 0)
  const longest = Math.max(0, ...lengths)
  const logits = headRows(sizes.vocabulary) * sizes.vocabulary * 4
  // Graphs share their memory, so the largest counts.
  const graphs = Math.max(layerBytes(sizes, longest), 3 * logits)
  const base = FIXED_BYTES + keptCount + graphs + 3 * logits * Math.max(1, lengths.length)
  const turnedBytes = (candidate: TransposeMode) =>
    candidate === 'on-the-fly'
      ? Math.min(FLY_VALUES, sizes.matrixValues) * 10
      : sizes.matrixValues * (candidate === 'stored-f32' ? 4 : 2)
  const bytesOf = (candidate: TransposeMode) => base + turnedBytes(candidate)
  const fits = (candidate: TransposeMode) => bytesOf(candidate) + sizes.weightBytes <= freeBytes * 0.8
  const chosenMode: TransposeMode =
    mode !== 'auto'
      ? mode
      : sizes.matrixValues <= SMALL_MODEL_VALUES && fits('stored-f32')
        ? 'stored-f32'
        : fits('stored-bf16')
          ? 'stored-bf16'
          : 'on-the-fly'
  return {
    weightBytes: sizes.weightBytes,
    workBytes: bytesOf(chosenMode),
    transposes: chosenMode,
    operationsPerSequence: sequenceOperations(sizes, longest),
  }
}

/** Floating-point operations of one sequence of `rows` tokens, forward and back. */
export function sequenceOperations(
  { layers, heads, headWidth, matrixValues }: ModelSizes,
  rows: number,
): number {
  // Forward, once more while going back, and back: three products per weight and token, two operations each.
  return 6 * matrixValues * rows + 12 * layers * heads * headWidth * rows * rows
}

function streamBytes({ layers, width }: ModelSizes, length: number): number {
  // The mask is kept twice: on the device, and where it is written.
  return ((layers + 2) * width * length + 2 * length * length) * 4
}

function layerBytes({ width, heads, headWidth, feedForward }: ModelSizes, length: number): number {
  const rows = (2 * width + 4 * heads * headWidth + 2 * feedForward) * length
  return (rows + 3 * heads * length * length) * 4
}
