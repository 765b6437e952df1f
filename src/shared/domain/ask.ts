import { z } from 'zod'
import { loamErrorShape } from './error-shape'
import { answerCheckSchema } from './answer-check'
import { askOriginSchema } from './ask-origin'
import { BASELINE } from './experiment'
import { itemRefSchema } from './item'
import { liveTaskSchema } from './run'
import { trajectorySchema } from './trajectory'
import { bytes, count, instant, milliseconds, share } from './units'
import { messageReadingSchema, ruledVerdictSchema } from './verdict'
import { BOUNDS, integerIn, numberIn } from './bounds'

/** A file of an ask: given to it, or made while it was worked on. `name` has no folders. */
export const askFileSchema = z.object({ name: z.string(), bytes })
export type AskFile = z.infer<typeof askFileSchema>

/** The task of a stream in whose world an ask acts; the words of the ask stand in for the task's own. */
export const askEnvironmentSchema = z.object({ stream: z.string().min(1), index: count })
export type AskEnvironment = z.infer<typeof askEnvironmentSchema>

/** Most tokens of one reply where neither an ask nor its project says. */
export const ASK_TOKENS = 1024

/** What is asked of whom, and with what. */
export const askSpecSchema = z.object({
  text: z.string().trim().min(1).max(200_000),
  /** `straight`: one model with tools. `plan`: a planner and an executor take turns. Asks in a world are acted out there. */
  way: z.enum(['straight', 'plan']).default('straight'),
  /** Null: it acts in no world. */
  world: askEnvironmentSchema.nullable().default(null),
  /** GGUF path or another reference. */
  model: z.string().min(1),
  /** The memory it recalls from and that judging teaches. */
  memoryId: z.string().min(1),
  /** False: judging it teaches the memory nothing. */
  remember: z.boolean().default(true),
  /** Whether passages of the folders that the memory reads are recalled, whatever its method. */
  ownFiles: z.boolean().default(true),
  method: z.string().min(1),
  /** Whether Loam chose the method. Null: asked before that was kept. */
  automatic: z.boolean().nullable().default(null),
  /** Items recalled. */
  k: integerIn(BOUNDS.k),
  /** Tool servers it may use, by id; null: those that each message needs. */
  tools: z.array(z.string()).nullable().default(null),
  /** How to answer, in the person's words, beside what their project says. Not told in a world. */
  instructions: z.string().trim().max(20_000).default(''),
  /** Null: what the project says, else what suits the model. */
  temperature: numberIn(BOUNDS.temperature).nullable().default(null),
  /** The same. */
  topP: numberIn(BOUNDS.topP).nullable().default(null),
  /** Most tokens of one reply. Null: what the project says, else `ASK_TOKENS`. */
  maxTokens: integerIn(BOUNDS.askTokens).nullable().default(null),
  /** Where chance begins; null: somewhere else at each try. */
  seed: count.nullable().default(null),
})
export type AskSpec = z.infer<typeof askSpecSchema>

/** A file with what is in it, in base64. */
export const handedFileSchema = z.object({ name: z.string().min(1).max(255), base64: z.string() })

/** What a project is called. */
export const projectNameSchema = z.string().trim().min(1).max(100)

/** What a person fills in of an ask. */
export const startAskSchema = askSpecSchema
  .omit({ model: true, memoryId: true, method: true, automatic: true, k: true })
  .extend({
    /** Default: the largest that can hold a dialog and fits; in an environment the bundled demo model. */
    model: z.string().optional(),
    /** Default: My memory. */
    memoryId: z.string().optional(),
    /** Default: as Loam chooses (`methods.choice`). Methods that only measure in the Lab are refused. */
    method: z.string().optional(),
    /** Default: the method's own. */
    k: integerIn(BOUNDS.k).optional(),
    files: z.array(handedFileSchema).max(200).default([]),
    /** The project it belongs to; null for none. */
    project: projectNameSchema.nullable().default(null),
    /** Nothing of it is written to disk, and it teaches nothing, until it is kept; it is gone when Loam ends. */
    temporary: z.boolean().default(false),
  })
export type StartAsk = z.input<typeof startAskSchema>

/** What is chosen for an ask that is being written; null and absent choices are left to Loam. */
const draftChoicesSchema = z.object({
  way: z.enum(['straight', 'plan']).nullable(),
  /** Absent while nobody chose; null for no world. */
  world: askEnvironmentSchema.nullable().optional(),
  model: z.string().nullable(),
  method: z.string().nullable(),
  tools: z.array(z.string()).nullable(),
  remember: z.boolean(),
  ownFiles: z.boolean(),
  memoryId: z.string().nullable(),
  instructions: z.string().max(20_000).default(''),
  temperature: numberIn(BOUNDS.temperature).nullable().default(null),
  topP: numberIn(BOUNDS.topP).nullable().default(null),
  maxTokens: integerIn(BOUNDS.askTokens).nullable().default(null),
  project: projectNameSchema.nullable().default(null),
})

/** How the asks of a project are answered. */
export const projectSettingsSchema = z.object({
  name: projectNameSchema,
  /** In the person's words; empty for none. */
  instructions: z.string().trim().max(20_000).default(''),
  /** Null: what suits the model. */
  temperature: numberIn(BOUNDS.temperature).nullable().default(null),
  /** The same. */
  topP: numberIn(BOUNDS.topP).nullable().default(null),
  /** Most tokens of one reply. Null: `ASK_TOKENS`. */
  maxTokens: integerIn(BOUNDS.askTokens).nullable().default(null),
})
export type ProjectSettings = z.infer<typeof projectSettingsSchema>

/** A message that is being written. */
export const messageDraftSchema = z.object({
  /** The ask that it goes on with; `new` for a new one. */
  key: z.string().regex(/^[a-z0-9-]{1,80}$/),
  text: z.string().max(200_000),
  /** Of a new ask. */
  choices: draftChoicesSchema.optional(),
  files: z.array(handedFileSchema).max(200),
})
export type MessageDraft = z.infer<typeof messageDraftSchema>

/** The same as it is kept; files that are absent stay as they were. */
export const keepDraftSchema = messageDraftSchema.partial({ files: true })
export type KeepDraft = z.infer<typeof keepDraftSchema>

/** What may differ between two tries at the same message: all but the tools, and the words where those were edited. */
export const askChangesSchema = z.object({
  text: z.string().trim().min(1).max(200_000).optional(),
  way: z.enum(['straight', 'plan']).optional(),
  model: z.string().min(1).optional(),
  memoryId: z.string().min(1).optional(),
  remember: z.boolean().optional(),
  ownFiles: z.boolean().optional(),
  method: z.string().min(1).optional(),
  k: integerIn(BOUNDS.k).optional(),
  seed: count.optional(),
  /** It is shown what another attempt recalled, but for these items, and nothing else. */
  recall: z.object({ attempt: count, without: z.array(itemRefSchema).max(64) }).optional(),
})
export type AskChanges = z.infer<typeof askChangesSchema>

/**
 * Where a try leaves another one: its steps before `step` are kept, and `edit` stands in for that step where a person rewrote it. Steps of
 * planned work are its plans and their subtasks, in order (`plannedSteps`).
 */
export const askBranchSchema = z.object({
  attempt: count,
  step: count,
  /**
   * A tool's name and its arguments as JSON, or in a world the action as it is written there; anything else is the answer. In planned work,
   * a plan as its subtasks one a line, or `FINAL ANSWER:` and the answer; a subtask in other words, or `RESULT:` and what came of it.
   */
  edit: z.string().min(1).max(200_000).nullable(),
  /** The answer that this step is was cut, and is gone on with. Default: the step is taken anew. */
  goOn: z.literal(true).optional(),
})
export type AskBranch = z.infer<typeof askBranchSchema>

/** One message of the person. */
export const askMessageSchema = z.object({
  text: z.string(),
  given: z.array(askFileSchema),
  /** The attempt that it follows; null for the first message. */
  after: count.nullable(),
  at: instant,
  /** Taken out, with all tries at it: neither shown nor read by a model. */
  removed: z.boolean().default(false),
  /** Names of files that came with it where it was imported from, and that its log does not hold. */
  missing: z.array(z.string()).default([]),
})
export type AskMessage = z.infer<typeof askMessageSchema>

/** What had to go so that a dialog fits into what its model can read. */
const contextCutSchema = z.object({
  /** Answers of tools that were left out. */
  answers: count,
  /** Oldest messages, with what was done about them, that a summary stands for; an empty one: they were left out. */
  turns: count,
  summary: z.string(),
})
export type ContextCut = z.infer<typeof contextCutSchema>

/** Whether an answer was right, as a person says. Only `right` counts as solved. */
export const verdictValueSchema = z.enum(['right', 'partly', 'wrong'])
export type VerdictValue = z.infer<typeof verdictValueSchema>

/** What a person says about an answer. */
export const verdictInputSchema = z.object({
  verdict: verdictValueSchema,
  /** What the answer should have been, or in a world what should have been done; null when they do not say. */
  answer: z.string().trim().min(1).max(100_000).nullable().default(null),
  /** The step it went wrong at, from 0; null when none was picked. */
  wrongAt: count.nullable().default(null),
  /** What was wrong there, in words; null for none. */
  note: z.string().trim().min(1).max(10_000).nullable().default(null),
})
export type VerdictInput = z.infer<typeof verdictInputSchema>

/** A verdict and what came of it. */
export const askVerdictSchema = verdictInputSchema.extend({
  id: z.string(),
  /** Who says so: the person, the check that is attached to the ask, a model that was asked to judge, or the rules, from what the person wrote next. */
  by: z.enum(['person', 'check', 'model', 'rule']).default('person'),
  /** Which model judged; null where none did. */
  judge: z.string().nullable().default(null),
  /** How far what is learned from it counts while nobody has confirmed it, in [0, 1]: of a success by the rules. Null for all other verdicts. */
  probation: share.nullable().default(null),
  at: instant,
  /** What the memory took from it; null while that is being worked out, empty when it is told nothing. */
  learned: z.array(itemRefSchema).nullable(),
  /** Why nothing could be learned; null when that did not fail. */
  problem: loamErrorShape.nullable(),
})
export type AskVerdict = z.infer<typeof askVerdictSchema>

/** What a message tells of its writer in passing. It becomes a fact only when the person says so. */
export const factOfferSchema = z.object({
  statement: z.string(),
  /** `open`: the person has not said yet. */
  state: z.enum(['open', 'kept', 'left']),
  /** The fact it became; null for none. */
  fact: itemRefSchema.nullable(),
})
export type FactOffer = z.infer<typeof factOfferSchema>

/** One try at an ask. */
export const askAttemptSchema = z.object({
  /** From 0. */
  index: count,
  /** The message it answers, from 0. */
  turn: count.default(0),
  /** What it was asked with, where that differs from the ask's own. */
  changes: askChangesSchema.default({}),
  /** The attempt it began from; null when it began at the message. */
  from: askBranchSchema.nullable().default(null),
  /** Null while everything fitted. */
  fitted: contextCutSchema.nullable().default(null),
  trajectory: trajectorySchema,
  made: z.array(askFileSchema),
  /** Taken out: neither shown nor read by a model. */
  removed: z.boolean().default(false),
  /** Tokens that its model can read; null where that is not known. */
  contextSize: count.nullable().default(null),
  /** Tokens of its fullest request, where several went into it, as in planned work; null where its rounds tell. */
  contextUsed: count.nullable().default(null),
  /** What of its files the model was not shown, in words; empty for nothing. */
  unread: z.string().default(''),
  /** Facts that the message asked to be remembered. */
  facts: z.array(itemRefSchema).default([]),
  /** What the message told in passing, to be kept or left. */
  offers: z.array(factOfferSchema).default([]),
  /** What it recalled and did not belong to it, as the person says: asks about the same are not shown it. */
  misplaced: z.array(itemRefSchema).default([]),
  judgement: askVerdictSchema.nullable(),
  /** What the rules tell from what the person wrote next; null where nothing is settled, or somebody said it. */
  ruled: ruledVerdictSchema.nullable().default(null),
  /** What a model took that message for; null where none has read it. */
  reading: messageReadingSchema.nullable().default(null),
})
export type AskAttempt = z.infer<typeof askAttemptSchema>

/** How every answer to an ask is checked, and what it is compared with. */
export const askCheckSchema = z.object({
  /** The message whose answers it judges. */
  turn: count.default(0),
  how: answerCheckSchema,
  answer: z.string().trim().max(100_000).default(''),
})
export type AskCheck = z.infer<typeof askCheckSchema>

/** An ask in a list. */
export const askInfoSchema = z.object({
  id: z.string(),
  title: z.string(),
  spec: askSpecSchema,
  given: z.array(askFileSchema),
  /** `waiting`: something else has the model. `stopped`: by the person, or because Loam ended. */
  status: z.enum(['waiting', 'working', 'done', 'failed', 'stopped']),
  problem: loamErrorShape.nullable(),
  pinned: z.boolean(),
  /** Put away: it is found by searching, and not among the others. */
  archived: z.boolean().default(false),
  /** On no disk, and gone when Loam ends, until it is kept. */
  temporary: z.boolean().default(false),
  /** Whether it was answered since it was last looked at. */
  unread: z.boolean().default(false),
  createdAt: instant,
  /** When it last changed, and when its person last wrote in it or asked again, which lists go by. */
  changedAt: instant,
  messageAt: instant,
  /** ISO time it was deleted; null while it is not. */
  deletedAt: instant.nullable(),
  attempts: count,
  /** Messages of the person. */
  turns: count.default(1),
  /** Null: it was asked here. */
  origin: askOriginSchema.nullable().default(null),
  /** What it is filed under; null for nothing. */
  folder: z.string().nullable().default(null),
  /** Judges each answer to one of its messages; null for none. */
  check: askCheckSchema.nullable().default(null),
  /** Of the newest attempt; null when nobody judged it. */
  verdict: verdictValueSchema.nullable(),
  /** Whether the newest answer says what was kept as facts: no model wrote it, and nobody has to judge it. */
  isFact: z.boolean().default(false),
  /** Answers of which the next message tells how they were, and nobody has said so. */
  presumed: count.default(0),
})
export type AskInfo = z.infer<typeof askInfoSchema>

/** A tool that is being called right now. */
const askCallSchema = z.object({ tool: z.string(), arguments: z.record(z.string(), z.unknown()) })

/** What is happening in an ask right now. */
export const askLiveSchema = liveTaskSchema.extend({
  calling: askCallSchema.nullable(),
  /** The message that is worked on. */
  turn: count.default(0),
  /** Words of the person that wait for the next step. */
  words: z.array(z.string()).default([]),
  fitted: contextCutSchema.nullable().default(null),
  /** What of its files is not read, in words; empty for nothing. */
  unread: z.string().default(''),
})
export type AskLive = z.infer<typeof askLiveSchema>

/** How long work that waits for a model has to wait. */
export const modelWaitSchema = z.object({
  /** In line, from 1. */
  place: count,
  /** What goes before it, in words. */
  behind: z.string(),
  /** About how long; null where that is not known. */
  waitMs: milliseconds.nullable(),
  /** Whether it can start now: what has its place can rest meanwhile. */
  canStart: z.boolean().default(false),
})
export type ModelWait = z.infer<typeof modelWaitSchema>

/** An ask in full. */
export const askDetailSchema = z.object({
  ask: askInfoSchema,
  turns: z.array(askMessageSchema),
  /** Oldest first. */
  attempts: z.array(askAttemptSchema),
  live: askLiveSchema.nullable(),
  /** Messages that are sent one after another, each when the one before is answered. */
  queue: z.array(z.string()).default([]),
  /** Null while it does not wait for the model. */
  wait: modelWaitSchema.nullable().default(null),
  /** What rests while it is worked on, in words; null: nothing does. */
  rests: z.string().nullable().default(null),
})
export type AskDetail = z.infer<typeof askDetailSchema>

/** The tries at an ask that were not taken out, oldest first. */
export const keptAttempts = ({ turns, attempts }: Pick<AskDetail, 'turns' | 'attempts'>): AskAttempt[] =>
  attempts.filter(({ removed, turn }) => !removed && turns[turn]?.removed !== true)

/** What is taken out of an ask: one of its messages with all tries at it, or one try. Both from 0. */
export const askPartSchema = z.union([z.object({ turn: count }), z.object({ attempt: count })])
export type AskPart = z.infer<typeof askPartSchema>

/** What an ask is called when it wants to use a tool. */
export const askName = ({ title }: Pick<AskInfo, 'title'>): string => `The ask “${title}”`

/** What a try was asked with. */
export const specOf = (ask: Pick<AskInfo, 'spec'>, attempt: Pick<AskAttempt, 'changes'>): AskSpec => ({
  ...ask.spec,
  ...definedOf(attempt.changes),
})

const definedOf = ({ recall: _shown, ...changes }: AskChanges): Partial<AskSpec> =>
  Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined))

/** Whether a try was to be answered without memory, or without items that another one recalled. */
export const isWithoutMemory = (ask: Pick<AskInfo, 'spec'>, attempt: Pick<AskAttempt, 'changes'>): boolean =>
  specOf(ask, attempt).method === BASELINE || (attempt.changes.recall?.without.length ?? 0) > 0

/** What an attempt answered; null when nothing. */
export function answerOf({
  trajectory: { question, rounds },
}: Pick<AskAttempt, 'trajectory'>): string | null {
  const last = rounds.at(-1)
  return question?.answer ?? (last?.action.kind === 'answer' ? last.action.content : null)
}

/** Whether its answer was cut, at a length limit or by being stopped, so that it can be gone on with. */
export const isCut = ({ trajectory: { finish, cycles, rounds } }: Pick<AskAttempt, 'trajectory'>): boolean =>
  (finish === 'output-limit' || finish === 'stopped') && !cycles && rounds.at(-1)?.action.kind === 'answer'

/** Its answer where it came to an end; null too for one that was cut, which no program takes for right. */
export const wholeAnswerOf = (attempt: Pick<AskAttempt, 'trajectory'>): string | null =>
  ['output-limit', 'stopped'].includes(attempt.trajectory.finish) ? null : answerOf(attempt)
