import type { Vocabulary } from '../../core/soft-prompts/reserved-tokens'
import { readGgufHeader } from './read-gguf'

const TOKENS = 'tokenizer.ggml.tokens'
const TYPES = 'tokenizer.ggml.token_type'
const ROLES = ['bos', 'eos', 'eot', 'eom', 'unknown', 'padding', 'seperator', 'cls', 'mask'] as const

/** Reads a model's vocabulary, and which tokens have a role of their own. Throws `MODEL_*`. */
export async function readVocabulary(
  path: string,
): Promise<{ readonly vocabulary: Vocabulary; readonly taken: ReadonlySet<number> }> {
  const { metadata, arrays } = await readGgufHeader(path, [TOKENS, TYPES])
  const scalars = ROLES.map((role) => metadata.get(`tokenizer.ggml.${role}_token_id`))
  return {
    vocabulary: {
      kind: String(metadata.get('tokenizer.ggml.model') ?? ''),
      texts: (arrays.get(TOKENS) ?? []).map(String),
      types: (arrays.get(TYPES) ?? []).map(Number),
    },
    taken: new Set(scalars.filter((id) => typeof id === 'number')),
  }
}
