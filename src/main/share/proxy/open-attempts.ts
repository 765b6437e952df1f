import { createHash, randomBytes } from 'node:crypto'
import type { ChatMessage } from '../../../core/ground/chat'
import { readTask } from '../../../core/ground/prompt'
import { isRequest } from '../../../core/memory/experiences/import/sessions'
import { goesOnWith } from '../../../core/verdict/goals'
import { relationOf } from '../../../core/verdict/relation'
import { NO_USAGE, type RecalledItem, type Round, type Usage } from '../../../shared/domain/trajectory'
import type { Ending, RuledVerdict } from '../../../shared/domain/verdict'
import { heardText } from './heard-text'
import { NOTHING_IN_REQUEST, type RecallInRequest } from './show-recalled'

/** What a program asks at one message of a person and what is done until the next one, until somebody says how it ended. */
export interface OpenAttempt {
  readonly id: string
  readonly client: string
  /** Names the conversation up to this message of the person, and up to the one before; null for the first. */
  readonly key: string
  readonly parent: string | null
  /** The task that it belongs to: attempts at one goal have the same. Absent in attempts of earlier versions: then its own. */
  readonly goal?: string
  readonly instruction: string
  readonly context: string
  /** ISO time. */
  readonly startedAt: string
  touchedAt: string
  recall: RecallInRequest
  recalled: readonly RecalledItem[]
  rounds: Round[]
  model: string
  /** How the last request of it ended; null where it ended as it should, `lost` where the server broke off or answered with an error. */
  ending: Ending | 'lost' | null
  /** Whether it was asked for another answer, or an earlier message was written anew. */
  replaced: 'sent-again' | 'branched' | null
  /** What the rules say of it since the person's next message; null before. */
  ruled: RuledVerdict | null
}

/** Who writes in the user's name: a person, or an environment that an agent acts in. */
export type Speaker = 'person' | 'environment'

/** Characters of all that came back in an attempt, and of all replies in it. */
const MOST_CHARACTERS = 512 * 1024

/** How a reply of the assistant reads: its words, then the tools it called. */
export const replyText = ({
  content,
  toolCalls = [],
}: {
  readonly content: string
  readonly toolCalls?: readonly { readonly name: string; readonly arguments: object }[]
}): string =>
  heardText(
    [content.trim(), ...toolCalls.map(({ name, arguments: input }) => `${name}(${JSON.stringify(input)})`)]
      .filter((part) => part !== '')
      .join('\n'),
  )

interface Turn {
  readonly completion: string
  readonly calls: boolean
  readonly observation: string | null
  readonly from: Round['from']
  readonly heldBy?: readonly string[] | undefined
}

/** The replies in a dialog, each with what came back. A reply is cut to the same length in the next request, but where the number of replies passes a power of two. */
function turnsIn(messages: readonly ChatMessage[]): Turn[] {
  const turns: Turn[] = []
  const replies = messages.filter(({ role }) => role === 'assistant').length
  const most = Math.floor(MOST_CHARACTERS / 2 ** Math.ceil(Math.log2(Math.max(1, replies))))
  for (const message of messages) {
    const last = turns.at(-1)
    if (message.role === 'assistant')
      turns.push({
        completion: heardText(replyText(message), most),
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
  ...(turn.heldBy && turn.heldBy.length > 0 && { heldBy: [...turn.heldBy] }),
  usage,
})

/** Attempts kept while nobody said how they ended. */
const MOST_OPEN = 500
/** How much of a system prompt tells conversations apart; times and counts in it do not. */
const SYSTEM_HEAD = 2000

/** Letters of a reply by which its attempt is known again. */
const TELLING_REPLY = 20
/** Replies at the end of a dialog among which it is looked for: programs write some in the model's name. */
const LAST_REPLIES = 4

/** A shell's prompt, alone on a line. */
const PROMPT = /^[\w()./~:@-]{0,60}[$#%]$/
/** Letters of a last line that can show that a program wrote it. */
const LAST_LINE = 80

/** The last line of a text of several lines; null where it says nothing of who wrote it. */
function lastLine(text: string): string | null {
  const end = text.trimEnd()
  const at = end.lastIndexOf('\n')
  const line = end.slice(at + 1).trim()
  return at < 0 || line === '' || line.length > LAST_LINE ? null : line
}

/** Tells what programs that loop over text send in the user's name: what came of an action, ending with a shell's prompt or with the same line again and again. */
function programIn(messages: readonly ChatMessage[]): (text: string) => boolean {
  const counts = new Map<string, number>()
  for (const { role, content } of messages) {
    const line = role === 'user' ? lastLine(content) : null
    if (line !== null) counts.set(line, (counts.get(line) ?? 0) + 1)
  }
  return (text) => {
    const line = lastLine(text)
    return line !== null && (PROMPT.test(line) || (counts.get(line) ?? 0) > 1)
  }
}

/** Letters that a reminder has at least, and places at which a message is tried for where it begins. */
const LEAST_REMINDER = 40
const MOST_BREAKS = 64

/** A text without what its end has word for word of the system prompt: some programs say their instructions again behind the newest message alone. */
function withoutReminder(text: string, system: string): string {
  const end = text.trimEnd()
  if (end.length < LEAST_REMINDER || !system.includes(end.slice(-LEAST_REMINDER))) return text
  const breaks = [...end.matchAll(/\n\n/g)].map(({ index }) => index).slice(-MOST_BREAKS)
  const start = breaks.find(
    (index) => end.length - index > LEAST_REMINDER && system.includes(end.slice(index).trimStart()),
  )
  return start === undefined || start === 0 ? text : end.slice(0, start)
}

/** A dialog without such reminders. */
function withoutReminders(messages: readonly ChatMessage[]): readonly ChatMessage[] {
  const system = messages.find(({ role }) => role === 'system')?.content ?? ''
  if (system === '') return messages
  return messages.map((message) =>
    message.role === 'user' ? { ...message, content: withoutReminder(message.content, system) } : message,
  )
}

/** Where the person's messages stand: what programs write in the user's name is none. Several in a row are one, its last. */
export function personsIn(messages: readonly ChatMessage[], speaker: Speaker): number[] {
  const isFrom = (check: (text: string) => boolean): number[] =>
    messages.flatMap((message, i) => (message.role === 'user' && check(message.content) ? [i] : []))
  const requests = isFrom(isRequest)
  const firstReply = messages.findIndex(({ role }) => role === 'assistant')
  const isProgram = programIn(messages)
  const all = (requests.length > 0 ? requests : isFrom(() => true)).filter(
    (i) => firstReply < 0 || i < firstReply || !isProgram(messages[i]?.content ?? ''),
  )
  if (speaker === 'environment') return all.filter((i) => firstReply < 0 || i < firstReply).slice(-1)
  const isReplied = (from: number, to: number): boolean =>
    messages.slice(from, to).some(({ role }) => role === 'assistant')
  return all.filter((i, at) => {
    const next = all[at + 1]
    return next === undefined || isReplied(i, next)
  })
}

/** What a request is: the attempts that came before in its conversation, its own, and those that it settles. */
export interface AttemptOfRequest {
  readonly attempt: OpenAttempt
  readonly isNew: boolean
  /** The attempts of the person's earlier messages that are known, each with the message's place; the request's own last. */
  readonly conversation: readonly { readonly index: number; readonly attempt: OpenAttempt }[]
  /** The one before, where the person's next message has come with this request; null else. */
  readonly before: { readonly attempt: OpenAttempt; readonly next: string } | null
  /** The one whose place this one takes: it was asked for another answer, or the person's message was written anew. */
  readonly replaced: OpenAttempt | null
}

/** Tells which requests belong to one attempt: those behind the same message of a person in the same conversation. */
export class OpenAttempts {
  readonly #open = new Map<string, OpenAttempt>()
  /** The newest attempt of each message. Those that are settled stay, for what was recalled for them. */
  readonly #byKey = new Map<string, OpenAttempt>()

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

  add(attempt: OpenAttempt): void {
    this.#open.set(attempt.id, attempt)
    this.#byKey.delete(attempt.key)
    this.#byKey.set(attempt.key, attempt)
    const [oldest] = this.#byKey.keys()
    if (this.#byKey.size > 2 * MOST_OPEN && oldest !== undefined) this.#byKey.delete(oldest)
  }

  remove(id: string): void {
    this.#open.delete(id)
  }

  /** Those that have to make room, oldest first. */
  tooMany(): readonly OpenAttempt[] {
    return this.list().slice(0, Math.max(0, this.#open.size - MOST_OPEN))
  }

  /** The attempt a request belongs to, brought up to what the request says of it. Of a conversation that is new the whole is known from here on. */
  attemptOf(client: string, sent: readonly ChatMessage[], speaker: Speaker, now: Date): AttemptOfRequest {
    const at = now.toISOString()
    const messages = withoutReminders(sent)
    const persons = personsIn(messages, speaker)
    const keys = keysOf(client, messages, persons)
    const key = keys.at(-1) ?? ''
    const parent = keys.at(-2) ?? null
    const person = persons.at(-1) ?? 0
    const turns = turnsIn(messages.slice(person + 1))
    const most = Math.floor(MOST_CHARACTERS / Math.max(1, turns.length))
    const same = this.#continued(key, turns)
    const isNew = same === undefined
    const previous = parent === null ? undefined : this.#byKey.get(parent)
    const dropped = isNew && !previous ? this.#repliedIn(client, messages.slice(0, person)) : undefined
    const attempt =
      same ??
      this.#begin({
        ...{ client, key, parent, at, question: messages[person]?.content ?? '' },
        goalBefore: goalAfter(previous ?? dropped, messages[person]?.content ?? ''),
      })
    const earlier = keys.slice(0, -1).flatMap((one, i) => {
      const match = this.#byKey.get(one)
      return match ? [{ index: persons[i] ?? 0, attempt: match }] : []
    })
    const before = isNew && previous && parent !== null ? this.#openAt(parent) : dropped
    const replaced = isNew ? this.#replacedBy(key, parent) : undefined
    if (isNew) this.add(attempt)
    attempt.touchedAt = at
    // What the request says of earlier rounds is what happened; their usage is what was counted, and what was told stays told.
    attempt.rounds = turns.map((turn, i) => {
      const { usage = NO_USAGE, heldBy } = attempt.rounds[i] ?? {}
      const observation = turn.observation && heardText(turn.observation, most)
      return roundOf(i, { ...turn, observation, heldBy }, usage)
    })
    return {
      attempt,
      isNew,
      conversation: [...earlier, { index: person, attempt }],
      before: before ? { attempt: before, next: messages[person]?.content ?? '' } : null,
      replaced: replaced ?? null,
    }
  }

  /** An attempt goes on where its replies are repeated, and where no reply of it came: then it is tried again. */
  #continued(key: string, turns: readonly Turn[]): OpenAttempt | undefined {
    const own = this.list().filter((attempt) => attempt.key === key)
    if (turns.length === 0) return own.findLast(({ rounds }) => rounds.length === 0)
    const repeats = ({ rounds }: OpenAttempt): boolean =>
      rounds.length >= turns.length &&
      turns.every(({ completion }, i) => rounds[i]?.completion === completion)
    // Clients may write a reply down in other words than it came in.
    return own.findLast(repeats) ?? own.findLast(({ rounds }) => rounds.length >= turns.length)
  }

  #openAt = (key: string): OpenAttempt | undefined => this.list().findLast((attempt) => attempt.key === key)

  #replacedBy(key: string, parent: string | null): OpenAttempt | undefined {
    return (
      this.#openAt(key) ??
      (parent === null ? undefined : this.list().findLast((attempt) => attempt.parent === parent))
    )
  }

  /**
   * The open attempt of a client whose reply stands among the last in a dialog that has lost the message behind it, as of programs that leave out or
   * rewrite what they wrote into it.
   */
  #repliedIn(client: string, messages: readonly ChatMessage[]): OpenAttempt | undefined {
    const replies = messages.filter(({ role }) => role === 'assistant').slice(-LAST_REPLIES)
    const own = this.list().filter((one) => one.client === client)
    for (const message of replies.toReversed()) {
      const reply = replyText(message)
      const match =
        reply.length < TELLING_REPLY
          ? undefined
          : own.findLast(({ rounds }) => rounds.at(-1)?.completion === reply)
      if (match) return match
    }
    return undefined
  }

  #begin({
    question,
    at,
    goalBefore,
    ...about
  }: Pick<OpenAttempt, 'client' | 'key' | 'parent'> & {
    readonly question: string
    readonly at: string
    readonly goalBefore: string | null
  }): OpenAttempt {
    const id = `att-${randomBytes(9).toString('hex')}`
    return {
      ...{ id, goal: goalBefore ?? id },
      ...about,
      ...readTask(question),
      ...{ startedAt: at, touchedAt: at, recall: NOTHING_IN_REQUEST, recalled: [], rounds: [] },
      ...{ model: '', ending: null, replaced: null, ruled: null },
    }
  }
}

/** The task of the attempt before a message that goes on with its goal; null where it begins a new one. */
function goalAfter(before: OpenAttempt | undefined, message: string): string | null {
  if (!before) return null
  const reply = before.rounds.at(-1)?.completion ?? ''
  const relation = relationOf({ request: before.instruction, reply }, message)
  return goesOnWith(relation) ? (before.goal ?? before.id) : null
}

/** Names of a conversation up to each message of its person: by their messages and the head of the system prompt, since programs rewrite the rest. */
function keysOf(client: string, messages: readonly ChatMessage[], persons: readonly number[]): string[] {
  const system = messages.find(({ role }) => role === 'system')?.content ?? ''
  let key = JSON.stringify([client, system.slice(0, SYSTEM_HEAD).replace(/\d+/g, '#')])
  return persons.map((index) => {
    key = createHash('sha256')
      .update(key)
      .update(JSON.stringify(messages[index]?.content ?? ''))
      .digest('hex')
    return key
  })
}
