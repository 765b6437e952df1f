import { parsed, readElements } from '../../ground/entries'
import { byJsonSigns, sign, UNRECOGNISED } from '../../ground/recognition'
import { isRecord } from '../../ground/record'
import { foundInDialog, nameOf, timeOf } from '../../memory/experiences/import/conversations'
import type { DialogMessage } from '../../memory/experiences/import/dialog-message'
import { LOG_WORDS, type Found, type LogFormat } from '../../memory/experiences/import/log'
import { messagesIn } from '../../memory/experiences/import/message'
import { wholeAttempt } from '../whole-attempt'

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
    const messages = messagesIn(
      list.map((one: unknown) => (isRecord(one) && one['sender'] ? { ...one, role: one['sender'] } : one)),
    )
    return [...messages, ...(name === 'prompt' ? messagesIn(value['completion'] ?? value['chosen']) : [])]
  }
  return []
}

/** A data set of what was put in and should come out: tasks, no conversations. */
const DATA_SET = /"inputs"\s*:\s*\{\s*"(?:messages|input)"\s*:\s*\[/
const recognise = byJsonSigns([
  sign(
    0.3,
    /"(?:messages|conversations?|chat_messages|traj|trajectory|chat_history|dialog|dialogue)"\s*:\s*\[\s*\{/,
    /"(?:role|from|sender)"\s*:\s*"(?:user|human|system|assistant)"/,
  ),
])

async function* read(text: AsyncIterable<string>): AsyncGenerator<Found> {
  for await (const { place, value, problem } of parsed(readElements(text))) {
    const dialog = problem === null ? dialogOf(value) : []
    if (dialog.length === 0) {
      yield { kind: 'left', place, why: problem ?? 'it holds no messages with a role' }
      continue
    }
    const row = isRecord(value) ? value : {}
    const outcome = outcomeOf(row)
    const about = {
      framework: nameOf(row['framework']) ?? 'chat',
      domain: nameOf(row['domain']) ?? 'general',
      sourceId: sourceOf(row),
      model: nameOf(row['model']),
      createdAt: timeOf(row['created_at'] ?? row['timestamp']),
    }
    if (outcome === null) {
      yield* foundInDialog(place, dialog, about)
      continue
    }
    // Who speaks in it is a part that the benchmark plays: the grade counts, not their thanks.
    const log = wholeAttempt(dialog, { ...about, outcome })
    yield typeof log === 'string' ? { kind: 'left', place, why: log } : { kind: 'log', place, log }
  }
}

/** Conversations as lists of messages: what OpenAI's protocol, training files and most programs write. */
export const chat: LogFormat = {
  id: 'chat',
  title: 'Conversations as messages (JSON, JSONL)',
  writtenFor:
    'messages with role and content (OpenAI, Anthropic, LangChain, ShareGPT, claude.ai, tau-bench), a conversation per row; a grade beside them says how it ended',
  ...LOG_WORDS,
  recognise: (head, name) => (DATA_SET.test(head) ? UNRECOGNISED : recognise(head, name)),
  read,
}
