import { z } from 'zod'
import { pricesSchema } from './cost'
import { curveViewSchema } from './curve'
import { desktopSettingsSchema } from './desktop'
import {
  BUILT_IN_ENCODER,
  cacheTypeSchema,
  flashAttentionSchema,
  gpuBackendSchema,
  gpuCardSchema,
  promptReuseSchema,
  engineProcessesSchema,
  threadsSchema,
} from './model'
import { settingChangesSchema } from './setting'
import { toolSettingsSchema } from './tool'
import { watchedAgentSchema } from './watched-agent'
import { bytes, count, instant } from './units'
import { BOUNDS, integerIn } from './bounds'

/** Names My memory wherever the id of a memory is asked for. */
export const MY_MEMORY = 'mine'

/** Names a memory that is not there yet where an import is previewed. */
export const NEW_MEMORY = 'new'

/** `mine`: the one lasting memory of a person. `lab`: of a run, an experiment, an import that was tried out; it stands on the shelf. */
export const memoryRoleSchema = z.enum(['mine', 'lab'])
export type MemoryRole = z.infer<typeof memoryRoleSchema>

/** A memory is one memory: a journal, a case bank and what was learned. */
export const memoryInfoSchema = z.object({
  id: z.string(),
  role: memoryRoleSchema,
  name: z.string(),
  path: z.string(),
  createdAt: instant,
  cases: count,
  /** Items of each kind that are not gone, by the kind's id, cases among them; a kind without any is not named. */
  items: z.record(z.string(), count),
  trajectories: count,
  embedder: z.string(),
  bytes,
  /** Why it cannot be opened, in words; absent when nothing is wrong. */
  problem: z.string().optional(),
})
export type MemoryInfo = z.infer<typeof memoryInfoSchema>

/** REST for other programs in the desktop app; a host in the browser serves it on the port of its page. */
const restSettingsSchema = z.object({
  /** Default off. Requests need a token in any case. */
  on: z.boolean().default(false),
  /** On 127.0.0.1; 0 takes any free one. Default 7420. */
  port: integerIn(BOUNDS.port).default(7420),
})
export type RestSettings = z.infer<typeof restSettingsSchema>

/** How Loam compares methods on judged asks while nothing else works. */
const compareSettingsSchema = z.object({
  /** Default on. Off, a person can still begin a comparison. */
  on: z.boolean().default(true),
  /** Default 15. */
  minutes: integerIn(BOUNDS.compareMinutes).default(15),
})
export type CompareSettings = z.infer<typeof compareSettingsSchema>

const settingFields = {
  theme: z.enum(['system', 'light', 'dark']),
  textSize: z.enum(['smaller', 'usual', 'larger', 'largest']),
  /** Nothing leaves the machine until a person turns this on. */
  network: z.boolean(),
  modelFolders: z.array(z.string()),
  /** GGUF files that were added one by one. */
  modelFiles: z.array(z.string()),
  /** Whether models that other programs keep on this machine are looked for. */
  findModels: z.boolean(),
  downloadsAtOnce: integerIn(BOUNDS.downloadsAtOnce),
  embedder: z.string(),
  /** Whether a person has said how texts are to be compared; saving an embedder says it. */
  encoderChosen: z.boolean(),
  gpuLayers: z.union([z.enum(['auto', 'max', 'cpu']), count]),
  gpuBackend: gpuBackendSchema,
  flashAttention: flashAttentionSchema,
  cacheType: cacheTypeSchema,
  gpuCard: gpuCardSchema,
  /** Whether embedding models in ONNX are tried on the graphics card. Counts from the next start. */
  encodersOnCard: z.boolean(),
  threads: threadsSchema,
  engineProcesses: engineProcessesSchema,
  promptReuse: promptReuseSchema,
  sidebarCollapsed: z.boolean(),
  /** The memory that the window shows; null for My memory. Only a person changes it. */
  openMemory: z.string().nullable(),
  /** What a million tokens cost, for the accounts of runs. */
  prices: pricesSchema,
  /** How the Learning curves screen was left. */
  curves: curveViewSchema,
  /** Tool servers and what they may do. */
  tools: toolSettingsSchema,
  rest: restSettingsSchema,
  desktop: desktopSettingsSchema,
  compare: compareSettingsSchema,
  /** Whether a model that passed the test of readers reads what a person writes next, while nothing else works. */
  readMessages: z.boolean(),
  /** Agents whose own logs My memory takes in while nothing works. Only a person adds one. */
  watchedAgents: z.array(watchedAgentSchema),
  /** Whether the data folder is backed up while nothing works. */
  automaticBackups: z.boolean(),
  /** Settings of model providers that differ from their defaults. */
  providers: settingChangesSchema,
}

export const settingsSchema = z.object({
  theme: settingFields.theme.default('system'),
  textSize: settingFields.textSize.default('usual'),
  network: settingFields.network.default(false),
  modelFolders: settingFields.modelFolders.default([]),
  modelFiles: settingFields.modelFiles.default([]),
  findModels: settingFields.findModels.default(true),
  downloadsAtOnce: settingFields.downloadsAtOnce.default(1),
  embedder: settingFields.embedder.default(BUILT_IN_ENCODER),
  encoderChosen: settingFields.encoderChosen.default(false),
  gpuLayers: settingFields.gpuLayers.default('auto'),
  gpuBackend: settingFields.gpuBackend.default('auto'),
  flashAttention: settingFields.flashAttention.default('auto'),
  cacheType: settingFields.cacheType.default('f16'),
  gpuCard: settingFields.gpuCard.default('auto'),
  encodersOnCard: settingFields.encodersOnCard.default(false),
  threads: settingFields.threads.default('auto'),
  engineProcesses: settingFields.engineProcesses.default('auto'),
  promptReuse: settingFields.promptReuse.default('exact'),
  sidebarCollapsed: settingFields.sidebarCollapsed.default(false),
  openMemory: settingFields.openMemory.default(null),
  prices: settingFields.prices.prefault({}),
  curves: settingFields.curves.prefault({}),
  tools: settingFields.tools.prefault({}),
  rest: settingFields.rest.prefault({}),
  desktop: settingFields.desktop.prefault({}),
  compare: settingFields.compare.prefault({}),
  readMessages: settingFields.readMessages.default(true),
  watchedAgents: settingFields.watchedAgents.default([]),
  automaticBackups: settingFields.automaticBackups.default(true),
  providers: settingFields.providers.default({}),
})
export type Settings = z.infer<typeof settingsSchema>

/** Some settings to change. Without defaults: `settingsSchema.partial()` would fill in and so reset what is left out. */
export const settingsChangeSchema = z.object(settingFields).partial()
