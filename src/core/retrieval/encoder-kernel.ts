/** encoder-kernel.wat, assembled. */
const BINARY =
  'AGFzbQEAAAABEQJgBn9/f39/fwBgBH9/f38AAwMCAAEFBQEBAYAgBxkDBm1lbW9yeQIABmhpZGRlbgAAA2FkZAABCtgFArEDAwZ/AX0EeyADQQJ0IQogAyAEbCELIAEhByACIQYDQP0MAAAAAAAAAA' +
  'AAAAAAAAAAACEO/QwAAAAAAAAAAAAAAAAAAAAAIQ8gACEIIAcgBGohCQNAIAf9AQMAIQ0gDiAN/acB/foBIAj9AAQA/eYB/eQBIQ4gDyAN/agB/foBIAj9AAQQ/eYB/eQBIQ8gB/0BAwghDSAOIA39' +
  'pwH9+gEgCP0ABCD95gH95AEhDiAPIA39qAH9+gEgCP0ABDD95gH95AEhDyAHQRBqIQcgCEHAAGohCCAHIAlJDQALIA4gD/3kASEOIA79HwAgDv0fAZIgDv0fAiAO/R8DkpIhDCAMIAYqAgCUIAYgCk' +
  'EBdGoqAgCSIQwgDEMAAAAAXgRAIAwgBiAKaioCAJT9EyEQIAUhCCAHIAtqIQkgCSAEayEHA0AgB/0BAwAhDSAIIAj9AAQAIA39pwH9+gEgEP3mAf3kAf0LBAAgCCAI/QAEECAN/agB/foBIBD95gH9' +
  '5AH9CwQQIAdBCGohByAIQSBqIQggByAJSQ0ACyAHIAtrIQcLIAZBBGohBiAGIAIgCmpJDQALC6ICAgN/A3sgAUUEQA8LA0AgACgCACEEIAD9CQIEIQkgAyEFIAQgAkEBdmohBgNAIAT9XQMAIQcgB/' +
  '0MDw8PDw8PDw8PDw8PDw8PD/1OIAdBBP1t/Q0AEAERAhIDEwQUBRUGFgcX/QwICAgICAgICAgICAgICAgI/XEhByAH/YcBIQggBSAF/QAEACAI/acB/foBIAn95gH95AH9CwQAIAUgBf0ABBAgCP2o' +
  'Af36ASAJ/eYB/eQB/QsEECAH/YgBIQggBSAF/QAEICAI/acB/foBIAn95gH95AH9CwQgIAUgBf0ABDAgCP2oAf36ASAJ/eYB/eQB/QsEMCAEQQhqIQQgBUHAAGohBSAEIAZJDQALIABBCGohACABQQ' +
  'FrIQEgAQ0ACws='

interface Exports {
  readonly memory: WebAssembly.Memory
  hidden(sum: number, layer: number, scales: number, hidden: number, width: number, target: number): void
  add(list: number, count: number, width: number, target: number): void
}

const PAGE = 65_536
/** Numbers of a row that the kernel takes at a time. */
const STEP = 16
/** Rows that it adds at a time. */
const MOST_ROWS = 1024
/** Two half bytes of 8: numbers that are 0. */
const ZEROS = 0x88

/** What an encoder is made of; a row has `dimension` numbers. They are copied. */
export interface EncoderParts {
  readonly dimension: number
  readonly hidden: number
  /** Units: rows of half bytes, the lower half first, of which 8 stands for 0, and a scale for each. */
  readonly units: Uint8Array
  readonly scales: Float32Array
  /** The hidden layer: `hidden` int8 rows of W1, then of W2; the scales of both and the biases. */
  readonly layer: Int8Array
  readonly layerScales: Float32Array
}

/** The sums of an encoder. */
export interface EncoderKernel {
  /** Adds units to a vector. */
  addUnits(vector: Float32Array, units: readonly number[]): void
  /** Adds W2^T relu(W1 x + b) to a vector x. */
  addHidden(vector: Float32Array): void
}

export function encoderKernel({ dimension, hidden, ...parts }: EncoderParts): EncoderKernel {
  const width = Math.ceil(dimension / STEP) * STEP
  const bytes = Uint8Array.from(atob(BINARY), (letter) => letter.charCodeAt(0))
  const kernel = new WebAssembly.Instance(new WebAssembly.Module(bytes)).exports as unknown as Exports
  const count = parts.scales.length
  let end = 0
  const place = (size: number): number => {
    const from = end
    end += Math.ceil(size / STEP) * STEP
    return from
  }
  const sumAt = place(4 * width)
  const targetAt = place(4 * width)
  const listAt = place(8 * MOST_ROWS)
  const scalesAt = place(4 * parts.layerScales.length)
  const layerAt = place(2 * hidden * width)
  const unitsAt = place((count * width) / 2)
  kernel.memory.grow(Math.ceil(end / PAGE))
  const { buffer } = kernel.memory
  new Float32Array(buffer, scalesAt, parts.layerScales.length).set(parts.layerScales)
  const layer = new Int8Array(buffer, layerAt, 2 * hidden * width)
  for (let row = 0; row < 2 * hidden; row++)
    layer.set(parts.layer.subarray(row * dimension, (row + 1) * dimension), row * width)
  const units = new Uint8Array(buffer, unitsAt, (count * width) / 2)
  if (width === dimension) units.set(parts.units)
  else {
    units.fill(ZEROS)
    for (let row = 0; row < count; row++)
      units.set(parts.units.subarray((row * dimension) / 2, ((row + 1) * dimension) / 2), (row * width) / 2)
  }
  const scales = parts.scales.slice()
  const sum = new Float32Array(buffer, sumAt, dimension)
  const target = new Float32Array(buffer, targetAt, dimension)
  const addresses = new Uint32Array(buffer, listAt, 2 * MOST_ROWS)
  const factors = new Float32Array(buffer, listAt, 2 * MOST_ROWS)
  return {
    addUnits(vector, rows) {
      target.set(vector)
      for (let start = 0; start < rows.length; start += MOST_ROWS) {
        const some = rows.slice(start, start + MOST_ROWS)
        for (const [i, row] of some.entries()) {
          addresses[2 * i] = unitsAt + (row * width) / 2
          factors[2 * i + 1] = scales[row] as number
        }
        kernel.add(listAt, some.length, width, targetAt)
      }
      vector.set(target)
    },
    addHidden(vector) {
      sum.set(vector)
      target.set(vector)
      kernel.hidden(sumAt, layerAt, scalesAt, hidden, width, targetAt)
      vector.set(target)
    },
  }
}
