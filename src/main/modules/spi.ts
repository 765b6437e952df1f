// The service interface of modules from outside: all that `loam-spi` exports.
export { SPI_VERSION } from './spi-version'
export { z } from 'zod'
export { LoamError } from '../../shared/errors'
export { abortError, isAbortError, throwIfAborted } from '../../core/ground/abort'
export { canonicalJson } from '../../core/ground/canonical-json'
export { createRng, hash32 } from '../../core/ground/random'
export { isRecord } from '../../core/ground/record'
export {
  choice,
  defineSettings,
  number,
  onOff,
  readSettings,
  share,
  text,
  whole,
  type SettingGroup,
  type SettingsOf,
} from '../../core/ground/settings'
export type { SettingChanges } from '../../shared/domain/setting'
export type { Task } from '../../shared/domain/task'
export {
  NO_USAGE,
  type RecalledItem,
  type Round,
  type Trajectory,
  type Usage,
} from '../../shared/domain/trajectory'

// Methods
export {
  hasActed,
  NOTHING_LEARNED,
  NOTHING_RECALLED,
  type Learned,
  type Method,
  type MethodContext,
  type PromptParts,
  type RecalledPart,
  type RecallInput,
} from '../../core/ground/method'
export type { MemoryStore, Embedder, PromptTemplates, MemoryEvent } from '../../core/ground/ports'
export { dialogText, outcomeLine, retell, retellingOf, retellTrajectory } from '../../core/ground/prompt'
export { declareForm, failedWriting, tidyText, write } from '../../core/ground/writing'
export { learnedFrom } from '../../core/memory/items/learned-from'
export { leavesQueue } from '../../core/memory/items/leaves-queue'
export { bestLast } from '../../core/retrieval/best-last'
export { byScore, rankByCosine, vectorsOf, type Ranked } from '../../core/retrieval/rank'

// Environments
export type { Environment, Episode, StepOutcome } from '../../core/ground/environment'
export {
  taskPayload,
  type EnvironmentModule,
  type Verdict,
  type World,
} from '../../core/ground/environment-module'
export {
  endingWith,
  notReady,
  replyEnvironment,
  roundsSetting,
  rulesOf,
  ruleTemplates,
} from '../../core/ground/replies/reply-environment'
export type {
  ReplyEpisode,
  ReplyForms,
  ReplyOptions,
  ReplyWorld,
} from '../../core/ground/replies/reply-episode'
export { jsonForm } from '../../core/ground/replies/json-form'
export { repliesSetting } from '../../core/ground/replies/reply-reader'
export type { ToolInfo } from '../../core/ground/tools'

// Providers of models
export type {
  CallOptions,
  ChatMessage,
  ChatTool,
  GenerateRequest,
  GenerateResult,
  LanguageModel,
  ModelAbilities,
  ToolCall,
} from '../../core/ground/chat'
export { generateWithTools } from '../providers/generic-tools'
export { readToolCall } from '../providers/tool-calls'
export { ThoughtFilter } from '../providers/thought-filter'
export type { ModelProvider, ProviderModule, ProviderWorld } from '../providers/provider'

// Formats
export type { Format, FormatPart, FormatSource, WriteOptions } from '../../core/formats/format'
export { bySigns, sign, type Recognise } from '../../core/ground/recognition'
export { parsed, readElements, readLines } from '../../core/ground/entries'
export { foundInRows, foundOfRow, jsonLine, unitsOf, type Foreign, type Unit } from '../../core/formats/units'
export type { Found, ReadContext } from '../../core/memory/experiences/import/log'

// Tool servers
export { toolServer, toolThat, type ToolServer, type ToolServerModule } from '../tool-servers/module'
export { root, timeLimit } from '../tool-servers/options'
export { serveWith, type ServedTool } from '../tool-servers/serve-with'

// Kinds of memory
export { learnedFields, type LearnedText } from '../../shared/domain/memory'
export { learnedKind, type LearnedKind } from '../../core/memory/items/learned-kind'
export type { MemoryKindModule, MemorySource } from '../../core/memory/items/kind'
export {
  line as lineField,
  lines as linesField,
  linesOf,
  success as successField,
  text as textField,
  textOf,
} from '../../core/memory/items/field'
