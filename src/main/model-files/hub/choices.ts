import { basename } from 'node:path/posix'
import type { HubChoice, HubFile } from '../../../shared/domain/download'
import { roughFit } from '../../../shared/domain/download'

const PART = /-(\d{5})-of-(\d{5})\.gguf$/i
/** How quantizations are written in names of files. */
const QUANT =
  /(?:^|[-._])((?:UD-)?(?:IQ\d_(?:XXS|XS|NL|S|M|XL)|Q\d(?:_[01KLMSX]{1,2}){0,3}|TQ\d_\d|BF16|F16|FP16|F32|MXFP4(?:_MOE)?))(?=[-._]|$)/i
/** Files of an encoder in transformers.js's layout; the weights are one of the two. */
const EMBEDDER_FILES = ['config.json', 'tokenizer.json', 'tokenizer_config.json', '1_Pooling/config.json']
const WEIGHTS = ['onnx/model_quantized.onnx', 'onnx/model.onnx']

/** The quantization that a file's name tells; null where it tells none. */
export function quantOf(path: string): string | null {
  const stem = basename(path)
    .replace(PART, '')
    .replace(/\.gguf$/i, '')
  const folder = path.includes('/') ? path.split('/').at(-2) : undefined
  return (
    (QUANT.exec(stem)?.[1] ?? (folder === undefined ? undefined : QUANT.exec(folder)?.[1]))?.toUpperCase() ??
    null
  )
}

/**
 * What can be downloaded of a repository's files: every GGUF, parts of one together, smallest first. Projectors and importance matrices
 * are no models; parts of which some are missing, and files without a checksum, are none either.
 */
export function modelChoices(files: readonly HubFile[], freeBytes: number): HubChoice[] {
  const groups = new Map<string, HubFile[]>()
  for (const file of files) {
    if (!/\.gguf$/i.test(file.path) || /(?:^|[/\-_.])(?:mmproj|imatrix)/i.test(file.path)) continue
    const key = file.path.replace(PART, '').replace(/\.gguf$/i, '')
    groups.set(key, [...(groups.get(key) ?? []), file])
  }
  const matches = [...groups].flatMap(([key, group]) => {
    const whole = Number(PART.exec(group[0]?.path ?? '')?.[2] ?? 1)
    const isChecked = group.every(({ sha256, gitSha1 }) => sha256 !== null || gitSha1 !== null)
    return group.length === whole && isChecked ? [{ key, quant: quantOf(group[0]?.path ?? ''), group }] : []
  })
  const getNamedCount = (quant: string | null): number =>
    matches.filter((other) => other.quant === quant).length
  return matches
    .map(({ key, quant, group }) =>
      choice(quant !== null && getNamedCount(quant) === 1 ? quant : basename(key), group, freeBytes),
    )
    .sort((a, b) => a.sizeBytes - b.sizeBytes)
}

/** An encoder's folder as one thing to download; null where it is none, or lacks checksums. */
export function embedderFilesOf(files: readonly HubFile[], freeBytes: number): HubChoice | null {
  const by = (path: string): HubFile[] => files.filter((file) => file.path === path)
  const [weights] = WEIGHTS.flatMap(by)
  const others = EMBEDDER_FILES.flatMap(by)
  const needs = ['config.json', 'tokenizer.json']
  if (!weights || needs.some((path) => by(path).length === 0)) return null
  const all = [...others, weights]
  return all.some(({ sha256, gitSha1 }) => sha256 === null && gitSha1 === null)
    ? null
    : choice('encoder', all, freeBytes)
}

function choice(name: string, files: readonly HubFile[], freeBytes: number): HubChoice {
  const sizeBytes = files.reduce((sum, file) => sum + file.sizeBytes, 0)
  const rankings = [...files].sort((a, b) => (a.path < b.path ? -1 : 1))
  return { name, files: rankings, sizeBytes, fit: roughFit(sizeBytes, freeBytes) }
}
