import type { Format } from '../format'
import { bySigns, sign } from '../../ground/recognition'
import { UNITS } from '../units'
import { readParquet, writeParquet } from './table'

/** The same rows as a Parquet table, each with its vector. */
export const parquet: Format = {
  id: 'parquet',
  title: 'Items with vectors (Parquet)',
  writtenFor:
    'Apache Parquet 2: the columns of the JSON lines, and vector, a list of 32-bit floats of the encoder that the memory uses',
  ...UNITS,
  loses:
    'Attempts, rubrics, soft prompts, and what is deleted or was replaced; vectors are made again when it is read.',
  written: 'binary',
  recognise: bySigns([sign(1, /^PAR1/)]),
  fileName: ({ fileName }) => `${fileName}-items.parquet`,
  async *write(source, options) {
    for await (const { bytes, counts } of writeParquet(source, options)) {
      for (const [holds, count] of counts) yield { text: '', holds, count }
      yield { text: '', holds: null, bytes }
    }
  },
  readBytes: readParquet,
}
