import { basename } from 'node:path'
import type { RecommendedSampling } from '../../core/ground/chat'
import type { GgufScalar } from './gguf-header'

type Metadata = ReadonlyMap<string, GgufScalar>

/** How weights are written, at the end of a file's name. */
const QUANTIZATION = /[-._](?:i1-)?(?:I?Q\d\w{0,12}|BF16|F16|F32|FP16|MXFP4\w{0,12}|TQ\d_\d)$/i
const PART = /-\d{5}-of-\d{5}$/
/** "135M", "7B", "8x7B", "1.5b". */
const SIZE = /(?:^|[-_ .])(?:\d+x)?\d+(?:\.\d+)?[mb](?=$|[-_ .])/i

/**
 * What people call a model: "SmolLM2 135M Instruct". The name of its file where that has a size in it, as those of the makers do, without how
 * the weights are written; else what the file says of itself, else the file's name as it is.
 */
export function modelTitle(path: string, metadata: Metadata, otherwise?: string): string {
  const file = basename(path).replace(/\.gguf$/i, '')
  const stem = file.replace(PART, '').replace(QUANTIZATION, '')
  if (SIZE.test(stem)) return stem.replace(/[-_ ]?gguf$/i, '').replace(/[-_]+/g, ' ')
  const name = metadata.get('general.name')
  return typeof name === 'string' && name !== '' ? name : (otherwise ?? file)
}

/** Endings by which makers name what was trained on texts alone, and on no dialogs. */
const BASE = /(?:^|[-_ .])(?:base|pt|pretrained|foundation)(?=$|[-_ .])/i
const TUNED = /(?:^|[-_ .])(?:instruct|chat|it|assistant|dpo|sft)(?=$|[-_ .])/i

/** Whether a model goes on with texts and was not trained to answer: it has no chat template, or its makers say so in its name. */
export function isBaseModel(path: string, metadata: Metadata): boolean {
  if (typeof metadata.get('tokenizer.chat_template') !== 'string') return true
  const names = [basename(path).replace(/\.gguf$/i, ''), metadata.get('general.finetune')].map(String)
  return names.some((name) => BASE.test(name)) && !names.some((name) => TUNED.test(name))
}

/** What the makers of common families recommend for plain dialogs, by the model's name; the first that fits counts. */
const FAMILIES: readonly (readonly [RegExp, RecommendedSampling])[] = [
  [/smollm3/i, { temperature: 0.6, topP: 0.95 }],
  [/smollm/i, { temperature: 0.2, topP: 0.9 }],
  [/qwen/i, { temperature: 0.7, topP: 0.8, topK: 20 }],
  [/deepseek-r1|deepseek r1/i, { temperature: 0.6, topP: 0.95 }],
  [/llama[-_ ]?[34]/i, { temperature: 0.6, topP: 0.9 }],
  [/gemma/i, { temperature: 1, topP: 0.95, topK: 64 }],
  [/(?:mistral|ministral)/i, { temperature: 0.15 }],
  [/gpt-oss/i, { temperature: 1, topP: 1 }],
]

/** How a model wants to be sampled: as its file says, else as the makers of its family do; null where neither is known. */
export function recommendedSampling(metadata: Metadata, path: string): RecommendedSampling | null {
  const number = (key: string): number | undefined => {
    const value = metadata.get(`general.sampling.${key}`)
    return typeof value === 'number' ? value : undefined
  }
  const [temperature, topP, topK, minP] = ['temp', 'top_p', 'top_k', 'min_p'].map(number)
  if (temperature !== undefined)
    return {
      temperature,
      ...(topP !== undefined && { topP }),
      ...(topK !== undefined && { topK }),
      ...(minP !== undefined && { minP }),
    }
  const names = `${basename(path)} ${String(metadata.get('general.basename') ?? '')} ${String(metadata.get('general.name') ?? '')}`
  return samplingOfFamily(names)
}

/** How the makers of the family that `name` tells want it sampled; null where they are not known. */
export const samplingOfFamily = (name: string): RecommendedSampling | null =>
  FAMILIES.find(([family]) => family.test(name))?.[1] ?? null
