import { choice } from '../settings'
import type { z } from 'zod'
import type { StepOutcome } from '../environment'
import { echoGate } from './echo'
import { readReply, type AgentReply, type ReadAction, type ReplyRules } from './read-reply'

/** How an environment asks for actions and reads them; a setting of every environment that is acted in. */
export const repliesSetting = choice(
  {
    any: 'The text form is asked for, any form is read',
    tools: 'Tools are handed over, any form is read',
    text: 'The text form alone, as published',
  },
  'any',
  {
    title: 'Replies',
    help: 'How actions are asked for and read. A reply in no known form is told once what was expected, except with the text form alone.',
  },
)
export type Replies = z.output<typeof repliesSetting>

/** What a reply was taken for. `told` says what was expected and goes on; `unreadable` ends the attempt. */
export type Understood =
  | Extract<ReadAction, { kind: 'call' }>
  | { readonly kind: 'told'; readonly why: string; readonly text: string }
  | { readonly kind: 'unreadable'; readonly why: string }

/** What an environment says of its replies. */
export interface ReaderOptions extends ReplyRules {
  readonly published: NonNullable<ReplyRules['published']>
  /** Reads the text form alone. The reason of an invalid one is what the attempt ends with. */
  parse(text: string): { readonly kind: string; readonly reason?: string }
  /** What is expected of a model that is asked for the text form, in words that can be sent to it. */
  readonly textForm: string
  /** The same for a model that tools are handed to. Default: that it calls one of them. */
  readonly toolForm?: string
}

const ECHO = 'The reply repeats what was written before it instead of acting.'

/** The reader of one attempt: it tells once what was expected. What only repeats the `systemPrompt`, or what was told, is no action. */
export function replyReader(
  options: ReaderOptions,
  replies: Replies,
  systemPrompt = '',
): (reply: string | AgentReply) => Understood {
  let reminder: string | null = null
  const isEcho = echoGate(systemPrompt, options)
  const expectation =
    replies === 'tools'
      ? (options.toolForm ?? expectedTools(options.tools.map(({ name }) => name)))
      : options.textForm
  return (input) => {
    const reply = typeof input === 'string' ? { text: input } : input
    if (replies === 'text') {
      const call = options.published(reply.text)
      return call
        ? { kind: 'call', ...call, read: 'text' }
        : { kind: 'unreadable', why: options.parse(reply.text).reason ?? '' }
    }
    const read = readReply(reply, options)
    const correction = reminder ?? ''
    const repeats =
      read.kind === 'call' &&
      textsOf(read.args).some((text) =>
        isEcho(text, { reminder: correction, code: read.name === options.code }),
      )
    if (read.kind === 'call' && !repeats) return read
    const why = read.kind === 'call' ? ECHO : read.why
    if (reminder !== null) return { kind: 'unreadable', why }
    const shorter = reply.cut === true ? ' Be shorter.' : ''
    reminder = `${why} ${expectation}${shorter}`
    return { kind: 'told', why, text: reminder }
  }
}

const textsOf = (args: Readonly<Record<string, unknown>>): string[] =>
  Object.values(args).filter((value) => typeof value === 'string')

/** What is expected of a model that tools are handed to. */
export const expectedTools = (names: readonly string[]): string =>
  `Call one of the tools: ${names.join(', ')}.`

/** What comes of a reply that was no action: while there are rounds left, the agent is told. */
export const toldOutcome = ({ why, text }: Extract<Understood, { kind: 'told' }>): StepOutcome => ({
  done: false,
  action: { kind: 'invalid', reason: why },
  observation: text,
  from: 'environment',
  failed: true,
})
