import { stat } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import { z } from 'zod'
import type { ModelInfo, RegistryEntry } from '../../shared/domain/model'
import { LoamError } from '../../shared/errors'
import { createSerial } from '../../shared/serial'
import { readDerived, writeDerived } from '../ground/derived-file'
import type { GgufHeader } from '../gguf/gguf-header'
import { readGgufHeader } from '../gguf/read-gguf'
import {
  architectureOf,
  isEmbeddingModel,
  notAModel,
  quantizationOf,
  sizeOf,
  textOf,
} from '../gguf/gguf-kind'
import { isBaseModel, modelTitle } from '../gguf/gguf-words'
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
  | { readonly kind: 'model'; readonly model: ModelInfo }
  | { readonly kind: 'left'; readonly why: string }

/** What a person calls the place it was found in, and its short name. */
export interface FoundIn {
  readonly foundIn: string
  readonly id: string
}

/** Metadata under which the demo model names a prompt of its training text: the key ends in its id, the value is its SHA-256. */
const TRAINED_PROMPT = 'loam.prompt.'

const recordSchema = z.object({
  sizeBytes: z.number(),
  mtimeMs: z.number(),
  header: z.object({
    version: z.number(),
    sizeBytes: z.number(),
    tensorCount: z.number(),
    metadata: z.array(z.tuple([z.string(), z.union([z.string(), z.number(), z.boolean()])])),
    dataOffset: z.number(),
    alignment: z.number(),
    entries: z.number(),
    metadataRange: z.tuple([z.number(), z.number()]),
  }),
})
type HeaderRecord = z.infer<typeof recordSchema>

/**
 * Reads headers, remembering those of files that have not changed: a window asks often, and vocabularies are long. `cacheFile` keeps them over
 * starts, so that none starts an isolate for models it knows; one that cannot be read is started afresh. Default: none is kept.
 */
export class HeaderReader {
  #known: Promise<Map<string, HeaderRecord>> | null = null
  readonly #inTurn = createSerial()

  constructor(private readonly cacheFile: string | null = null) {}

  /** @throws LoamError as `readGgufHeader` */
  async read(path: string): Promise<GgufHeader> {
    const records = await (this.#known ??= this.#load())
    const stats = await stat(path).catch(() => null)
    const record = records.get(path)
    if (stats && record?.sizeBytes === stats.size && record.mtimeMs === stats.mtimeMs) return whole(record)
    const { tensors: _long, arrays: _none, metadata, ...header } = await readGgufHeader(path)
    const fresh = { sizeBytes: header.sizeBytes, mtimeMs: stats?.mtimeMs ?? 0 }
    const entry: HeaderRecord = {
      ...fresh,
      header: { ...header, metadata: [...metadata], metadataRange: [...header.metadataRange] },
    }
    if (stats) records.set(path, entry)
    if (stats && this.cacheFile !== null) await this.#save(this.cacheFile, records)
    return whole(entry)
  }

  async #load(): Promise<Map<string, HeaderRecord>> {
    const records =
      this.cacheFile === null ? null : await readDerived(this.cacheFile, z.record(z.string(), recordSchema))
    return new Map(Object.entries(records ?? {}))
  }

  #save(file: string, records: ReadonlyMap<string, HeaderRecord>): Promise<void> {
    // It only saves time, so a full disk is no reason to know no models.
    return this.#inTurn(() => writeDerived(file, Object.fromEntries(records))).catch(() => undefined)
  }
}

const whole = ({ header }: HeaderRecord): GgufHeader => ({
  ...header,
  metadata: new Map(header.metadata),
  arrays: new Map(),
  tensors: [],
})

/** What a model's files say of themselves. A damaged or missing part is its `problem`; never rejects. */
export async function describeModel(
  storedModel: StoredModel,
  place: FoundIn,
  headers: HeaderReader,
  options: DescribeOptions = {},
): Promise<Described> {
  const { path, parts } = storedModel
  const { registry = [], bundledFolder } = options
  const sizes = await Promise.all(parts.map(sizeOn))
  const sizeBytes = sizes.reduce<number>((sum, size) => sum + (size ?? 0), 0)
  const record =
    parts.length > 1
      ? undefined
      : registry.find((entry) => entry.file === basename(path) && entry.sizeBytes === sizeBytes)
  const base = {
    ...{ path, sizeBytes, id: place.id, foundIn: place.foundIn },
    registryId: record?.id ?? null,
    bundled: bundledFolder !== undefined && dirname(path) === bundledFolder,
    demo: record?.demo ?? false,
    ...(parts.length > 1 && { parts: parts.length }),
  }
  const missingNumbers = sizes.flatMap((size, index) => (size === null ? [index] : []))
  let header: GgufHeader
  try {
    if (sizes[0] === null && parts.length > 1) throw new Error(missingWords(parts, missingNumbers))
    header = await headers.read(path)
  } catch (error) {
    const problem = storedModel.problem ?? (error instanceof Error ? error.message : String(error))
    const license = storedModel.license ?? null
    const unknown = { architecture: 'unknown', trainContext: null, quantization: null, license }
    return { kind: 'model', model: { ...base, ...unknown, name: storedModel.name, problem } }
  }
  const why = notAModel(header)
  if (why !== null) return { kind: 'left', why }
  const changes = changedPrompts(header, options)
  const model: ModelInfo = {
    ...base,
    demo: base.demo || header.metadata.get('loam.demo') === true,
    name: record?.name ?? modelTitle(path, header.metadata, storedModel.name),
    architecture: architectureOf(header),
    quantization: quantizationOf(header),
    trainContext: sizeOf(header, 'context_length'),
    license: record?.license ?? textOf(header, 'general.license') ?? storedModel.license ?? null,
    chatTemplate: textOf(header, 'tokenizer.chat_template') !== null,
    ...(isBaseModel(path, header.metadata) && { base: true as const }),
    ...(isEmbeddingModel(header) && { embedding: sizeOf(header, 'embedding_length') ?? 0 }),
    ...(changes ? { changedPrompts: changes } : {}),
    problem:
      storedModel.problem ??
      (missingNumbers.length > 0 ? missingWords(parts, missingNumbers) : null) ??
      (await laterParts(parts, header, headers)) ??
      (header.tensorCount === 0 && parts.length === 1 ? 'It holds a vocabulary but no weights.' : null),
  }
  return { kind: 'model', model }
}

const sizeOn = (path: string): Promise<number | null> =>
  stat(path).then(
    (stats) => (stats.isFile() ? stats.size : null),
    () => null,
  )

const missingWords = (parts: readonly string[], missingNumbers: readonly number[]): string =>
  `Of its ${parts.length} parts ${missingNumbers.length === 1 ? 'one is' : `${missingNumbers.length} are`} missing: ${missingNumbers
    .slice(0, 3)
    .map((index) => basename(parts[index] ?? ''))
    .join(', ')}${missingNumbers.length > 3 ? ', …' : ''}.`

/** What is wrong with the parts after the first; null when nothing is. */
async function laterParts(
  parts: readonly string[],
  first: GgufHeader,
  headers: HeaderReader,
): Promise<string | null> {
  const scalar = first.metadata.get('split.count')
  if (parts.length > 1 && scalar !== parts.length)
    return `Its name says ${parts.length} parts, and the file itself ${typeof scalar === 'number' ? String(scalar) : 'none'}.`
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
