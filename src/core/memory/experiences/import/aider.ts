import type { RowPlace } from '../../../../shared/domain/reading'
import type { ExperienceStep } from '../../../../shared/domain/experience'
import { readLines } from '../../../ground/entries'
import { bySigns, sign } from '../../../ground/recognition'
import { endingOfNotes } from '../../../verdict/endings'
import { overlap } from '../../../verdict/relation'
import { LOG_WORDS, step, type AgentLog, type Found, type LogFormat } from './log'
import { timeOfLog } from './records'

const SESSION = /^# aider chat started at (\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2})/
/** A line of the person ends in two blanks; a heading of the model's own does not. */
const PERSON = /^####(?: (.*))? {2}$/
/** A line of the program itself. */
const NOTE = /^> (.*) {2}$/
const MODEL = /^(?:Main )?[Mm]odels?: ([\w./:-]{2,100})/
const EDITED = /^Applied edit to (.{1,400})/
/** Commands of the program; what follows these is a request all the same. */
const COMMAND = /^[/!]\w/
const REQUEST_COMMAND = /^\/(?:ask|code|architect)\s+(\S.*)/s
const UNDO = /^\/undo\b/
const COMMIT = /^\/(?:commit\b|git (?:commit|push)\b)/
/** How much of a message stands in the reply before it, where the program hands the model's own words on. */
const HANDED_ON = 0.85

interface Attempt {
  readonly place: RowPlace
  readonly request: string
  readonly reply: string[]
  readonly notes: string[]
  command: AgentLog['command']
}

const isIdle = ({ reply, notes }: Attempt): boolean => reply.length + notes.length === 0

/** What a person's lines ask for, without the program's commands, and the command that says how it went. */
function readMessage(lines: readonly string[]): {
  readonly request: string
  readonly command: AgentLog['command']
} {
  const text = lines.join('\n').trim()
  const plain = lines
    .filter((line) => !COMMAND.test(line))
    .join('\n')
    .trim()
  const request = plain === '' ? (REQUEST_COMMAND.exec(text)?.[1] ?? '') : plain
  const has = (pattern: RegExp): boolean => lines.some((line) => pattern.test(line))
  return {
    request: request.replace(/^<blank>\s*/, ''),
    command: has(UNDO) ? 'undo' : has(COMMIT) ? 'commit' : null,
  }
}

/** The attempts of one session. */
class Session {
  readonly #attempts: Attempt[] = []
  #said: string[] = []
  #saidAt: RowPlace = { line: 1 }
  #model: string | null = null

  constructor(private readonly startedAt: string) {}

  take(place: RowPlace, line: string): void {
    const message = PERSON.exec(line)
    if (message) {
      if (this.#said.length === 0) this.#saidAt = place
      this.#said.push(message[1]?.trim() ?? '')
      return
    }
    this.#begin()
    const note = NOTE.exec(line)?.[1]
    this.#model = MODEL.exec(note ?? '')?.[1] ?? this.#model
    const attempt = this.#attempts.at(-1)
    if (note !== undefined) attempt?.notes.push(note.trim())
    else attempt?.reply.push(line)
  }

  /** What the person wrote begins an attempt, unless it only tells the program something. */
  #begin(): void {
    if (this.#said.length === 0) return
    const { request, command } = readMessage(this.#said)
    this.#said = []
    const before = this.#attempts.at(-1)
    if (request === '') {
      if (before && command) before.command = command
      return
    }
    const reply = before?.reply.join('\n').trim() ?? ''
    const isHandedOn = request.length > 0.6 * reply.length && overlap(request, reply) >= HANDED_ON
    if (before && (isHandedOn || (isIdle(before) && before.request === request))) return
    this.#attempts.push({ place: this.#saidAt, request, reply: [], notes: [], command: null })
  }

  *end(): Generator<Found> {
    this.#begin()
    for (const [i, attempt] of this.#attempts.entries()) {
      const { place, request, notes, command } = attempt
      const reply = attempt.reply.join('\n').trim()
      const steps = stepsOf(attempt, reply)
      const ending = endingOfNotes(notes, steps.length === 0)
      if (steps.length === 0 && ending === null) {
        yield { kind: 'left', place, why: 'nobody answered this request' }
        continue
      }
      const log: AgentLog = {
        question: request,
        framework: 'aider',
        domain: 'code',
        model: this.#model,
        createdAt: timeOfLog(this.startedAt),
        steps,
        reply,
        ending,
        command,
        next: this.#attempts[i + 1]?.request ?? null,
      }
      yield { kind: 'log', place, log }
    }
  }
}

function stepsOf({ notes }: Attempt, reply: string): ExperienceStep[] {
  const files = notes.flatMap((note) => EDITED.exec(note)?.[1]?.trim() ?? [])
  const edits = files.map((file) => step({ verb: 'edit', tool: 'edit', content: file }))
  return reply === '' ? edits : [...edits, step({ verb: 'answer', content: reply })]
}

async function* read(text: AsyncIterable<string>): AsyncGenerator<Found> {
  let session: Session | null = null
  for await (const { place, text: line, problem } of readLines(text)) {
    const startedAt = SESSION.exec(line ?? '')?.[1]
    if (startedAt !== undefined) {
      if (session) yield* session.end()
      session = new Session(startedAt)
    } else if (line === null || !session) {
      yield { kind: 'left', place, why: problem ?? 'it stands before the first session' }
    } else session.take(place, line.replace(/\r$/, ''))
  }
  if (session) yield* session.end()
}

/** aider: a project's chat history, one experience per request. */
export const aider: LogFormat = {
  id: 'aider',
  title: 'aider chat history (Markdown)',
  writtenFor: 'aider 0.30 to 0.86 (.aider.chat.history.md)',
  ...LOG_WORDS,
  recognise: bySigns([sign(0.95, /^# aider chat started at \d{4}-/m)], /\.aider\.chat\.history\.md$/),
  read,
}
