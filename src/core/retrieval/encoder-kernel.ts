/** encoder-kernel.wat, assembled. */
const BINARY =
  'AGFzbQEAAAABCgFgBn9/f39/fwADAgEABQQBAQFABxMCBm1lbW9yeQIABmhpZGRlbgAACrQDAbEDAwZ/AX0EeyADQQJ0IQogAyAEbCELIAEhByACIQYDQP0MAAAAAAAAAAAAAAAAAAAAACEO/QwAAA' +
  'AAAAAAAAAAAAAAAAAAIQ8gACEIIAcgBGohCQNAIAf9AQMAIQ0gDiAN/acB/foBIAj9AAQA/eYB/eQBIQ4gDyAN/agB/foBIAj9AAQQ/eYB/eQBIQ8gB/0BAwghDSAOIA39pwH9+gEgCP0ABCD95gH9' +
  '5AEhDiAPIA39qAH9+gEgCP0ABDD95gH95AEhDyAHQRBqIQcgCEHAAGohCCAHIAlJDQALIA4gD/3kASEOIA79HwAgDv0fAZIgDv0fAiAO/R8DkpIhDCAMIAYqAgCUIAYgCkEBdGoqAgCSIQwgDEMAAA' +
  'AAXgRAIAwgBiAKaioCAJT9EyEQIAUhCCAHIAtqIQkgCSAEayEHA0AgB/0BAwAhDSAIIAj9AAQAIA39pwH9+gEgEP3mAf3kAf0LBAAgCCAI/QAEECAN/agB/foBIBD95gH95AH9CwQQIAdBCGohByAI' +
  'QSBqIQggByAJSQ0ACyAHIAtrIQcLIAZBBGohBiAGIAIgCmpJDQALCw=='

interface Exports {
  readonly memory: WebAssembly.Memory
  hidden(sum: number, layer: number, scales: number, hidden: number, width: number, target: number): void
}

const PAGE = 65_536
/** Numbers of a row that the kernel takes at a time. */
const STEP = 16

/** What a hidden layer is made of: int8 rows of W1, then of W2 (`hidden` rows of `dimension` numbers each), and the scales of both and the biases. */
export interface HiddenLayer {
  readonly hidden: number
  readonly dimension: number
  readonly rows: Int8Array
  readonly scales: Float32Array
}

/** Adds W2^T relu(W1 x + b) to a vector x. */
export function hiddenLayer({
  hidden,
  dimension,
  rows,
  scales,
}: HiddenLayer): (vector: Float32Array) => void {
  const width = Math.ceil(dimension / STEP) * STEP
  const bytes = Uint8Array.from(atob(BINARY), (letter) => letter.charCodeAt(0))
  const kernel = new WebAssembly.Instance(new WebAssembly.Module(bytes)).exports as unknown as Exports
  const targetAt = 4 * width
  const scalesAt = 2 * targetAt
  const layerAt = scalesAt + Math.ceil((4 * scales.length) / STEP) * STEP
  kernel.memory.grow(Math.ceil((layerAt + 2 * hidden * width) / PAGE))
  const { buffer } = kernel.memory
  new Float32Array(buffer, scalesAt, scales.length).set(scales)
  const layer = new Int8Array(buffer, layerAt, 2 * hidden * width)
  for (let row = 0; row < 2 * hidden; row++)
    layer.set(rows.subarray(row * dimension, (row + 1) * dimension), row * width)
  const sum = new Float32Array(buffer, 0, dimension)
  const target = new Float32Array(buffer, targetAt, dimension)
  return (vector) => {
    sum.set(vector)
    target.set(vector)
    kernel.hidden(0, layerAt, scalesAt, hidden, width, targetAt)
    vector.set(target)
  }
}
