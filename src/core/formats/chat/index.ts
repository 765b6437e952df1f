import type { RowPlace } from '../../../shared/domain/reading'
import { parsed, readElements } from '../../ground/entries'
import { byJsonSigns, sign, UNRECOGNISED } from '../../ground/recognition'
import { isRecord } from '../../ground/record'
import { foundInDialog, nameOf, timeOf } from '../../memory/experiences/import/conversations'
import type { DialogMessage } from '../../memory/experiences/import/dialog-message'
import { LOG_WORDS, type Found, type LogFormat } from '../../memory/experiences/import/log'
import { messageOf, messagesIn } from '../../memory/experiences/import/message'
import { wholeAttempt } from '../whole-attempt'
import { messagesOfTurn } from './turns'

/** Names under which programs keep the messages of a conversation. */
const LISTS = [
  'messages',
  'conversations',
  'conversation',
  'chat_messages',
  'traj',
  'trajectory',
  'chat_history',
  'dialog',
  'dialogue',
  'history',
  'internal',
  'requests',
  'prompt',
] as const

/** Names under which a benchmark writes whether the whole conversation did what was asked. */
const GRADES = ['reward', 'is_success', 'resolved', 'solved', 'passed', 'is_correct'] as const

/** How a graded row ended; null where it says no grade, or one between right and wrong. */
function outcomeOf(row: Record<string, unknown>): 'success' | 'failure' | null {
  const grades = GRADES.flatMap((name) => (row[name] === undefined ? [] : [row[name]]))
  if (grades.length > 0 && grades.every((grade) => grade === true || grade === 1)) return 'success'
  if (grades.length > 0 && grades.every((grade) => grade === false || grade === 0)) return 'failure'
  return null
}

/** A row's own name; the trials of one task are told apart. */
function sourceOf(row: Record<string, unknown>): string | null {
  const task = nameOf(row['id'] ?? row['uuid'] ?? row['conversation_id'] ?? row['task_id'])
  const trial = nameOf(row['trial'])
  return task === null || trial === null ? task : `${task}/${trial}`
}

/** The messages of a row: a list by one of the usual names, or the row itself. */
function dialogOf(value: unknown): DialogMessage[] {
  if (Array.isArray(value)) return messagesIn(value)
  if (!isRecord(value)) return []
  for (const name of LISTS) {
    const list = value[name]
    if (!Array.isArray(list)) continue
    // claude.ai says the sender; the completion of a preference row stands beside its prompt.
    const messages = list.flatMap((one: unknown) =>
      messagesOfTurn(isRecord(one) && one['sender'] ? { ...one, role: one['sender'] } : one),
    )
    return [...messages, ...(name === 'prompt' ? messagesIn(value['completion'] ?? value['chosen']) : [])]
  }
  return []
}

/** Whether a row is one message of a conversation that the file as a whole holds. */
const isMessage = (value: unknown): boolean =>
  isRecord(value) && (typeof value['is_user'] === 'boolean' || messageOf(value) !== null)

/** A data set of what was put in and should come out: tasks, no conversations. */
const DATA_SET = /"inputs"\s*:\s*\{\s*"(?:messages|input)"\s*:\s*\[/
const ROLE = /"(?:role|from|sender)"\s*:\s*"(?:user|human|system|assistant)"/
const recognise = byJsonSigns([
  sign(
    0.3,
    /"(?:messages|conversations?|chat_messages|traj|trajectory|chat_history|dialog|dialogue)"\s*:\s*\[\s*\{/,
    ROLE,
  ),
  // Continue, Copilot, text-generation-webui, SillyTavern, AnythingLLM.
  sign(0.3, /"history"\s*:\s*\[\s*\{\s*"message"\s*:\s*\{/, ROLE),
  sign(0.3, /"requests"\s*:\s*\[\s*\{/, /"message"\s*:\s*\{/, /"response"\s*:\s*\[/),
  sign(0.3, /"internal"\s*:\s*\[\s*\[\s*"/, /"visible"\s*:\s*\[/),
  sign(0.3, /"is_user"\s*:\s*(?:true|false)/, /"mes"\s*:\s*"/),
  sign(0.3, /"prompt"\s*:\s*"/, /"response"\s*:\s*"/, /"(?:sent_at|workspace)"\s*:/),
  // Messages one by one: both sides speak.
  sign(0.2, /"role"\s*:\s*"user"/, /"role"\s*:\s*"assistant"/, /"content"\s*:\s*["[]/),
])

/** The attempts of one conversation; where its row holds a grade, it is one attempt. */
function* foundInRow(place: RowPlace, dialog: readonly DialogMessage[], value: unknown): Generator<Found> {
  const row = isRecord(value) ? value : {}
  const outcome = outcomeOf(row)
  const about = {
    framework: nameOf(row['framework']) ?? 'chat',
    domain: nameOf(row['domain']) ?? 'general',
    sourceId: sourceOf(row),
    model: nameOf(row['model']),
    createdAt: timeOf(row['created_at'] ?? row['timestamp'] ?? row['sent_at']),
  }
  if (outcome === null) {
    yield* foundInDialog(place, dialog, about)
    return
  }
  // Who speaks in it is a part that the benchmark plays: the grade counts, not their thanks.
  const log = wholeAttempt(dialog, { ...about, outcome })
  yield typeof log === 'string' ? { kind: 'left', place, why: log } : { kind: 'log', place, log }
}

async function* read(text: AsyncIterable<string>): AsyncGenerator<Found> {
  // Messages that stand in rows of their own are one conversation.
  let open: { readonly place: RowPlace; readonly dialog: DialogMessage[] } | null = null
  for await (const { place, value, problem } of parsed(readElements(text))) {
    const dialog = problem === null ? dialogOf(value) : []
    if (dialog.length === 0 && isMessage(value)) {
      open ??= { place, dialog: [] }
      open.dialog.push(...messagesOfTurn(value))
      continue
    }
    if (open) yield* foundInRow(open.place, open.dialog, null)
    open = null
    const own = dialog.length > 0 || problem !== null ? dialog : messagesOfTurn(value)
    if (own.length > 0) yield* foundInRow(place, own, value)
    else yield { kind: 'left', place, why: problem ?? 'it holds no messages with a role' }
  }
  if (open) yield* foundInRow(open.place, open.dialog, null)
}

/** Conversations as lists of messages: what OpenAI's protocol, training files and most programs write. */
export const chat: LogFormat = {
  id: 'chat',
  title: 'Conversations as messages (JSON, JSONL)',
  writtenFor:
    'messages with role and content, one conversation or one message a row, and turns of Copilot, text-generation-webui, SillyTavern and AnythingLLM; a grade beside them is kept',
  ...LOG_WORDS,
  recognise: (head, name) => (DATA_SET.test(head) ? UNRECOGNISED : recognise(head, name)),
  read,
}
