import { LoamError } from '../../../shared/errors'
import { READ_IN_HOST } from '../../ground/isolate/foreign-answer'

/** A refusal of a server: its status, its kind of content and its body. */
export interface Refusal {
  readonly host: string
  readonly model: string
  readonly status: number
  readonly type: string
  readonly body: string
}

/** Statuses after which the same request may well succeed. */
export const MAY_PASS: ReadonlySet<number> = new Set([408, 409, 425, 429, 500, 502, 503, 504])

const isPage = (type: string, body: string): boolean =>
  type.includes('html') || /^\s*<(!doctype|html)/i.test(body)

/** What the server itself says is wrong; null when it says nothing readable, or more than the host reads. */
export function saidBy(body: string): string | null {
  if (body.length > READ_IN_HOST) return null
  try {
    const read = JSON.parse(body) as {
      error?: { message?: unknown } | string | null
      message?: unknown
      detail?: unknown
    }
    const error = typeof read.error === 'object' ? read.error?.message : read.error
    const message = error ?? read.message ?? read.detail
    if (typeof message === 'string') return message.slice(0, 500)
    // Lists of what is wrong with each field.
    return typeof message === 'object' && message !== null ? JSON.stringify(message).slice(0, 500) : null
  } catch {
    return null
  }
}

/** Whether a server's words say that the dialog does not fit. */
export const saysOverflow = (message: string): boolean =>
  /context (length|size|window)|maximum context|exceeds? the (available )?context|too many tokens|prompt is too long|input is too long/i.test(
    message,
  )

/** Whether a server's words say that it does not know what was asked for beside the dialog. */
export const saysUnknownForm = (message: string): boolean =>
  /response_format|json_schema|grammar|structured|guided|unsupported (parameter|field)|unrecognized|extra_forbidden|tool/i.test(
    message,
  )

/** Whether a server's words say that it, or its model, cannot be handed tools. */
export const saysNoTools = (message: string): boolean =>
  /\btools?\b/i.test(message) &&
  /not support|unsupported|requires\b|not (allowed|enabled|available)|no endpoints/i.test(message)

/** Whether a server's words say that the model's template takes turns of user and assistant alone. */
export const saysRoles = (message: string): boolean =>
  /system (role|message)s? (is |are )?not supported|roles must alternate|only (the )?(user|assistant)\b|unknown role|invalid role|must start with a user/i.test(
    message,
  )

/** Fields of a request that may be left out or called otherwise, and that some servers do not know. */
const OPTIONAL_FIELDS = [
  ...['max_tokens', 'stream_options', 'seed', 'temperature', 'stop', 'reasoning_effort'],
  ...['chat_template_kwargs', 'thinking_budget_tokens', 'thinking_budget'],
] as const

/** The field that a server's words refuse; null when they refuse none of those that it can do without. */
export function refusedField(message: string): string | null {
  if (saysOverflow(message)) return null
  if (!/support|unknown|unrecogni|unexpected|extra|permitted|allowed|invalid|forbidden/i.test(message))
    return null
  const reference = OPTIONAL_FIELDS.find((field) => new RegExp(`\\b${field}\\b`).test(message))
  return reference ?? (/\b(think|thinking|reasoning)\b/i.test(message) ? 'reasoning_effort' : null)
}

/** A refusal as an error a person can act on. */
export function refusalError({ host, model, status, type, body }: Refusal): LoamError {
  if (isPage(type, body)) return notAnApi(host, status)
  const message = saidBy(body)
  const words = message === null ? '' : ` It said: ${message}`
  if (status === 401 || status === 403) {
    return new LoamError('UNAUTHORIZED', `${host} does not accept the key (${status}).${words}`, {
      suggestion: 'Give the right key: --key-env NAME, or "loam servers add" once more.',
    })
  }
  if (message !== null && saysOverflow(message)) {
    return new LoamError('CONTEXT_OVERFLOW', `${host} says: ${message}`, {
      suggestion: 'Recall less, or have the server load the model with a larger context.',
    })
  }
  if (status === 404) {
    return new LoamError(
      'MODEL_SERVER',
      `${host} has no model "${model}", or no chat at this address.${words}`,
      { suggestion: '"loam models" lists what the server has. Base addresses often end in /v1.' },
    )
  }
  if (status === 429) {
    return new LoamError('MODEL_SERVER', `${host} was asked too often (429).${words}`, {
      suggestion: 'Wait, or allow fewer requests at a time in the settings of model servers.',
      retryable: true,
    })
  }
  return new LoamError('MODEL_SERVER', `${host} failed with status ${status}.${words}`, {
    suggestion: 'The log of the server says more.',
    retryable: MAY_PASS.has(status),
  })
}

/** For what is no answer of a model server at all. */
export const notAnApi = (host: string, status = 200): LoamError =>
  new LoamError(
    'MODEL_SERVER',
    `${host} answered with a web page instead of data${status === 200 ? '' : ` (${status})`}.`,
    { suggestion: 'Is this the address of the API? It often ends in /v1.' },
  )

/** For an answer that is no JSON, or not of the form it should be. */
export const unreadable = (host: string, body: string, underlying?: unknown): LoamError =>
  new LoamError(
    'MODEL_SERVER',
    `The answer of ${host} cannot be read: ${body.trim().slice(0, 200) || 'it is empty'}`,
    { suggestion: 'Is this an OpenAI-compatible server?', retryable: body.trim() === '', underlying },
  )

/** For a stream that ends before it says that it is at its end. */
export const endedEarly = (host: string): LoamError =>
  new LoamError('MODEL_SERVER', `The answer of ${host} ended in the middle.`, {
    suggestion: 'Look whether the server is still running, then go on.',
    retryable: true,
  })
