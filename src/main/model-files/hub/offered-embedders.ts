import type { OfferedEmbedder } from '../../../shared/domain/download'

/**
 * Small embedding models that are offered where none is here. Both average over the tokens and want no words put before a text, as Loam
 * has it for encoders that do not say otherwise. What they weigh in bytes is what the hub says; here it is about.
 */
export const OFFERED_EMBEDDERS: readonly OfferedEmbedder[] = [
  {
    id: 'all-minilm-l6-v2',
    title: 'all-MiniLM-L6-v2',
    about: 'English. The smallest that compares meaning well; fast on any processor.',
    repo: 'Xenova/all-MiniLM-L6-v2',
    license: 'Apache-2.0',
    sizeBytes: 23.7e6,
  },
  {
    id: 'paraphrase-multilingual-minilm-l12-v2',
    title: 'paraphrase-multilingual-MiniLM-L12-v2',
    about: 'Fifty languages, and between them: choose it where tasks are not in English alone.',
    repo: 'Xenova/paraphrase-multilingual-MiniLM-L12-v2',
    license: 'Apache-2.0',
    sizeBytes: 136e6,
  },
]
