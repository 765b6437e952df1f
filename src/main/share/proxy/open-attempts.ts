import { createHash, randomBytes } from 'node:crypto'
import type { ChatMessage } from '../../../core/ground/chat'
import { readTask } from '../../../core/ground/prompt'
import { NO_USAGE, type RecalledItem, type Round, type Usage } from '../../../shared/domain/trajectory'
import { NOTHING_IN_REQUEST, type RecallInRequest } from './show-recalled'

/** An attempt of a program that goes through the proxy, request by request, until somebody says how it ended. */
export interface OpenAttempt {
  readonly id: string
  readonly client: string
  /** Names what came before the first reply. */
  readonly prefix: string
  readonly instruction: string
  readonly context: string
  readonly startedAt: Date
  touchedAt: Date
  recall: RecallInRequest
  recalled: readonly RecalledItem[]
  rounds: Round[]
  model: string
}

/** How a reply of the assistant reads: its words, then the tools it called. */
export const replyText = ({
  content,
  toolCalls = [],
}: {
  readonly content: string
  readonly toolCalls?: readonly { readonly name: string; readonly arguments: object }[]
}): string =>
  [content.trim(), ...toolCalls.map(({ name, arguments: input }) => `${name}(${JSON.stringify(input)})`)]
    .filter((part) => part !== '')
    .join('\n')

interface Turn {
  readonly completion: string
  readonly calls: boolean
  readonly observation: string | null
  readonly from: Round['from']
}

/** The replies in a dialog, each with what came back. */
function turnsIn(messages: readonly ChatMessage[]): Turn[] {
  const turns: Turn[] = []
  for (const message of messages) {
    const last = turns.at(-1)
    if (message.role === 'assistant')
      turns.push({
        completion: replyText(message),
        calls: (message.toolCalls ?? []).length > 0,
        observation: null,
        from: undefined,
      })
    else if (last) {
      const observation =
        last.observation === null ? message.content : `${last.observation}\n${message.content}`
      turns[turns.length - 1] = {
        ...last,
        observation,
        from: message.role === 'tool' ? 'tool' : 'environment',
      }
    }
  }
  return turns
}

export const roundOf = (index: number, turn: Turn, usage: Usage): Round => ({
  index,
  completion: turn.completion,
  action: { kind: turn.calls ? 'operation' : 'message', content: turn.completion },
  observation: turn.observation,
  ...(turn.from && { from: turn.from }),
  usage,
})

/** Attempts kept while nobody said how they ended. */
const MOST_OPEN = 500

/**
 * Tells which requests belong to one attempt: a request continues an attempt when it begins with the same messages and repeats its
 * replies. Requests without a reply begin one.
 */
export class OpenAttempts {
  readonly #open = new Map<string, OpenAttempt>()

  /** Those that are open, oldest first. */
  list(): readonly OpenAttempt[] {
    return [...this.#open.values()]
  }

  get(id: string): OpenAttempt | undefined {
    return this.#open.get(id)
  }

  /** The last one of a client that was touched. */
  lastOf(client: string): OpenAttempt | undefined {
    return this.list()
      .filter((attempt) => attempt.client === client)
      .reduce<OpenAttempt | undefined>(
        (last, one) => (!last || one.touchedAt >= last.touchedAt ? one : last),
        undefined,
      )
  }

  remove(id: string): void {
    this.#open.delete(id)
  }

  /** Those that have to make room, oldest first. */
  tooMany(): readonly OpenAttempt[] {
    return this.list().slice(0, Math.max(0, this.#open.size - MOST_OPEN))
  }

  /** The attempt a request belongs to, brought up to what the request says of it, and whether it begins with this request. */
  attemptOf(
    client: string,
    messages: readonly ChatMessage[],
    now: Date,
  ): { readonly attempt: OpenAttempt; readonly isNew: boolean } {
    const firstReply = messages.findIndex(({ role }) => role === 'assistant')
    const head = firstReply < 0 ? messages : messages.slice(0, firstReply)
    const turns = turnsIn(messages)
    const prefix = createHash('sha256')
      .update(JSON.stringify([client, head]))
      .digest('hex')
    const knownAttempt = turns.length === 0 ? undefined : this.#continued(prefix, turns)
    const attempt = knownAttempt ?? this.#begin(client, prefix, head, now)
    attempt.touchedAt = now
    // What the request says of earlier rounds is what happened; their usage is what was counted.
    attempt.rounds = turns.map((turn, i) => roundOf(i, turn, attempt.rounds[i]?.usage ?? NO_USAGE))
    return { attempt, isNew: knownAttempt === undefined }
  }

  #continued(prefix: string, turns: readonly Turn[]): OpenAttempt | undefined {
    return this.list().findLast(
      (attempt) =>
        attempt.prefix === prefix &&
        attempt.rounds.length >= turns.length &&
        turns.every(({ completion }, i) => attempt.rounds[i]?.completion === completion),
    )
  }

  #begin(client: string, prefix: string, head: readonly ChatMessage[], now: Date): OpenAttempt {
    const question = head.findLast(({ role }) => role === 'user')?.content ?? head.at(-1)?.content ?? ''
    const attempt: OpenAttempt = {
      id: `att-${randomBytes(9).toString('hex')}`,
      client,
      prefix,
      ...readTask(question),
      startedAt: now,
      touchedAt: now,
      recall: NOTHING_IN_REQUEST,
      recalled: [],
      rounds: [],
      model: '',
    }
    this.#open.set(attempt.id, attempt)
    return attempt
  }
}
