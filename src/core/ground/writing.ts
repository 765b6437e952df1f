import type { TextFault, WritingFailure } from '../../shared/domain/memory'
import { addWritings, type WritingCount } from '../../shared/domain/writing'
import { addUsage, NO_USAGE, type Trajectory, type Usage } from '../../shared/domain/trajectory'
import { LoamError } from '../../shared/errors'
import { declareConstraint, withSchema, type DeclaredConstraint } from './constraint'
import { CHARACTERS_PER_TOKEN, fitForm } from './fit-form'
import { mendReply } from './mend-reply'
import { isRecord } from './record'
import type { ChatMessage, GenerateResult, MemoryEvent } from './ports'
import { hash32 } from './random'
import type { MethodContext } from './method'
import { textFault } from './text-gate'
import { exactObject } from './exact-object'

/** A text form a model is asked for: what it is held to, and how its value is read. Made by `declareForm` and `declareForms`. */
export interface OutputForm<T> {
  readonly constraint: DeclaredConstraint
  /** Undefined: not the form that was asked for. Null: the form, with nothing in it. */
  read(value: unknown): T | null | undefined
}

/** A form as a role describes it. */
export interface FormOutline<T> extends Pick<OutputForm<T>, 'read'> {
  readonly schema: Readonly<Record<string, unknown>>
}

/**
 * A family of forms of one role, in the register of constraints; `samples` reach every shape and every limit of it.
 */
export function declareForms<T, Args extends readonly unknown[]>(
  role: string,
  outline: (...args: Args) => FormOutline<T>,
  samples: () => readonly (readonly [...Args])[],
): (...args: Args) => OutputForm<T> {
  const constraintOf = declareConstraint(
    role,
    (...args: Args) => ({ kind: 'json-schema', schema: outline(...args).schema }),
    samples,
  )
  return (...args) => ({ constraint: constraintOf(...args), read: outline(...args).read })
}

/** A role's one form, in the register of constraints. */
export const declareForm = <T>(role: string, outline: FormOutline<T>): OutputForm<T> =>
  declareForms(
    role,
    () => outline,
    () => [[]],
  )()

export interface WritingOrder<T> {
  /** What it becomes, e.g. `evosc-error`; part of seeds and of failure records. */
  readonly role: string
  readonly messages: readonly ChatMessage[]
  readonly form: OutputForm<T>
  /** The task the seed belongs to. */
  readonly taskIndex: number
  /** Default 256. */
  readonly maxTokens?: number
  /** Whether it has to name something of what it is written of, as what is kept as a lesson does. Default: no. */
  readonly quotes?: boolean
  /** Of both tries. Default: `WRITING_TEMPERATURES`. */
  readonly temperature?: number
}

export type Written<T> =
  | { readonly value: T; readonly usage: Usage }
  | {
      readonly value: null
      readonly reason: WritingFailure['reason']
      readonly tries: number
      readonly usage: Usage
    }

/** Low for the first try, a little higher for the second, which would else repeat the first. */
const WRITING_TEMPERATURES = [0.1, 0.5] as const

const readJson = (text: string): unknown => {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}

/** Tokens to write when nothing else is said. */
const USUAL_TOKENS = 256
/** The part of a context that a text may take at most. */
const OF_CONTEXT = 1 / 4
/** What the second try may write of what the first one might, when that was cut. */
const SHORTER = 0.6

/** The form with texts that fit into `tokens`; grammars stay as they are. */
const getConstraint = (constraint: DeclaredConstraint, tokens: number): DeclaredConstraint =>
  constraint.kind === 'json-schema' ? withSchema(constraint, fitForm(constraint.schema, tokens)) : constraint

/** The dialog with a word on how long the reply may be. */
function askShorter(messages: readonly ChatMessage[], tokens: number): ChatMessage[] {
  const words = `Your last reply was cut at its limit. Keep the whole reply below ${Math.floor(tokens * CHARACTERS_PER_TOKEN)} characters.`
  const last = messages.at(-1)
  return last?.role === 'user'
    ? [...messages.slice(0, -1), { role: 'user', content: `${last.content}\n\n${words}` }]
    : [...messages, { role: 'user', content: words }]
}

/** Counts how texts came out, role by role, until it is asked. */
export interface WritingTally {
  readonly note: NonNullable<MethodContext['wrote']>
  /** What was counted since it was last asked. */
  take(): WritingCount[]
}

/** Creates it. */
export function createWritingTally(): WritingTally {
  let counts: WritingCount[] = []
  return {
    note: (one) => {
      counts = addWritings([...counts, one])
    },
    take: () => {
      const claims = counts
      counts = []
      return claims
    },
  }
}

/** The role without what tells its several askings apart: `agent-kb-refine/2` is one of `agent-kb-refine`. */
const roleOf = (role: string): string => role.split('/')[0] ?? role

/**
 * Asks the model for a text of a fixed form, whose texts are as long as the tokens it may write. A reply that is slightly off the form, or
 * that was cut at its limit, is used as far as it is the form (`mendReply`); else it is asked for once more, shorter where it was cut. After
 * that the reason comes back. A prompt that does not fit is not asked for again. Other failures and aborts are passed on. `context.wrote` is told how it went.
 */
export async function write<T>(
  order: WritingOrder<T>,
  context: Pick<MethodContext, 'model' | 'seed' | 'writer' | 'wrote'>,
  signal?: AbortSignal,
): Promise<Written<T>> {
  const { written, mended, tries } = await ask(order, context, signal)
  context.wrote?.({
    role: roleOf(order.role),
    asked: 1,
    mended: mended ? 1 : 0,
    again: tries > 1 ? 1 : 0,
    failed: written.value === null ? 1 : 0,
  })
  return written
}

/** What a text has to name something of, and what merely asks for it. */
const sourcesOf = ({ messages, quotes }: Pick<WritingOrder<unknown>, 'messages' | 'quotes'>) => {
  const join = (some: readonly ChatMessage[]): string => some.map(({ content }) => content).join('\n')
  return {
    template: join(messages.filter(({ role }) => role === 'system')),
    source: quotes ? join(messages.filter(({ role }) => role !== 'system')) : null,
  }
}

async function ask<T>(
  order: WritingOrder<T>,
  context: Pick<MethodContext, 'model' | 'seed' | 'writer'>,
  signal?: AbortSignal,
): Promise<{ readonly written: Written<T>; readonly mended: boolean; readonly tries: number }> {
  const { form } = order
  let usage = NO_USAGE
  let reason: WritingFailure['reason'] = 'malformed'
  const model = context.writer ?? context.model
  const most = Math.min(order.maxTokens ?? USUAL_TOKENS, Math.floor(model.contextSize * OF_CONTEXT))
  for (const [attempt, usual] of WRITING_TEMPERATURES.entries()) {
    const shorter: boolean = reason === 'cut'
    const tokens: number = shorter ? most * SHORTER : most
    const reply: GenerateResult | null = await model
      .generate(
        {
          messages: shorter ? askShorter(order.messages, tokens) : order.messages,
          temperature: order.temperature ?? usual,
          seed: hash32(`${context.seed}/${order.taskIndex}/${order.role}/${attempt}`),
          maxTokens: order.maxTokens ?? USUAL_TOKENS,
          constraint: getConstraint(order.form.constraint, tokens),
        },
        { signal },
      )
      .catch((error: unknown) => {
        if (error instanceof LoamError && error.code === 'CONTEXT_OVERFLOW') return null
        throw error
      })
    const tries = attempt + 1
    if (reply === null)
      return { written: { value: null, reason: 'context-overflow', tries, usage }, mended: false, tries }
    usage = addUsage(usage, reply.usage)
    const text: string = reply.text.trim()
    const cut: boolean = reply.finish === 'max-tokens'
    const { constraint } = form
    const plain = readJson(text)
    const asAsked = form.read(plain)
    const mended = asAsked === undefined && constraint.kind === 'json-schema'
    const raw: unknown = mended ? mendReply(text, constraint.schema) : plain
    const value = mended ? form.read(raw) : asAsked
    const fault: TextFault | null =
      constraint.kind === 'json-schema' ? textFault(raw, constraint.schema, sourcesOf(order)) : null
    if (value !== undefined && value !== null && fault === null)
      return { written: { value, usage }, mended, tries }
    if (value !== undefined && value !== null && fault !== null) reason = fault
    else if (text === '' || value === null) reason = cut && asAsked === undefined ? 'cut' : 'empty'
    else reason = cut ? 'cut' : 'malformed'
  }
  const tries = WRITING_TEMPERATURES.length
  return { written: { value: null, reason, tries, usage }, mended: false, tries }
}

/** The journal's record of a text that was not kept. */
export function failedWriting(
  trajectory: Trajectory,
  role: string,
  trajectoryIds: readonly string[],
  failure: { readonly reason: WritingFailure['reason']; readonly tries: number },
): MemoryEvent {
  return {
    kind: 'writing-failed',
    failure: {
      id: `${role}-${trajectory.id}`,
      runId: trajectory.runId,
      environment: trajectory.task.environment,
      role,
      trajectoryIds: [...trajectoryIds],
      reason: failure.reason,
      tries: failure.tries,
      at: trajectory.finishedAt,
    },
  }
}

/** One line, no runs of blanks, trimmed. */
export const tidyText = (text: string): string => text.replace(/\s+/g, ' ').trim()

const tidyList = (value: unknown): string[] | undefined =>
  Array.isArray(value) && value.every((item) => typeof item === 'string')
    ? [...new Set(value.map(tidyText).filter((item) => item !== ''))]
    : undefined

export { isRecord }

/** A field that holds text, tidied; undefined when it is no text. */
export const textField = (value: unknown, name: string): string | undefined => {
  const field = isRecord(value) ? value[name] : undefined
  return typeof field === 'string' ? tidyText(field) : undefined
}

/** A field that holds a list of texts, tidied, without empty and repeated ones; undefined when it is none. */
export const listField = (value: unknown, name: string): string[] | undefined =>
  isRecord(value) ? tidyList(value[name]) : undefined

/** `{"<name>": text}` of at most `maxLength` characters, 300 by default, for a role. */
export const textForm = (role: string, name: string, maxLength = 300): OutputForm<string> =>
  declareForm(role, {
    schema: exactObject({ [name]: { type: 'string', maxLength } }),
    read(value) {
      const text = textField(value, name)
      return text === undefined || text.length > maxLength ? undefined : text === '' ? null : text
    },
  })
