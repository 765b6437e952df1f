import { LoamError } from '../../shared/errors'
import { encoderWords, rowsOfWord, tongueOf, TONGUES } from './encoder-words'
import { encoderKernel, type EncoderKernel } from './encoder-kernel'
import { hash32 } from './hash32'
import { termsOf } from './terms'

const MAGIC = 'LOAMENC2'
const MOST_KEPT = 20_000
/** A letter that is not Latin. */
const OTHER_SCRIPT = /[^\p{Script=Latin}\P{L}]/u
/** Numbers of a vector that a word of another script changes, and by how much: a row of its own, as long as most. */
const MARKS = 16
const MARK = 0.5
/** The number by which a vector tells its text's language: two texts of one are nearer than others by its square. */
const TONGUE = 0.2
/** What two texts of one language come to by that alone. */
export const SAME_TONGUE = TONGUE ** 2 / (1 + TONGUE ** 2)

/**
 * A sentence encoder without a neural runtime: rows of words and pieces are added, the sum is brought to unit length, one hidden layer over it is
 * added, and the whole is brought to unit length again. Words of scripts other than Latin have no rows: they are told apart, not understood. Written by
 * models/training/encoder.
 *
 * File: "LOAMENC2", u32 length of a JSON header `{dimension, units, hidden}`, the header, u32 length of the unit strings (UTF-8, one a line), the
 * strings, padding to 4; float32 scales (one a unit, one a row of W1, one a row of W2) and biases; the units' rows with two numbers a byte, lower half
 * first; int8 rows of W1 and W2 (hidden x dimension each).
 */
export class StaticEncoder {
  readonly dimension: number
  /** First row of each language, by its mark: the most usual word. */
  readonly #starts = new Map<string, number>()
  readonly #units = new Map<string, number>()
  readonly #kernel: EncoderKernel
  readonly #pieces = new Map<string, readonly number[]>()

  /** @throws LoamError `EMBEDDER_MISSING` when the bytes are no such file, or cut */
  constructor(bytes: Uint8Array) {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    const text = new TextDecoder()
    const at = (from: number, size: number): string => {
      if (from + size > bytes.length) throw damaged('it is cut')
      return text.decode(bytes.subarray(from, from + size))
    }
    if (at(0, Math.min(MAGIC.length, bytes.length)) !== MAGIC) throw damaged('it does not begin as one')
    const headerEnd = 12 + view.getUint32(8, true)
    const header = JSON.parse(at(12, headerEnd - 12)) as { dimension: number; units: number; hidden: number }
    const stringsEnd = headerEnd + 4 + view.getUint32(headerEnd, true)
    const scalesAt = (stringsEnd + 3) & ~3
    const scales = header.units + 3 * header.hidden
    const rowsAt = scalesAt + 4 * scales
    const layerAt = rowsAt + (header.units * header.dimension) / 2
    if (bytes.length !== layerAt + 2 * header.hidden * header.dimension) throw damaged('it is cut')
    for (const unit of at(headerEnd + 4, stringsEnd - headerEnd - 4).split('\n')) {
      const row = this.#units.size
      const mark = unit.slice(0, unit.indexOf(':') + 1)
      if (!this.#starts.has(mark)) this.#starts.set(mark, row)
      this.#units.set(unit, row)
    }
    if (this.#units.size !== header.units) throw damaged('its units are not what it says')
    const { units, dimension, hidden } = header
    const all = Float32Array.from({ length: scales }, (_, i) => view.getFloat32(scalesAt + 4 * i, true))
    this.dimension = dimension
    this.#kernel = encoderKernel({
      dimension,
      hidden,
      units: bytes.subarray(rowsAt, layerAt),
      scales: all.subarray(0, units),
      layer: new Int8Array(bytes.buffer, bytes.byteOffset + layerAt, bytes.length - layerAt),
      layerScales: all.subarray(units),
    })
  }

  /** Unit vector of a text; one without a known word gets the zero vector, which is like nothing. */
  embed(text: string): Float32Array {
    const words = encoderWords(text)
    const mark = tongueOf(words)
    const vector = new Float32Array(this.dimension)
    const rows = words.flatMap((word) => this.#rowsOf(word, mark))
    this.#kernel.addUnits(vector, rows)
    if (OTHER_SCRIPT.test(text)) addOtherScripts(vector, text)
    if (!toUnit(vector)) return vector
    // What a sum cannot tell.
    this.#kernel.addHidden(vector)
    if (words.length > 0) tellTongue(vector, mark)
    toUnit(vector)
    return vector
  }

  /** The place of a word among those of its language, the most usual 0; of several languages the first place. Null for a word without a row. */
  rank(word: string): number | null {
    const plain = word.replaceAll('ß', 'ss')
    const ranks = [...this.#starts].flatMap(([mark, start]) => {
      const row = this.#units.get(mark + plain)
      return row === undefined ? [] : [row - start]
    })
    return ranks.length === 0 ? null : Math.min(...ranks)
  }

  #rowsOf(word: string, mark: string): readonly number[] {
    const name = mark + word
    const before = this.#pieces.get(name)
    if (before) return before
    const rows = rowsOfWord(word, mark, (unit) => this.#units.get(unit))
    if (this.#pieces.size >= MOST_KEPT) this.#pieces.clear()
    this.#pieces.set(name, rows)
    return rows
  }
}

function tellTongue(vector: Float32Array, mark: string): void {
  const first = vector.length - TONGUES.length
  vector.fill(0, first)
  toUnit(vector)
  vector[first + TONGUES.indexOf(mark)] = TONGUE
}

function addOtherScripts(vector: Float32Array, text: string): void {
  for (const { term, kind } of termsOf(text)) {
    if (kind !== 'word' || !OTHER_SCRIPT.test(term)) continue
    for (let mark = 0; mark < MARKS; mark++) {
      const hash = hash32(`${mark} ${term}`)
      const at = (hash >>> 1) % vector.length
      vector[at] = (vector[at] as number) + (hash & 1 ? MARK : -MARK)
    }
  }
}

function toUnit(vector: Float32Array): boolean {
  let square = 0
  for (const value of vector) square += value * value
  if (!(square > 0)) return false
  const scale = 1 / Math.sqrt(square)
  for (let i = 0; i < vector.length; i++) vector[i] = (vector[i] as number) * scale
  return true
}

const damaged = (why: string): LoamError =>
  new LoamError('EMBEDDER_MISSING', `The file of the built-in embedding model cannot be read: ${why}.`, {
    suggestion: 'Install Loam again, or choose the built-in word matcher.',
  })
