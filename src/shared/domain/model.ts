import { z } from 'zod'
import { bytes, count, figure, instant, integer } from './units'
import { BOUNDS, integerIn } from './bounds'

/** How many layers go to the GPU: everything that fits, everything, exactly N, or none. */
export const gpuLayersSchema = z.union([z.literal('auto'), z.literal('max'), z.literal('cpu'), count])
export type GpuLayers = z.infer<typeof gpuLayersSchema>

/** What llama.cpp speaks to the graphics card with; `auto`: what it takes by itself. Without layers on the card none is asked. */
export const gpuBackendSchema = z.enum(['auto', 'cuda', 'vulkan', 'metal'])
export type GpuBackend = z.infer<typeof gpuBackendSchema>

/** A quicker way to compute the same, in less memory; `auto`: where llama.cpp finds that model and card can. */
export const flashAttentionSchema = z.enum(['auto', 'on', 'off'])

/** How a value of the cache is kept: in 16 bits, or in 8, which takes half of the memory, needs flash attention and moves answers a little. */
export const cacheTypeSchema = z.enum(['f16', 'q8_0'])

/** Which of several graphics cards is used, by its number from 0; `auto`: all that there are. Counts from the next start. */
export const gpuCardSchema = z.union([z.literal('auto'), integerIn(BOUNDS.gpuCard)])

/** CPU threads; `auto`: what is measured to be fastest when a model is loaded. */
export const threadsSchema = z.union([z.literal('auto'), integerIn(BOUNDS.threads)])
/** Processes of the engine that work side by side on a small model; `auto`: as many as are measured to pay. */
export const engineProcessesSchema = z.union([z.literal('auto'), integerIn(BOUNDS.engineProcesses)])
/** CPU threads for reading prompts, and for writing replies. */
export const threadCountsSchema = z.object({
  reading: integerIn(BOUNDS.threads),
  writing: integerIn(BOUNDS.threads),
})
export type ThreadCounts = z.infer<typeof threadCountsSchema>

const threadsText = (count: number): string => (count === 1 ? '1 thread' : `${count} threads`)

/** Threads in words: `4 threads for reading, 1 for writing`. */
export const threadWords = ({ reading, writing }: ThreadCounts): string =>
  reading === writing ? threadsText(reading) : `${threadsText(reading)} for reading, ${writing} for writing`

/** How fast a model was on this machine, tried for about two seconds when it was loaded. */
export const modelSpeedSchema = z.object({
  /** Tokens of a prompt that are read in a second; null where it is too slow to be tried in the time. */
  reading: figure,
  /** Tokens of a reply that are written in a second. */
  writing: z.number().positive(),
  /** Bytes of weights that are read in a second while it writes; null where not every weight is read for a token, or a graphics card has some. */
  bytesPerSecond: figure,
  at: instant,
  /** Whether other programs had more than half of the processors. */
  busy: z.boolean(),
})
export type ModelSpeed = z.infer<typeof modelSpeedSchema>

const rate = (tokens: number): string =>
  (tokens < 10 ? Math.round(tokens * 10) / 10 : Math.round(tokens)).toLocaleString('en-US')

/** Its writing alone, for lists: `178 tokens/s`. */
export const paceWords = ({ writing, busy }: ModelSpeed): string =>
  `${rate(writing)} tokens/s${busy ? ' beside other work' : ''}`

/** The same in words: `writes 178 tokens a second, reads 420`. */
export const speedWords = ({ reading, writing, busy }: ModelSpeed): string =>
  `writes ${rate(writing)} tokens a second${reading === null ? '' : `, reads ${rate(reading)}`}${busy ? ' (tried while other programs worked: it may be far faster)' : ''}`

/**
 * What of a prompt need not be read again. `exact`: what was read before as a prompt, so that a reply depends on its prompt alone. `fast`: also what
 * the model wrote itself, which may differ in the last bits from what reading it comes to. Runs and experiments are always exact.
 */
export const promptReuseSchema = z.enum(['exact', 'fast'])
export type PromptReuse = z.infer<typeof promptReuseSchema>

export const modelLoadOptionsSchema = z.object({
  /** Absolute path of a GGUF file. */
  path: z.string(),
  gpuLayers: gpuLayersSchema.default('auto'),
  gpuBackend: gpuBackendSchema.default('auto'),
  flashAttention: flashAttentionSchema.default('auto'),
  cacheType: cacheTypeSchema.default('f16'),
  /** Tokens per sequence; `null` takes what the model was trained for, as far as memory allows. */
  contextSize: integerIn(BOUNDS.contextSize).nullable().default(null),
  /** Sequences that may be decoded in one batch. */
  sequences: z.number().int().min(1).max(64).default(1),
  threads: threadsSchema.default(1),
  /** What `auto` comes to without measuring; null: it is measured. */
  measuredThreads: threadCountsSchema.nullable().default(null),
  /** Whether its speed is tried where `measuredThreads` is null, with threads that were chosen too. */
  wantsSpeed: z.boolean().default(false),
  /** A soft prompt to load with the model; requests ask for it one by one. */
  softPrompt: z
    .object({
      /** Absolute path of the adapter GGUF. */
      adapter: z.string(),
      /** The reserved tokens that carry it. */
      ids: z.array(count),
    })
    .nullable()
    .default(null),
  /** Folder in which what was read of long beginnings of prompts is kept; null: it is not. */
  prefixStates: z.string().nullable().default(null),
})
export type ModelLoadOptions = z.infer<typeof modelLoadOptionsSchema>

/** A GGUF found on disk. */
export const modelInfoSchema = z.object({
  /** Absolute path; also its id. */
  path: z.string(),
  name: z.string(),
  /** What it may be called by instead of its path, as `ollama/qwen3:4b`; absent where a model is named otherwise. */
  id: z.string().optional(),
  /** Other short names of the same file. */
  aliases: z.array(z.string()).optional(),
  /** Where it was found, in words: the program that keeps it, or the folder. */
  foundIn: z.string().optional(),
  architecture: z.string(),
  /** Of all its parts. */
  sizeBytes: bytes,
  /** How its weights are written, as `Q4_K_M`; null where the file does not say. */
  quantization: z.string().nullable().optional(),
  /** Files it is split into; absent for one. */
  parts: count.optional(),
  /** For models that embed texts and write none: numbers in a vector. Absent for all others. */
  embedding: integer.optional(),
  trainContext: count.nullable(),
  license: z.string().nullable(),
  /** Registry id when its size and sha256 or metadata match a known model. */
  registryId: z.string().nullable(),
  bundled: z.boolean(),
  /** A small specialist for the demo streams, not for real work. */
  demo: z.boolean(),
  /** It goes on with texts and was not trained to answer; absent for all others. */
  base: z.literal(true).optional(),
  /** How fast it was here; absent where that was not tried, as for models on servers and tiny ones. */
  speed: modelSpeedSchema.optional(),
  /** It answers where nobody chose a model; absent for all others. */
  usual: z.literal(true).optional(),
  /** False: it has no chat template, so another layout stands in for it. */
  chatTemplate: z.boolean().optional(),
  /** Prompts it was trained on that read otherwise today, by id; absent when it names none. */
  changedPrompts: z.array(z.string()).optional(),
  /** Set when the file is not usable; it is listed so that a person sees why. */
  problem: z.string().nullable(),
})
export type ModelInfo = z.infer<typeof modelInfoSchema>

/** Why a model cannot be asked for words; null when it can. */
export const cannotWrite = ({ problem, embedding }: ModelInfo): string | null =>
  problem ?? (embedding === undefined ? null : 'It compares texts and writes none.')

/** A file or folder that was looked at and not taken. */
const leftOutFileSchema = z.object({ path: z.string(), why: z.string() })
export type LeftOutFile = z.infer<typeof leftOutFileSchema>

/** A folder that models are looked for in. */
export const modelPlaceSchema = z.object({
  /** The program that keeps models there; null for Loam's own and the person's folders and files. */
  store: z.string().nullable(),
  title: z.string(),
  /** Absolute path. */
  path: z.string(),
  /** Whether there is such a folder. */
  there: z.boolean(),
  /** Models found in it, those with a problem among them. */
  models: count,
  left: z.array(leftOutFileSchema),
})
export type ModelPlace = z.infer<typeof modelPlaceSchema>

/**
 * The models that a name may mean: those called exactly so for short, else those whose title that is, else those whose short name without the
 * store or the owner is that, else those whose title or such a short name has it as its first words.
 * Upper and lower case are the same.
 */
export function modelsNamed(text: string, models: readonly ModelInfo[]): readonly ModelInfo[] {
  const target = text.toLowerCase()
  const names = ({ id, aliases = [] }: ModelInfo): string[] =>
    [...(id === undefined ? [] : [id]), ...aliases].map((name) => name.toLowerCase())
  const ways: ((model: ModelInfo) => boolean)[] = [
    (model) => names(model).includes(target),
    ({ name }) => name.toLowerCase() === target,
    (model) => names(model).some((name) => name.endsWith(`/${target}`)),
    (model) =>
      [model.name.toLowerCase(), ...names(model).map((name) => name.slice(name.lastIndexOf('/') + 1))].some(
        (name) => target !== '' && name.startsWith(target) && /^[^a-z0-9]/.test(name.slice(target.length)),
      ),
  ]
  return ways.map((isMeant) => models.filter(isMeant)).find((selection) => selection.length > 0) ?? []
}

/** What to tell a person about a model whose prompts have changed since it was trained; null when none have. */
export function changedPromptsText({ changedPrompts = [] }: ModelInfo): string | null {
  if (changedPrompts.length === 0) return null
  const one = changedPrompts.length === 1
  return `It was trained on another wording of the ${one ? 'prompt' : 'prompts'} ${changedPrompts.join(', ')} and may do worse. Retrain it to make up for that (models/README.md).`
}

/** A row of models/registry.json. */
export const registryEntrySchema = z.object({
  id: z.string(),
  name: z.string(),
  description: z.string(),
  /** https URL of the GGUF, or null when it is bundled. */
  source: z.string().nullable(),
  file: z.string(),
  sizeBytes: bytes.int().positive(),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  license: z.string(),
  bundled: z.boolean().default(false),
  demo: z.boolean().default(false),
})
export type RegistryEntry = z.infer<typeof registryEntrySchema>

/** How dialogs are laid out for a model. */
const chatLayoutSchema = z.object({
  /** The chat template in the model's own file; false where another stands in for it. */
  own: z.boolean(),
  /** What lays them out, in words that go on "laid out by ...". */
  name: z.string(),
  /** Why another stands in, as a clause; null where none does. */
  why: z.string().nullable(),
})
export type ChatLayout = z.infer<typeof chatLayoutSchema>

/** What a person is told of a layout that stands in for the model's own; null for a model's own. */
export const layoutWords = ({ own, name, why }: ChatLayout): string | null =>
  own ? null : `${why ?? 'It has no chat template'}, so its dialogs are laid out by ${name}.`

const learnedItemSchema = z.object({ needed: z.number(), free: z.number(), total: z.number() })

/** What a model would take, before it is loaded. Bytes. */
export const modelFitSchema = z.object({
  path: z.string(),
  /** Tokens it was trained for; null where the file does not say. */
  trainContext: count.nullable(),
  /** Tokens one dialog could hold: what was asked for, else as much as memory allows up to what it was trained for. */
  contextSize: count,
  weightsBytes: bytes,
  /** Dialogs beside its own that there is room for, so that asks need not wait for other work. */
  reserve: count,
  /** Of all dialogs at a time, those in reserve too. */
  cacheBytes: bytes,
  computeBytes: bytes,
  ram: learnedItemSchema,
  /** Null without a GPU. */
  vram: learnedItemSchema.nullable(),
  fits: z.boolean(),
  /** How its dialogs would be laid out; absent where that was not looked at. */
  layout: chatLayoutSchema.optional(),
})
export type ModelFit = z.infer<typeof modelFitSchema>

const size = (bytes: number): string =>
  bytes >= 1e9 ? `${(bytes / 1e9).toFixed(1)} GB` : `${Math.max(1, Math.round(bytes / 1e6))} MB`

/** What a model would take, in a sentence or two. */
export function fitWords({ weightsBytes, cacheBytes, computeBytes, ...fit }: ModelFit): string {
  const { contextSize, trainContext, ram, vram } = fit
  const of =
    trainContext === null || trainContext === contextSize
      ? ''
      : ` of the ${trainContext.toLocaleString('en-US')} it was trained for`
  const free = `${size(ram.free)} of memory${vram === null ? '' : ` and ${size(vram.free)} on the GPU`}`
  return `It reads ${contextSize.toLocaleString('en-US')} tokens${of}: weights ${size(weightsBytes)}, cache ${size(cacheBytes)}, computing ${size(computeBytes)}; free are ${free}.`
}

/** A model in the engine. */
const loadedModelSchema = z.object({
  path: z.string(),
  name: z.string(),
  /** Tokens one dialog can hold. */
  contextSize: count,
  gpu: z.string(),
  gpuLayers: integer,
  /** Names of the cards that it may use; absent without any. */
  cards: z.array(z.string()).optional(),
  threads: threadCountsSchema,
  /** How fast it was when it was loaded; absent where that was not tried then. */
  speed: modelSpeedSchema.optional(),
  /** Processes that work with it side by side, each with these threads. */
  processes: integer,
})
export type LoadedModel = z.infer<typeof loadedModelSchema>

export const engineStateSchema = z.object({
  status: z.enum(['stopped', 'starting', 'idle', 'loading', 'ready', 'generating', 'failed']),
  model: z.string().nullable(),
  modelName: z.string().nullable(),
  contextSize: count.nullable(),
  gpu: z.string().nullable(),
  gpuLayers: integer.nullable(),
  embedder: z.string(),
  tokensPerSecond: figure,
  /** Resident memory of the engine process in bytes. */
  memoryBytes: bytes.nullable(),
  restarts: count,
  /** Everything that is loaded, the newest first; `model` is the first. Absent in states of older versions. */
  models: z.array(loadedModelSchema).optional(),
  problem: z.string().nullable(),
  /** Something worth knowing that is no problem, e.g. that the model has no chat template. */
  note: z.string().nullable().optional(),
})
export type EngineState = z.infer<typeof engineStateSchema>

/** The embedding model that comes with Loam, and what texts are compared by until a person chooses. */
export const BUILT_IN_ENCODER = 'loam-256'

export const embedderInfoSchema = z.object({
  /** `loam-256`, `lexical-384`, `all-MiniLM-L6-v2`, a folder, a GGUF file, or a server's model. */
  id: z.string(),
  title: z.string(),
  /** Null where it is known only once a text was embedded. */
  dimension: z.number().int().positive().nullable(),
  /** Says plainly whether it understands meaning or only compares words. */
  description: z.string(),
  kind: z.enum(['lexical', 'sentence-encoder']),
  available: z.boolean(),
})
export type EmbedderInfo = z.infer<typeof embedderInfoSchema>
