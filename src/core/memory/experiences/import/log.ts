import type {
  Experience,
  ExperienceMeta,
  ExperienceStep,
  Guidance,
} from '../../../../shared/domain/experience'
import type { RowPlace } from '../../../../shared/domain/reading'
import { canonicalJson } from '../../../ground/canonical-json'
import type { Recognise } from '../../../ground/recognition'
import type { MemoryEvent } from '../../events'
import { evidenceOf, type Work } from '../../../verdict/evidence'
import { FITTED, type ClientRules } from '../../../verdict/client-rules'
import { verdictOf } from '../../../verdict/verdict'
import type { Ending } from '../../../../shared/domain/verdict'
import type { ForeignChat } from './foreign-chat'
import { redactAll } from './redact'
import type { SanitisedExperience } from './sanitise-experience'
import { withoutAnswers } from './without-answers'

/** An attempt as one of the importers read it, whatever its format. */
export interface AgentLog {
  readonly question: string
  readonly framework: string
  /** Fields left out are null, empty or `unknown`. */
  readonly frameworkVersion?: string | null
  readonly domain: string
  readonly model?: string | null
  /** As the log itself says it, by a grader or a check of the task; left out where it does not: then the rules of verdicts tell what they can. */
  readonly outcome?: ExperienceMeta['outcome']
  /** How the program says that it ended; null where it says no more than that. */
  readonly ending?: Ending | null
  /** What the agent said last, where that is none of the steps. */
  readonly reply?: string
  /** The person's next message in the same session; null for none. */
  readonly next?: string | null
  /** What the person had the program do about it before that. */
  readonly command?: 'commit' | 'undo' | null
  readonly promptTokens?: number | null
  readonly completionTokens?: number | null
  readonly sourceId?: string | null
  /** When the attempt was made; null when the log does not say. */
  readonly createdAt?: string | null
  readonly steps: readonly ExperienceStep[]
  readonly plan?: string
  readonly experience?: Guidance
  readonly searchPlan?: string
  readonly searchExperience?: Guidance
  readonly extra?: Record<string, unknown>
  /** Default `log`. */
  readonly origin?: Experience['origin']
}

/** What an importer finds, in file order. */
export type Found =
  /** A conversation with another program, which becomes an ask. */
  | { readonly kind: 'chat'; readonly place: RowPlace; readonly chat: ForeignChat }
  | { readonly kind: 'log'; readonly place: RowPlace; readonly log: AgentLog }
  /** An item of a kind of memory, as that kind wrote it. */
  | { readonly kind: 'item'; readonly place: RowPlace; readonly of: string; readonly line: unknown }
  /** What the journal of a memory says about an item: the first event adds it, the others bring it to where it stands. */
  | {
      readonly kind: 'events'
      readonly place: RowPlace
      readonly events: readonly MemoryEvent[]
      /** The item as it reads afterwards; one that is there and reads differently is left out. Without: its id decides. */
      readonly like?: unknown
      /** Rows of the file that it takes in. Default 1. */
      readonly rows?: number
    }
  | { readonly kind: 'left'; readonly place: RowPlace; readonly why: string }

/** What a reader may know about where it reads. */
export interface ReadContext {
  readonly memoryId: string
  /** ISO time. */
  readonly now: string
  /** SHA-256 in hex. */
  readonly hash: (text: string) => string
  /** The files of an archive, for formats that are one; each is unpacked when it is asked for. Default: archives are not read here. @throws Error, in words */
  readonly unpack?: (bytes: Uint8Array) => readonly ArchivedFile[]
  /** A database of SQLite with the log beside it, for formats that are one. Default: databases are not read here. @throws Error, in words */
  readonly openDatabase?: (bytes: Uint8Array, log: Uint8Array | null) => Promise<ForeignDatabase>
  /** What the file beside it holds that the format names; null where there is none. */
  readonly beside?: Uint8Array | null
}

/** A database that another program wrote. */
export interface ForeignDatabase {
  readonly tables: readonly string[]
  /** Rows of a query, its `?` replaced by these texts. @throws Error, in words */
  rows(sql: string, values?: readonly string[]): Iterable<Record<string, unknown>>
  close(): void
}

/** A file within an archive. */
export interface ArchivedFile {
  /** With the folders it lies in. */
  readonly name: string
  /** Bytes that it says it unpacks to. */
  readonly size: number
  /** What is in it. @throws Error, in words */
  read(): Uint8Array
}

/** A kind of log Loam can read. */
export interface LogFormat {
  readonly id: string
  readonly title: string
  /** The version of the other program that it was written for. */
  readonly writtenFor: string
  readonly keeps: string
  readonly loses: string
  readonly recognise?: Recognise
  /** Reads the text piece by piece; never throws for what is in it. */
  readonly read: (text: AsyncIterable<string>, context: ReadContext) => AsyncGenerator<Found>
  /** The name of the file in the same folder that is read with it, of at most a mebibyte; `beside` holds it. Default: none. */
  readonly sibling?: string
}

/** What every log of attempts keeps and loses. */
export const LOG_WORDS = {
  keeps:
    'Every attempt with its question, steps, outcome where the log says it, and tokens, as an experience.',
  loses: 'Secrets and recorded right answers; the middle of very long attempts; long texts are shortened.',
} as const

/** What every log of chats keeps and loses. */
export const CHAT_WORDS = {
  keeps:
    'Every conversation as an ask: messages, answers, those that were asked for again, thoughts, calls of tools, times and models. Every attempt in it as an experience. What the person said of themselves, as facts that wait for their word.',
  loses:
    'Secrets. Files and pictures that are not in the log: the ask names them. Other words of a message that nobody answered. Of experiences, the middle of very long ones.',
} as const

/** The words of a log of traces, whose parts are called so: `spans`. */
export const traceWords = (parts: string) => ({
  ...LOG_WORDS,
  loses: `${LOG_WORDS.loses} Of a trace, all dialogs but the longest; times and costs of single ${parts}.`,
})

const LONGEST_QUESTION = 4_000
const LONGEST_ACTION = 2_000
const LONGEST_REASON = 1_000
const LONGEST_OBSERVATION = 1_000
const LONGEST_PLAN = 8_000
/** Steps kept of one attempt: the first and the last ones. */
export const MOST_STEPS = 60

/** At most `limit` characters; what is left out is said. */
export const shorten = (text: string, limit: number): string => {
  const trimmed = text.trim()
  if (trimmed.length <= limit) return trimmed
  return `${trimmed.slice(0, limit)}... [${trimmed.length - limit} characters left out]`
}

/** A step with everything that was left out filled in. */
export const step = (
  input: Pick<ExperienceStep, 'verb' | 'content'> & Partial<ExperienceStep>,
): ExperienceStep => ({ tool: '', reason: '', observation: null, failed: false, ...input })

/**
 * The experience of a log: secrets and recorded right answers taken out, long texts shortened, and named after what it says (`hash`: SHA-256 in hex), so
 * that the same attempt is the same experience wherever it is read from. `rules`: what a program's attempts are read by (default: the fitted rules); of one whose
 * log says how it ended the signs are kept, which rules are learned from.
 */
export function experienceOfLog(
  log: AgentLog,
  source: { readonly file: string | null; readonly client: string | null; readonly now: Date },
  hash: (text: string) => string,
  rules: ClientRules = FITTED,
): SanitisedExperience {
  const { value, redactions } = redactAll({
    question: shorten(log.question, LONGEST_QUESTION),
    steps: shortSteps(log.steps),
    agentPlan: shorten(log.plan ?? '', LONGEST_PLAN),
    agentExperience: log.experience ?? '',
    searchAgentPlan: shorten(log.searchPlan ?? '', LONGEST_PLAN),
    searchAgentExperience: log.searchExperience ?? '',
    extra: withoutAnswers(log.extra ?? {}),
    file: source.file,
    sourceId: log.sourceId ?? null,
  })
  const { extra, file, sourceId, ...fields } = value
  const evidence = evidenceOf(workOfLog(log), rules.weights)
  const verdict = log.outcome === undefined ? verdictOf(evidence, rules.prior) : null
  const isGraded = verdict === null && log.outcome !== 'unknown'
  const contentHash = hash(
    canonicalJson({ framework: log.framework, outcome: log.outcome ?? 'unknown', ...fields }),
  )
  const tools = [...new Set(fields.steps.map(({ tool }) => tool).filter((tool) => tool !== ''))]
  const experience: Experience = {
    id: `exp-${contentHash.slice(0, 24)}`,
    createdAt: log.createdAt ?? source.now.toISOString(),
    ...fields,
    agentPlan: fields.agentPlan === '' ? planOfSteps(fields.steps) : fields.agentPlan,
    constraints: [],
    omittedSteps: Math.max(0, log.steps.length - MOST_STEPS),
    repair: null,
    origin: log.origin ?? 'log',
    derivedFrom: null,
    trajectoryId: null,
    meta: {
      framework: log.framework,
      frameworkVersion: log.frameworkVersion ?? null,
      tools,
      domain: log.domain,
      model: log.model ?? null,
      outcome: log.outcome ?? OUTCOMES[verdict?.value ?? 'unknown'],
      ...(verdict && evidence.length > 0 && { verdict }),
      ...(isGraded && evidence.length > 0 && { signs: evidence.map(({ kind }) => kind) }),
      promptTokens: log.promptTokens ?? null,
      completionTokens: log.completionTokens ?? null,
      sourceId,
      sourceFile: file,
      contentHash,
      client: source.client,
      extra,
    },
  }
  return { experience, redactions }
}

const OUTCOMES = { solved: 'success', failed: 'failure', unknown: 'unknown' } as const

/** What the rules of verdicts look at in a log. */
export const workOfLog = ({ question, steps, reply, ending, next, command }: AgentLog): Work => ({
  request: question,
  steps,
  reply: reply ?? steps.findLast(({ verb }) => verb === 'answer')?.content ?? '',
  ending: ending ?? null,
  next: next ?? null,
  command: command ?? null,
})

function shortSteps(steps: readonly ExperienceStep[]): ExperienceStep[] {
  const half = MOST_STEPS / 2
  const selection = steps.length <= MOST_STEPS ? steps : [...steps.slice(0, half), ...steps.slice(-half)]
  return selection.map((each) => ({
    ...each,
    content: shorten(each.content, LONGEST_ACTION),
    reason: shorten(each.reason, LONGEST_REASON),
    observation: each.observation === null ? null : shorten(each.observation, LONGEST_OBSERVATION),
  }))
}

const LONGEST_PLAN_LINE = 160

/** The raw workflow: what was done, step by step, where a log has no plan of its own. */
export const planOfSteps = (steps: readonly Pick<ExperienceStep, 'verb' | 'content'>[]): string =>
  steps
    .map(
      ({ verb, content }, i) =>
        `${i + 1}. ${verb}: ${content.replace(/\s+/g, ' ').slice(0, LONGEST_PLAN_LINE)}`,
    )
    .join('\n')
