import { stat } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import type { ModelInfo, RegistryEntry } from '../../shared/domain/model'
import { LoamError } from '../../shared/errors'
import { type GgufHeader, readGgufHeader } from '../gguf/gguf-header'
import {
  architectureOf,
  isEmbeddingModel,
  notAModel,
  quantizationOf,
  sizeOf,
  textOf,
} from '../gguf/gguf-kind'
import type { StoredModel } from './stores/store'

/** What describing a model goes by. */
export interface DescribeOptions {
  /** Known models, to recognise files by name and size. Default: none. */
  readonly registry?: readonly RegistryEntry[]
  /** The folder of models that come with Loam. Default: none. */
  readonly bundledFolder?: string
  /** SHA-256 of a prompt as it reads today, by id; models that name the prompts they were trained on are checked. */
  readonly promptSha256?: (id: string) => string | null
}

/** A model as its files tell it, or why a file is none. */
export type Described =
  { readonly kind: 'model'; readonly model: ModelInfo } | { readonly kind: 'left'; readonly why: string }

/** What a person calls the place it was found in, and its short name. */
export interface FoundIn {
  readonly foundIn: string
  readonly id: string
}

/** Metadata under which the demo model names a prompt of its training text: the key ends in its id, the value is its SHA-256. */
const TRAINED_PROMPT = 'loam.prompt.'

/** Reads headers, remembering those of files that have not changed: a window asks often, and vocabularies are long. */
export class HeaderReader {
  readonly #known = new Map<
    string,
    { readonly sizeBytes: number; readonly mtimeMs: number; readonly header: GgufHeader }
  >()

  /** @throws LoamError as `readGgufHeader` */
  async read(path: string): Promise<GgufHeader> {
    const found = await stat(path).catch(() => null)
    const known = this.#known.get(path)
    if (found && known?.sizeBytes === found.size && known.mtimeMs === found.mtimeMs) return known.header
    const { tensors: _long, ...header } = await readGgufHeader(path)
    const kept = { ...header, tensors: [] }
    if (found) this.#known.set(path, { sizeBytes: found.size, mtimeMs: found.mtimeMs, header: kept })
    return kept
  }
}

/** What a model's files say of themselves. A damaged or missing part is its `problem`; never rejects. */
export async function describeModel(
  stored: StoredModel,
  place: FoundIn,
  headers: HeaderReader,
  options: DescribeOptions = {},
): Promise<Described> {
  const { path, parts } = stored
  const { registry = [], bundledFolder } = options
  const sizes = await Promise.all(parts.map(sizeOn))
  const sizeBytes = sizes.reduce<number>((sum, size) => sum + (size ?? 0), 0)
  const known =
    parts.length > 1
      ? undefined
      : registry.find((entry) => entry.file === basename(path) && entry.sizeBytes === sizeBytes)
  const base = {
    ...{ path, sizeBytes, id: place.id, foundIn: place.foundIn },
    registryId: known?.id ?? null,
    bundled: bundledFolder !== undefined && dirname(path) === bundledFolder,
    demo: known?.demo ?? false,
    ...(parts.length > 1 && { parts: parts.length }),
  }
  const missing = sizes.flatMap((size, index) => (size === null ? [index] : []))
  let header: GgufHeader
  try {
    if (sizes[0] === null && parts.length > 1) throw new Error(missingWords(parts, missing))
    header = await headers.read(path)
  } catch (error) {
    const problem = stored.problem ?? (error instanceof Error ? error.message : String(error))
    const license = stored.license ?? null
    const unknown = { architecture: 'unknown', trainContext: null, quantization: null, license }
    return { kind: 'model', model: { ...base, ...unknown, name: stored.name, problem } }
  }
  const why = notAModel(header)
  if (why !== null) return { kind: 'left', why }
  const changed = changedPrompts(header, options)
  const model: ModelInfo = {
    ...base,
    demo: base.demo || header.metadata.get('loam.demo') === true,
    name: known?.name ?? textOf(header, 'general.name') ?? stored.name,
    architecture: architectureOf(header),
    quantization: quantizationOf(header),
    trainContext: sizeOf(header, 'context_length'),
    license: known?.license ?? textOf(header, 'general.license') ?? stored.license ?? null,
    chatTemplate: textOf(header, 'tokenizer.chat_template') !== null,
    ...(isEmbeddingModel(header) && { embedding: sizeOf(header, 'embedding_length') ?? 0 }),
    ...(changed ? { changedPrompts: changed } : {}),
    problem:
      stored.problem ??
      (missing.length > 0 ? missingWords(parts, missing) : null) ??
      (await laterParts(parts, header, headers)) ??
      (header.tensorCount === 0 && parts.length === 1 ? 'It holds a vocabulary but no weights.' : null),
  }
  return { kind: 'model', model }
}

const sizeOn = (path: string): Promise<number | null> =>
  stat(path).then(
    (found) => (found.isFile() ? found.size : null),
    () => null,
  )

const missingWords = (parts: readonly string[], missing: readonly number[]): string =>
  `Of its ${parts.length} parts ${missing.length === 1 ? 'one is' : `${missing.length} are`} missing: ${missing
    .slice(0, 3)
    .map((index) => basename(parts[index] ?? ''))
    .join(', ')}${missing.length > 3 ? ', …' : ''}.`

/** What is wrong with the parts after the first; null when nothing is. */
async function laterParts(
  parts: readonly string[],
  first: GgufHeader,
  headers: HeaderReader,
): Promise<string | null> {
  const said = first.metadata.get('split.count')
  if (parts.length > 1 && said !== parts.length)
    return `Its name says ${parts.length} parts, and the file itself ${typeof said === 'number' ? String(said) : 'none'}.`
  for (const [index, part] of parts.slice(1).entries()) {
    try {
      await headers.read(part)
    } catch (error) {
      return `Part ${index + 2} of ${parts.length} is damaged. ${error instanceof LoamError ? error.why : String(error)}`
    }
  }
  return null
}

function changedPrompts({ metadata }: GgufHeader, { promptSha256 }: DescribeOptions): string[] | undefined {
  const trained = [...metadata].filter(([key]) => key.startsWith(TRAINED_PROMPT))
  if (!promptSha256 || trained.length === 0) return undefined
  return trained
    .map(([key, hash]) => ({ id: key.slice(TRAINED_PROMPT.length), hash }))
    .filter(({ id, hash }) => promptSha256(id) !== hash)
    .map(({ id }) => id)
    .sort()
}
