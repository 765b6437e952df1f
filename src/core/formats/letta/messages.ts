import { isRecord } from '../../ground/record'
import { nameOf, timeOf } from '../../memory/experiences/import/conversations'
import type { DialogMessage, DialogResult } from '../../memory/experiences/import/dialog-message'
import { messageOf, parsedOr } from '../../memory/experiences/import/message'
import { textOf } from '../../memory/experiences/import/records'

type Row = Readonly<Record<string, unknown>>

/** The tool by which an agent speaks, and the name of what it says. */
const SPEAKS = 'send_message'

/** What a person wrote: the server may pack it as JSON with the time, and packs its own notices so. Empty for a notice. */
function personsWords(text: string): string {
  const packed = parsedOr(text)
  if (!isRecord(packed) || typeof packed['type'] !== 'string') return text
  return packed['type'] === 'user_message' ? textOf(packed['message']) : ''
}

/** What a tool answered: older servers pack it as JSON with a status and the time. */
function answerOf({ id, text, failed }: DialogResult): DialogResult {
  const packed = parsedOr(text)
  if (!isRecord(packed) || typeof packed['time'] !== 'string') return { id, text, failed }
  const { status, message } = packed
  if (status !== 'OK' && status !== 'Failed') return { id, text, failed }
  return { id, text: textOf(message), failed: failed || status === 'Failed' }
}

/** Answers that stand apart from the content of their message. */
const answersBeside = (row: Row): DialogResult[] =>
  (Array.isArray(row['tool_returns']) ? row['tool_returns'] : []).filter(isRecord).map((one) => ({
    id: nameOf(one['tool_call_id'] ?? row['tool_call_id']),
    text: textOf(one['func_response'] ?? one['tool_return']),
    failed: one['status'] === 'error',
  }))

const spokenIn = (input: unknown): string => {
  const value = typeof input === 'string' ? parsedOr(input) : input
  return isRecord(value) ? textOf(value['message']) : ''
}

/** A message of an agent file, without the answers to what the agent said; null for what is none. */
function ofFile(row: Row): DialogMessage | null {
  const message = messageOf(row)
  if (!message) return null
  const about = { time: timeOf(row['created_at']), model: nameOf(row['model']) }
  if (message.role === 'user') return { ...message, ...about, text: personsWords(message.text) }
  if (message.role === 'tool') {
    const beside = answersBeside(row)
    const results = beside.length > 0 ? beside : (message.results ?? [])
    return { ...message, ...about, results: row['name'] === SPEAKS ? [] : results.map(answerOf) }
  }
  const calls = message.calls ?? []
  const spoken = calls.filter(({ tool }) => tool === SPEAKS).map(({ given }) => spokenIn(given))
  // What stands beside a call are the agent's thoughts.
  const isThought = calls.length > 0
  return {
    ...message,
    ...about,
    calls: calls.filter(({ tool }) => tool !== SPEAKS),
    text: isThought ? spoken.join('\n') : message.text,
    thought: [message.thought ?? '', isThought ? message.text : ''].filter((text) => text !== '').join('\n'),
  }
}

/** A message as the server's own interface lists it: each step of an agent is several of them. */
function ofList(row: Row): DialogMessage | null {
  const time = timeOf(row['date'] ?? row['created_at'])
  const call = isRecord(row['tool_call']) ? row['tool_call'] : {}
  switch (row['message_type']) {
    case 'user_message':
      return { role: 'user', text: personsWords(textOf(row['content'])), time }
    case 'assistant_message':
      return { role: 'agent', text: textOf(row['content']), time }
    case 'reasoning_message':
      return { role: 'agent', text: '', thought: textOf(row['reasoning']), time }
    case 'tool_call_message':
    case 'approval_request_message': {
      const tool = textOf(call['name'])
      if (tool === SPEAKS) return { role: 'agent', text: spokenIn(call['arguments']), time }
      return {
        role: 'agent',
        text: '',
        calls: [{ id: nameOf(call['tool_call_id']), tool, given: call['arguments'] ?? {} }],
        time,
      }
    }
    case 'tool_return_message': {
      if (row['name'] === SPEAKS) return null
      const result = {
        id: nameOf(row['tool_call_id']),
        text: textOf(row['tool_return']),
        failed: row['status'] === 'error',
      }
      return { role: 'tool', text: '', results: [answerOf(result)], time }
    }
    default:
      return null
  }
}

/** Whether a value is a message as the server's interface lists it. */
export const isListed = (value: unknown): value is Row =>
  isRecord(value) && typeof value['message_type'] === 'string'

/** The messages of an agent as a dialog, the oldest first, however they were listed. */
export function dialogOf(rows: readonly unknown[]): DialogMessage[] {
  const dialog = rows.filter(isRecord).flatMap((row) => (isListed(row) ? ofList(row) : ofFile(row)) ?? [])
  const times = dialog.flatMap(({ time }) => time ?? [])
  return (times[0] ?? '') > (times.at(-1) ?? '') ? dialog.reverse() : dialog
}
