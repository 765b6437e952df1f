import type { RowPlace } from '../../../../shared/domain/reading'
import { parsed, readElements } from '../../../ground/entries'
import { isRecord } from '../../../ground/record'
import { nameOf } from './conversations'
import { attemptsOf, stepOfCall, type DialogAbout } from './dialog'
import type { AgentLog, Found } from './log'
import { messagesIn, parsedOr } from './message'
import { textOf } from './records'

/** A span of a trace, whatever program recorded it. */
export interface Span {
  readonly place: RowPlace
  readonly trace: string
  readonly id: string
  /** Null for the span that a trace begins with. */
  readonly parent: string | null
  readonly kind: 'model' | 'tool' | 'other'
  readonly name: string
  readonly input: unknown
  readonly output: unknown
  readonly failed: boolean
  /** Anything that sorts by time; empty where it is not told. */
  readonly start: string
  readonly model: string | null
  readonly promptTokens: number | null
  readonly completionTokens: number | null
  /** What evaluations, feedback or a status say about the whole attempt. Default: nothing. */
  readonly verdict?: 'success' | 'failure' | null
}

/** Spans of a file by trace, in the order that traces begin in it. */
class Traces {
  readonly #traces = new Map<string, Span[]>()

  add(span: Span): void {
    const spans = this.#traces.get(span.trace)
    if (spans) spans.push(span)
    else this.#traces.set(span.trace, [span])
  }

  /** Each trace as one attempt, or why it is none. */
  *found(about: DialogAbout): Generator<Found> {
    for (const [sourceId, spans] of this.#traces) {
      const place = spans[0]?.place ?? { line: 1 }
      const log = attemptOfTrace(spans, { ...about, sourceId })
      yield typeof log === 'string' ? { kind: 'left', place, why: log } : { kind: 'log', place, log }
    }
  }
}

/**
 * The attempts of a file whose entries are spans, or hold several. `spansIn` gives what an entry holds, or a sentence for what is left out.
 */
export async function* readSpans(
  text: AsyncIterable<string>,
  framework: string,
  spansIn: (value: unknown, place: RowPlace) => Iterable<Span | string>,
): AsyncGenerator<Found> {
  const traces = new Traces()
  for await (const { place, value, problem } of parsed(readElements(text))) {
    for (const span of problem === null ? spansIn(value, place) : [problem]) {
      if (typeof span === 'string') yield { kind: 'left', place, why: span }
      else traces.add(span)
    }
  }
  yield* traces.found({ framework, domain: 'general' })
}

/**
 * A trace's attempt: the longest dialog that a model was shown in it, with its reply; where none was recorded, the calls of tools between what the
 * trace began and ended with.
 */
function attemptOfTrace(givenSpans: readonly Span[], about: DialogAbout): AgentLog | string {
  const spans = [...givenSpans].sort((a, b) => (a.start < b.start ? -1 : a.start > b.start ? 1 : 0))
  const ids = new Set(spans.map(({ id }) => id))
  const root = spans.find(({ parent }) => parent === null || !ids.has(parent)) ?? spans[0]
  if (!root) return 'it holds no spans'
  const models = spans.filter(({ kind }) => kind === 'model')
  const verdict = spans.map((span) => span.verdict ?? null).findLast((message) => message !== null) ?? null
  const knownAbout: DialogAbout = {
    ...about,
    model: models.find(({ model }) => model !== null)?.model ?? null,
    ...(verdict === null ? (root.failed ? { outcome: 'failure' as const } : {}) : { outcome: verdict }),
  }
  const log = ofDialogs(models, knownAbout) ?? ofRoot(root, knownAbout)
  if (log === null) return 'the trace does not say what was asked'
  const steps = log.steps.some(({ verb }) => verb !== 'answer')
    ? log.steps
    : [...toolSteps(spans), ...log.steps]
  if (steps.length === 0) return 'nothing was done or answered in the trace'
  return {
    ...log,
    steps,
    promptTokens: totalOf(models, 'promptTokens'),
    completionTokens: totalOf(models, 'completionTokens'),
  }
}

/** The last request of the longest dialog that a model replied to. */
function ofDialogs(models: readonly Span[], about: DialogAbout): AgentLog | null {
  let best: { readonly messages: number; readonly log: AgentLog } | null = null
  for (const { input, output } of models) {
    const dialog = [...messagesIn(input), ...repliesIn(output)]
    if (dialog.length < (best?.messages ?? 0)) continue
    const log = attemptsOf(dialog, about).findLast((one) => typeof one !== 'string')
    if (typeof log === 'object') best = { messages: dialog.length, log }
  }
  return best?.log ?? null
}

/** A reply: messages, or a bare text. */
function repliesIn(output: unknown): ReturnType<typeof messagesIn> {
  const messages = messagesIn(output)
  if (messages.length > 0) return messages
  const text = plainText(output)
  return text === '' ? [] : [{ role: 'agent', text }]
}

/** What the trace as a whole was given and answered. */
function ofRoot(root: Span, about: DialogAbout): AgentLog | null {
  const askedQuestion = messagesIn(root.input).find(
    ({ role, text }) => role === 'user' && text.trim() !== '',
  )?.text
  const question = askedQuestion ?? plainText(root.input)
  if (question.trim() === '') return null
  const [log] = attemptsOf([{ role: 'user', text: question }, ...repliesIn(root.output)], about)
  return typeof log === 'object' ? log : { ...about, question, steps: [] }
}

const TEXTS = [
  'input',
  'question',
  'query',
  'prompt',
  'task',
  'text',
  'content',
  'output',
  'answer',
  'result',
  'value',
] as const

/** The text that a value is about: itself, or what stands in it under a usual name. */
function plainText(value: unknown, depth = 0): string {
  const input = typeof value === 'string' ? parsedOr(value) : value
  if (!isRecord(input)) return textOf(input)
  for (const name of TEXTS) {
    const inner = input[name]
    if (inner !== undefined && inner !== null && depth < 4) {
      const text = plainText(inner, depth + 1)
      if (text !== '') return text
    }
  }
  return Object.keys(input).length === 0 ? '' : textOf(input)
}

const toolSteps = (spans: readonly Span[]): AgentLog['steps'] =>
  spans
    .filter(({ kind }) => kind === 'tool')
    .map(({ name, input, output, failed }) => ({
      ...stepOfCall({ tool: name, given: input ?? {} }),
      observation: output === undefined || output === null ? null : plainText(output),
      failed,
    }))

function totalOf(models: readonly Span[], name: 'promptTokens' | 'completionTokens'): number | null {
  const counts = models.flatMap((span) => span[name] ?? [])
  return counts.length === 0 ? null : Math.round(counts.reduce((sum, count) => sum + count, 0))
}

/** Names of scores that say whether an attempt was right. */
const VERDICTS =
  /^(?:is[_ -]?)?(?:correct(?:ness)?|success(?:ful)?|passed|pass|resolved|solved|task[_ -]?(?:success|completed))$/i

/** What a score says about an attempt: only one that is named for it, and only yes or no. */
export function verdictOf(name: unknown, value: unknown): 'success' | 'failure' | null {
  if (!VERDICTS.test(nameOf(name) ?? '')) return null
  if (value === true || value === 1 || /^(?:true|pass(?:ed)?|correct|yes|success)$/i.test(textOf(value)))
    return 'success'
  if (value === false || value === 0 || /^(?:false|fail(?:ed|ure)?|incorrect|no)$/i.test(textOf(value)))
    return 'failure'
  return null
}
