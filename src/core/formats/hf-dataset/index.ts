import { stringify } from 'yaml'
import type { Format } from '../format'
import { writeParquet } from '../parquet/table'
import { UNITS } from '../units'

const DATA = 'data/train-00000-of-00001.parquet'

/** A folder as the Hub and `datasets.load_dataset` read it. Reading it back is reading its table. */
export const hfDataset: Format = {
  id: 'hf-dataset',
  title: 'Hugging Face dataset (folder)',
  writtenFor: 'datasets 2.14 and later: README.md with configs, and a Parquet file per split',
  ...UNITS,
  loses: 'Attempts, rubrics, soft prompts, and what is deleted or was replaced.',
  written: 'folder',
  fileName: ({ fileName }) => `${fileName}-dataset`,
  async *write(source, options) {
    const counts = new Map<string, number>()
    for await (const { bytes, counts: own } of writeParquet(source, options)) {
      for (const [holds, count] of own) {
        counts.set(holds, (counts.get(holds) ?? 0) + count)
        yield { text: '', holds, count, file: DATA }
      }
      yield { text: '', holds: null, file: DATA, bytes }
    }
    const total = [...counts.values()].reduce((sum, count) => sum + count, 0)
    const card = {
      pretty_name: source.name,
      tags: ['agent-memory'],
      size_categories: [sizeOf(total)],
      configs: [{ config_name: 'default', data_files: [{ split: 'train', path: DATA }] }],
    }
    const lines = [
      `# ${source.name}`,
      '',
      'What agents learned, an item per row. `text` is the item in full, `vector` its embedding',
      `by the encoder \`${source.embedder.id}\` (${source.embedder.dimension} numbers), \`loam\` what Loam needs to bring the item back.`,
      '',
      '| kind | rows |',
      '|---|---|',
      ...Array.from(counts, ([kinds, count]) => `| ${kinds} | ${count} |`),
    ]
    yield { text: `---\n${stringify(card)}---\n\n${lines.join('\n')}\n`, holds: null, file: 'README.md' }
  },
}

/** The Hub's words for sizes. */
const sizeOf = (rows: number): string =>
  rows < 1_000 ? 'n<1K' : rows < 10_000 ? '1K<n<10K' : rows < 100_000 ? '10K<n<100K' : '100K<n<1M'
