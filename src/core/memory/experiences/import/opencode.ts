import { z } from 'zod'
import type { RowPlace } from '../../../../shared/domain/reading'
import { parsed, readElements } from '../../../ground/entries'
import { byJsonSigns, sign } from '../../../ground/recognition'
import { isRecord } from '../../../ground/record'
import { countOf, foundInDialog, nameOf, timeOf } from './conversations'
import type { DialogMessage } from './dialog-message'
import { LOG_WORDS, type Found, type LogFormat } from './log'
import { maybeTexts, shapeProblem, textOf } from './records'

const sessionSchema = z.looseObject({
  info: z.looseObject({ id: z.string(), version: z.string().nullish(), ...maybeTexts('parentID') }),
  messages: z.array(
    z.looseObject({ info: z.looseObject({ role: z.string() }), parts: z.array(z.unknown()) }),
  ),
})
type Message = z.infer<typeof sessionSchema>['messages'][number]

const textsOf = (parts: readonly Record<string, unknown>[], type: string): string =>
  parts
    .filter((part) => part['type'] === type && part['synthetic'] !== true && part['ignored'] !== true)
    .map((part) => textOf(part['text']))
    .join('\n')

function* dialogOf({ info, parts: all }: Message): Generator<DialogMessage> {
  const parts = all.filter(isRecord)
  const time = isRecord(info['time']) ? timeOf(info['time']['created']) : null
  if (info.role === 'user') yield { role: 'user', text: textsOf(parts, 'text'), time }
  if (info.role !== 'assistant') return
  const tokens = isRecord(info['tokens']) ? info['tokens'] : {}
  const tools = parts.filter((part) => part['type'] === 'tool' && isRecord(part['state']))
  const stateOf = (part: Record<string, unknown>) => part['state'] as Record<string, unknown>
  yield {
    role: 'agent',
    text: textsOf(parts, 'text'),
    thought: textsOf(parts, 'reasoning'),
    calls: tools.map((part) => ({
      id: nameOf(part['callID']),
      tool: textOf(part['tool']),
      given: stateOf(part)['input'] ?? {},
    })),
    results: tools.flatMap((part) => {
      const { status, output, error } = stateOf(part)
      if (status !== 'completed' && status !== 'error') return []
      return [{ id: nameOf(part['callID']), text: textOf(output ?? error), failed: status === 'error' }]
    }),
    time,
    model: nameOf(info['modelID']),
    promptTokens: countOf(tokens['input']),
    completionTokens: countOf(tokens['output']),
  }
}

/** The attempts of a session as the program exports it. */
export function* foundInSession(place: RowPlace, value: unknown): Generator<Found> {
  const session = sessionSchema.safeParse(value)
  if (!session.success) return yield { kind: 'left', place, why: shapeProblem(session.error) }
  const { info, messages } = session.data
  if (info.parentID)
    return yield { kind: 'left', place, why: 'an agent of the program asked in this session, not a person' }
  yield* foundInDialog(
    place,
    messages.flatMap((message) => [...dialogOf(message)]),
    { framework: 'opencode', frameworkVersion: info.version ?? null, domain: 'code', sourceId: info.id },
  )
}

async function* read(text: AsyncIterable<string>): AsyncGenerator<Found> {
  for await (const { place, value, problem } of parsed(readElements(text)))
    if (problem !== null) yield { kind: 'left', place, why: problem }
    else yield* foundInSession(place, value)
}

/** opencode: a session as `opencode export` writes it, one experience per request. */
export const opencode: LogFormat = {
  id: 'opencode',
  title: 'opencode session (JSON)',
  writtenFor: 'opencode 0.6 to 1.2, "opencode export SESSION"',
  ...LOG_WORDS,
  loses: `${LOG_WORDS.loses} Snapshots, patches and what the program itself put into a message.`,
  recognise: byJsonSigns([
    sign(0.93, /"info"\s*:\s*\{/, /"parts"\s*:\s*\[/, /"(?:sessionID|messageID)"\s*:/),
  ]),
  read,
}
