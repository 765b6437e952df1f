import { z } from 'zod'
import {
  askBranchSchema,
  askChangesSchema,
  askCheckSchema,
  askDetailSchema,
  askInfoSchema,
  askPartSchema,
  keepDraftSchema,
  messageDraftSchema,
  verdictInputSchema,
  askEnvironmentSchema,
  projectNameSchema,
  projectSettingsSchema,
  handedFileSchema,
  startAskSchema,
} from '../domain/ask'
import { askCurveSchema, leftOutSchema } from '../domain/ask-curve'
import { itemRefSchema } from '../domain/item'
import { savedPromptSchema } from '../domain/saved-prompt'
import { messageReaderSchema } from '../domain/message-reader'
import { recallHistorySchema } from '../domain/recall-history'
import { reviewSchema } from '../domain/review'
import { streamInfoSchema } from '../domain/task'
import { changing, following, managing, memoryId, reading, showing } from './procedure'
import { count } from '../domain/units'

const askId = z.object({ askId: z.string() })

/** Asks: one task at a time, worked on in view, judged by a person, learned from. */
export const asks = {
  drafts: reading('Messages that are being written.').output(z.array(messageDraftSchema)),
  keepDraft: changing('Keeps a message that is being written, so that it survives a restart.').input(
    keepDraftSchema,
  ),
  list: reading('Asks, pinned ones first, then the newest.')
    .input(
      z
        .object({
          /** Words that the ask or an answer to it holds; empty for all. */
          text: z.string().max(1000).default(''),
          deleted: z.boolean().default(false),
        })
        .prefault({}),
    )
    .output(z.array(askInfoSchema)),
  get: reading('One ask in full.').input(askId).output(askDetailSchema),
  start: changing('Asks something.').input(startAskSchema).output(askInfoSchema),
  say: changing('Says more: the next message of a conversation.')
    .input(
      askId.extend({
        text: z.string().trim().min(1).max(200_000),
        files: z.array(handedFileSchema).max(200).default([]),
        /** The attempt it follows; null for the newest. */
        after: count.nullable().default(null),
      }),
    )
    .output(askInfoSchema),
  branch: changing('Tries a message again: from a step on, with another model or memory, or in other words.')
    .input(askId.extend({ from: askBranchSchema, changes: askChangesSchema.default({}) }))
    .output(askInfoSchema),
  steer: changing('Says something to an agent at work; it is taken in before the next step.')
    .input(askId.extend({ text: z.string().trim().min(1).max(20_000) }))
    .output(askInfoSchema),
  queue: changing('Keeps a message that is sent once those before it are answered.')
    .input(askId.extend({ text: z.string().trim().min(1).max(200_000) }))
    .output(askDetailSchema),
  unqueue: changing('Takes a message that waits to be sent out again, where it still does.')
    .input(askId.extend({ index: count, text: z.string() }))
    .output(askDetailSchema),
  retry: changing('Tries an ask once more.').input(askId).output(askInfoSchema),
  startNow: changing('Starts a waiting ask at once; what has its place rests, and goes on after it.')
    .input(askId)
    .output(askInfoSchema),
  stop: changing('Stops the work on an ask.').input(askId).output(askInfoSchema),
  watch: following('Follows an ask, token by token.', askId, askDetailSchema),
  teach: managing('Says whether an answer was right; the memory learns from it.')
    .input(askId.extend({ attempt: count, teaching: verdictInputSchema }))
    .output(askDetailSchema),
  judge: managing(
    'Has the model of an ask say whether an answer was right; what is learned is marked as its word.',
  )
    .input(askId.extend({ attempt: count }))
    .output(askDetailSchema),
  review: reading('Answers that wait for a word, in the order in which it is worth most.').output(
    reviewSchema,
  ),
  reader: reading(
    'Which model reads next messages, and how its readings compare with the person’s verdicts.',
  ).output(messageReaderSchema),
  putOffReview: changing(
    'Says that the person was asked for their word; they are not asked again today.',
  ).output(reviewSchema),
  check: changing('Attaches a check that judges every answer; null takes it off.')
    .input(askId.extend({ check: askCheckSchema.nullable() }))
    .output(askInfoSchema),
  editAnswer: changing('Keeps an answer in a person’s words, as one more try; no model is asked.')
    .input(askId.extend({ attempt: count, text: z.string().trim().min(1).max(200_000) }))
    .output(askDetailSchema),
  takeOut: changing('Takes a message with its tries, or one try, out of an ask, or puts it back.')
    .input(askId.extend({ part: askPartSchema, removed: z.boolean().default(true) }))
    .output(askDetailSchema),
  fork: changing('Makes a new ask of all that led up to a try, with it; both go on by themselves.')
    .input(askId.extend({ attempt: count }))
    .output(askInfoSchema),
  keep: changing('Keeps a temporary ask as one like any other.').input(askId).output(askInfoSchema),
  putIn: changing('Moves an ask, and what was learned from it, into a project; null into none.')
    .input(askId.extend({ folder: projectNameSchema.nullable() }))
    .output(askInfoSchema),
  renameProject: managing(
    'Calls a project otherwise, with all that belongs to it; a name that is taken makes one of both.',
  )
    .input(z.object({ from: projectNameSchema, name: projectNameSchema }))
    .output(z.void()),
  rename: changing('Gives an ask another title.')
    .input(askId.extend({ title: z.string().trim().min(1).max(300) }))
    .output(askInfoSchema),
  pin: changing('Keeps an ask at the head of the list, or no longer.')
    .input(askId.extend({ pinned: z.boolean() }))
    .output(askInfoSchema),
  archive: changing('Puts an ask away, or back among the others.')
    .input(askId.extend({ archived: z.boolean() }))
    .output(askInfoSchema),
  seen: changing('Says that a person has seen what was answered.').input(askId).output(askInfoSchema),
  export: showing('An ask as a file: Markdown to be read, JSON with everything that is kept of it.')
    .input(askId.extend({ format: z.enum(['markdown', 'json']).default('markdown') }))
    .output(z.object({ name: z.string(), text: z.string() })),
  misplace: changing('Says that a recalled item did not belong to what was asked, or that it did after all.')
    .input(askId.extend({ attempt: count, item: itemRefSchema, misplaced: z.boolean().default(true) }))
    .output(askInfoSchema),
  keepFact: changing('Keeps what a message told in passing as a fact, or leaves it.')
    .input(askId.extend({ attempt: count, statement: z.string().min(1), keep: z.boolean().default(true) }))
    .output(askDetailSchema),
  projects: reading('How the asks of each project are answered.').output(z.array(projectSettingsSchema)),
  setProject: changing('Says how the asks of a project are answered, from the next answer on.')
    .input(projectSettingsSchema)
    .output(z.array(projectSettingsSchema)),
  prompts: showing('Texts that a person uses again, by name.').output(z.array(savedPromptSchema)),
  savePrompt: changing('Keeps a text to be used again; with the id of a prompt that was saved, in its place.')
    .input(savedPromptSchema.partial({ id: true }))
    .output(z.array(savedPromptSchema)),
  removePrompt: changing('Deletes a text that was to be used again.')
    .input(savedPromptSchema.pick({ id: true }))
    .output(z.array(savedPromptSchema)),
  remove: changing('Deletes an ask; what was learned from it stays.').input(askId).output(askInfoSchema),
  restore: changing('Brings a deleted ask back.').input(askId).output(askInfoSchema),
  file: reading('A file that was given to an ask or made by it.')
    .input(
      askId.extend({
        /** The attempt that made it; null for a file that was given. */
        attempt: z.coerce.number().int().nonnegative().nullable().default(null),
        /** The message it was given with. */
        turn: z.coerce.number().int().nonnegative().default(0),
        name: z.string(),
      }),
    )
    .output(z.object({ name: z.string(), base64: z.string() })),
  curve: reading(
    'Everyday work with one memory over time, by topic, with the moments when the memory changed.',
  )
    .input(memoryId)
    .output(askCurveSchema),
  recalls: reading(
    'What the judged asks of a memory would be shown now of what it held before each, and whether that was right. No model works for it.',
  )
    .input(memoryId)
    .output(recallHistorySchema),
  toStream: changing(
    'Makes a stream of judged asks, one per environment, so that any method and model can be replayed on them.',
  )
    .input(
      z.object({
        title: z.string().trim().min(1).max(120),
        /** Asks of this memory; null for all. */
        memoryId: z.string().nullable().default(null),
      }),
    )
    .output(z.object({ streams: z.array(streamInfoSchema), leftOut: z.array(leftOutSchema) })),
  world: showing('What an ask in the world of a task finds there.')
    .input(askEnvironmentSchema.extend({ index: z.coerce.number().int().nonnegative() }))
    .output(z.object({ instruction: z.string(), context: z.string(), tasks: count })),
}
