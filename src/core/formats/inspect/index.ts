import { z } from 'zod'
import { parsed, readElements } from '../../ground/entries'
import { byJsonSigns, sign } from '../../ground/recognition'
import { isRecord } from '../../ground/record'
import { endingOf } from '../../verdict/endings'
import { nameOf, timeOf } from '../../memory/experiences/import/conversations'
import type { DialogMessage } from '../../memory/experiences/import/dialog-message'
import { LOG_WORDS, type AgentLog, type Found, type LogFormat } from '../../memory/experiences/import/log'
import { messageOf, messagesIn } from '../../memory/experiences/import/message'
import { anything, shapeProblem, textOf } from '../../memory/experiences/import/records'
import { wholeAttempt } from '../whole-attempt'

const sampleSchema = z.looseObject({
  id: z.union([z.string(), z.number()]),
  ...anything('epoch', 'input', 'messages', 'scores', 'score', 'error', 'limit', 'attachments'),
})
/** What a log says of all its samples. */
export type InspectHead = Pick<z.infer<typeof logSchema>, 'eval'>
/** What stands where a long text or a picture was. */
const ATTACHMENT = 'attachment://'

export const logSchema = z.looseObject({
  eval: z.looseObject({
    task: z.string(),
    model: z.string().nullish(),
    created: z.string().nullish(),
    ...anything('packages'),
  }),
  samples: z.array(z.unknown()).nullish(),
})

/** What a score says of a sample: its letters for correct and incorrect, or 1 and 0; null for anything between. */
function verdictOfScore(score: unknown): AgentLog['outcome'] | null {
  const value = isRecord(score) ? score['value'] : score
  if (value === 'C' || value === 1 || value === true) return 'success'
  if (value === 'I' || value === 'N' || value === 0 || value === false) return 'failure'
  return null
}

/** What all scorers of a sample say; null where they do not agree, or say neither yes nor no. */
function outcomeOf(sample: z.infer<typeof sampleSchema>): AgentLog['outcome'] | null {
  const scores = isRecord(sample.scores) ? Object.values(sample.scores) : [sample.score]
  const verdicts = new Set(scores.map(verdictOfScore))
  const [only = null] = verdicts
  return verdicts.size === 1 ? only : null
}

/** What a sample keeps apart from where it stands, in its place. */
function inPlace(value: unknown, attachments: Readonly<Record<string, unknown>>): unknown {
  if (typeof value === 'string')
    return value.startsWith(ATTACHMENT) ? (attachments[value.slice(ATTACHMENT.length)] ?? value) : value
  if (Array.isArray(value)) return value.map((one: unknown) => inPlace(one, attachments))
  if (!isRecord(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, inPlace(one, attachments)]))
}

/** A message of Inspect: of a call it names the function alone; where a tool failed it says why beside what it answered, which is empty then. */
function messageIn(value: unknown): DialogMessage[] {
  if (!isRecord(value)) return []
  const { error } = value
  const calls = Array.isArray(value['tool_calls']) ? value['tool_calls'].filter(isRecord) : []
  const message = messageOf({
    ...value,
    tool_calls: calls.map((call) => ({ ...call, name: call['function'] })),
    ...(isRecord(error) && { is_error: true }),
    ...(isRecord(error) && textOf(value['content']) === '' && { content: error['message'] }),
  })
  return message ? [message] : []
}

/** What the dialog was given before anything was answered, and what came of it. */
function dialogOf({ input, messages, attachments }: z.infer<typeof sampleSchema>): DialogMessage[] {
  const apart = isRecord(attachments) ? attachments : {}
  const dialog = (Array.isArray(messages) ? messages : []).flatMap((one) => messageIn(inPlace(one, apart)))
  return dialog.length > 0 ? dialog : messagesIn(inPlace(input, apart))
}

/** A sample as an attempt, or why it is none. */
export function attemptOf(value: unknown, { eval: about }: InspectHead): AgentLog | string {
  const sample = sampleSchema.safeParse(value)
  if (!sample.success) return shapeProblem(sample.error)
  const { id, error, limit } = sample.data
  const outcome = outcomeOf(sample.data)
  const packages = isRecord(about.packages) ? about.packages : {}
  const log = wholeAttempt(dialogOf(sample.data), {
    framework: 'inspect',
    frameworkVersion: nameOf(packages['inspect_ai']),
    domain: 'general',
    model: about.model ?? null,
    sourceId: `${about.task}/${id}`,
    createdAt: timeOf(about.created),
    ...(outcome && { outcome }),
  })
  if (typeof log === 'string') return log
  const ending = isRecord(error) ? 'error' : isRecord(limit) ? 'cut-off' : endingOf(textOf(error ?? ''))
  return { ...log, ending }
}

async function* read(text: AsyncIterable<string>): AsyncGenerator<Found> {
  for await (const { place, value, problem } of parsed(readElements(text))) {
    const log = logSchema.safeParse(value)
    if (problem !== null || !log.success) {
      yield { kind: 'left', place, why: problem ?? shapeProblem(log.error as z.ZodError) }
      continue
    }
    const samples = log.data.samples ?? []
    if (samples.length === 0) yield { kind: 'left', place, why: 'the log holds no samples' }
    for (const [i, sample] of samples.entries()) {
      const at = { ...place, entry: i + 1 }
      const attempt = attemptOf(sample, log.data)
      yield typeof attempt === 'string'
        ? { kind: 'left', place: at, why: attempt }
        : { kind: 'log', place: at, log: attempt }
    }
  }
}

/** Inspect's log of an evaluation, one attempt per sample and epoch. */
export const inspectLog: LogFormat = {
  id: 'inspect',
  title: 'Inspect evaluation log (JSON)',
  writtenFor: 'inspect_ai 0.3, logs with --log-format json, or "inspect log convert --to json"',
  ...LOG_WORDS,
  loses: `${LOG_WORDS.loses} Events and stores of a sample; scores between right and wrong, which say nothing of the outcome.`,
  recognise: byJsonSigns([
    sign(0.93, /"eval"\s*:\s*\{/, /"(?:run_id|eval_id|task_id)"\s*:/, /"(?:status|version)"\s*:/),
  ]),
  read,
}
