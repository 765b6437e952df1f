import { randomBytes } from 'node:crypto'
import { encoderFor } from '../../../core/retrieval/calibration'
import type {
  CallOptions,
  GenerateRequest,
  GenerateResult,
  LanguageModel,
  ToolCall,
} from '../../../core/ground/chat'
import type { Method, MethodContext } from '../../../core/ground/method'
import type { Clock, Embedder, PromptTemplates } from '../../../core/ground/ports'
import { isAbortError } from '../../../core/ground/abort'
import { createSerial } from '../../../shared/serial'
import { learnFromAttempt, learningOf } from '../../../core/ground/learn-from-attempt'
import { explain } from '../../../core/agent/actor'
import { fitBudget } from '../../../core/ground/fit-budget'
import { redactAll } from '../../../core/memory/experiences/import/redact'
import { NO_USAGE, type Usage } from '../../../shared/domain/trajectory'
import { LoamError, toErrorShape } from '../../../shared/errors'
import type { StoredMemory } from '../../memory-store/memory'
import type { PROXY_MODES } from '../../../shared/domain/sharing'
import { sideWorkOf } from '../../../core/verdict/side-request'
import { judgeAttempt } from './judge'
import type { ModelProfiles } from '../../models/model-profiles'
import { showRecalled, type RecallInRequest } from './show-recalled'
import type { AttemptFiles } from './attempt-files'
import type { Logger } from '../../ground/logger'
import { OpenAttempts, replyText, roundOf, type OpenAttempt, type Speaker } from './open-attempts'
import { nameOf, putIn, taskOf, trajectoryOf, withoutShown } from './attempt-record'
import { ruledBy } from './rule-attempt'

/** What the proxy does for a client: put in what was remembered, keep what happened, both, or pass through. */
export type ProxyMode = (typeof PROXY_MODES)[number]

/** How one client is served. */
export interface ClientTerms {
  readonly memory: StoredMemory
  readonly mode: ProxyMode
  /** Most tokens that are put into a request. */
  readonly budget: number
  readonly method: Method
  readonly k: number
  /** Cases and lessons of this environment are recalled, and new ones kept in it. */
  readonly environment: string
  /** Whether the model judges attempts whose outcome nobody says. */
  readonly judge: boolean
  /** Who writes in the user's name. */
  readonly speaker: Speaker
}

/** What was put into a request, and what it took. */
export interface ProxiedRequest {
  readonly at: string
  readonly client: string
  readonly attempt: string
  readonly round: number
  readonly model: string
  readonly recalled: OpenAttempt['recalled']
  /** Milliseconds that recalling took before the model was asked. */
  readonly recallMs: number
  readonly promptTokens: number
  readonly completionTokens: number
}

export type Outcome = 'success' | 'failure'

/** What became of an attempt. */
export interface SettledAttempt {
  readonly attempt: string
  readonly outcome: Outcome | 'unknown'
  /** Who said so: the client, the rules by what the person wrote next, the judge, or nobody. */
  readonly by: 'client' | 'rule' | 'judge' | 'nobody'
  /** Whether it was written into the memory. */
  readonly kept: boolean
}

/** Who asks, and with which model. */
export interface Asked {
  readonly client: string
  readonly terms: ClientTerms
  readonly model: LanguageModel
}

export interface ProxyReply {
  readonly attempt: string
  readonly round: number
  readonly result: GenerateResult
  readonly log: ProxiedRequest
}

/** Requests of other programs to a model, with a memory in between. */
export type MemoryProxy = ReturnType<typeof createMemoryProxy>

export interface MemoryProxyDeps {
  readonly embedder: () => Promise<Embedder>
  readonly prompts: () => Promise<PromptTemplates>
  readonly clock: Clock
  /** What is known of how models read memory. Default: nothing. */
  readonly profiles?: Pick<ModelProfiles, 'get'>
  /** Where open attempts are kept. Default: nowhere, a kill loses them. */
  readonly attemptFiles?: AttemptFiles
  readonly logger?: Pick<Logger, 'warn'>
}

/** A request as memory sees it. */
export type OpenInput = Pick<GenerateRequest, 'messages'> & RecallFor

/** How a request is answered. `onAttempt` is told which attempt it belongs to before the first token. */
type ProxyCall = CallOptions & { onAttempt?: ((id: string) => void) | undefined }

type RecallFor = Pick<GenerateRequest, 'tools'> & Pick<CallOptions, 'signal'>

/** Requests that are remembered for `requests`. */
const MOST_LOGGED = 1000
/** Attempts whose outcome is remembered, so that a second word on them is told from an unknown one. */
const MOST_SETTLED = 5000

/** A request with what its attempt and the conversation before it recalled. */
export interface OpenedRequest {
  readonly attempt: string
  readonly round: number
  /** What stands in the conversation from memory: each before the message of the person at `index`. */
  readonly puts: readonly { readonly index: number; readonly recall: RecallInRequest }[]
  /** Keeps how it was answered, and answers what is told of the request. */
  finish(answer: AnswerKept): Promise<ProxiedRequest>
}

/** What is kept of an answer. `reply` null: none came. */
export interface AnswerKept {
  readonly reply: { readonly content: string; readonly toolCalls?: readonly ToolCall[] } | null
  readonly ending: OpenAttempt['ending']
  readonly model: string
  readonly usage: Usage
}

/** The attempts that are open, and how they end. `contextOf`: what a method learns with. */
function attemptLedger(
  { clock, attemptFiles: files, logger }: Pick<MemoryProxyDeps, 'clock' | 'attemptFiles' | 'logger'>,
  contextOf: (call: Asked) => Promise<MethodContext>,
) {
  const attempts = new OpenAttempts()
  const terms = new Map<string, Asked>()
  const settled = new Map<string, SettledAttempt & { readonly client: string }>()
  const inTurn = createSerial()

  const settle = (
    attempt: OpenAttempt,
    outcome: SettledAttempt['outcome'],
    by: SettledAttempt['by'],
  ): Promise<SettledAttempt> =>
    inTurn(async () => {
      const before = settled.get(attempt.id)
      if (before) return before
      const request = terms.get(attempt.id)
      const mode = request?.terms.mode
      const keeps =
        request !== undefined && (mode === 'both' || mode === 'record') && attempt.rounds.length > 0
      // A Loam that was killed in between has told the memory already.
      if (keeps && !(await request.terms.memory.trajectory(attempt.id))) {
        const trajectory = redactAll(trajectoryOf(attempt, request, { outcome, by }, clock.now())).value
        const context = await contextOf(request)
        const learn = learningOf(request.terms.method, () => context)
        await learnFromAttempt(trajectory, learn, request.terms.memory)
      }
      attempts.remove(attempt.id)
      terms.delete(attempt.id)
      const result: SettledAttempt = { attempt: attempt.id, outcome, by, kept: keeps }
      settled.set(attempt.id, { ...result, client: attempt.client })
      const [oldest] = settled.keys()
      if (settled.size > MOST_SETTLED && oldest !== undefined) settled.delete(oldest)
      await files?.remove(attempt.id)
      return result
    })

  /** What nobody spoke about: the judge decides where there is one. */
  const settleUnsaid = async (attempt: OpenAttempt): Promise<SettledAttempt> => {
    const request = terms.get(attempt.id)
    if (request?.terms.judge !== true || attempt.rounds.length === 0)
      return settle(attempt, 'unknown', 'nobody')
    const verdict = await judgeAttempt(attempt, request.model)
    return verdict === null ? settle(attempt, 'unknown', 'nobody') : settle(attempt, verdict, 'judge')
  }

  /** Learns from an attempt that what the person wrote next shows to have failed; a success waits for their word. */
  const rule = async (attempt: OpenAttempt, next: string | null): Promise<void> => {
    attempt.ruled = ruledBy(attempt, next)
    const { ruled } = attempt
    // Only what the person wrote next settles; without it the signs wait with the attempt.
    if (next !== null && ruled?.state === 'teaches' && ruled.value === 'failed')
      await settle(attempt, 'failure', 'rule')
    else await files?.save(attempt)
  }
  /** What memory cannot take in must not keep a program from its answer. */
  const quietly = async (work: () => Promise<unknown>): Promise<void> => {
    try {
      await work()
    } catch (error) {
      logger?.warn('The memory proxy could not keep an attempt', { problem: toErrorShape(error) })
    }
  }

  return { attempts, terms, settled, settle, settleUnsaid, rule, quietly }
}

/** Creates it. */
// eslint-disable-next-line max-lines-per-function -- what its parts share is small
export function createMemoryProxy(deps: MemoryProxyDeps) {
  const { embedder, prompts, clock, profiles, attemptFiles: files } = deps
  const log = requestLog(clock)
  let tasks = 0

  const contextOf = async ({ terms: { memory: bank, k, method }, model }: Asked): Promise<MethodContext> => ({
    ...{ bank, model, settings: {}, k, seed: 0 },
    embedder: await encoderFor(method.info, await embedder(), bank),
    prompts: await prompts(),
  })

  const ledger = attemptLedger(deps, contextOf)
  const { attempts, terms, settled, settle, settleUnsaid, rule, quietly } = ledger

  async function recall(
    attempt: OpenAttempt,
    call: Asked,
    shownBefore: ReadonlySet<string>,
    { tools, signal }: RecallFor,
  ): Promise<void> {
    const context = await contextOf(call)
    const { method, budget } = call.terms
    const options = { signal }
    const input = { task: taskOf(attempt, call.terms, tasks), context: attempt.context, ...options }
    const all = withoutShown(await method.recall(input, context), shownBefore)
    const parts = await fitBudget(all, budget, (texts) => call.model.countTokens(texts, options))
    const reader = { profile: (await profiles?.get(call.model.path)) ?? null, tools }
    attempt.recall = await showRecalled(parts, reader, input.task, context.bank)
    attempt.recalled = await explain(attempt.recall.shown, { context, ...options })
  }

  const open = async (request: Asked, { messages, tools, signal }: OpenInput): Promise<OpenedRequest> => {
    const { client, terms: own } = request
    const isRecalling = own.mode === 'both' || own.mode === 'recall'
    const isKeeping = own.mode === 'both' || own.mode === 'record'
    const match = attempts.attemptOf(client, messages, own.speaker, clock.now())
    const { attempt, isNew, conversation, before, replaced } = match
    terms.set(attempt.id, request)
    attempt.model = request.model.name
    const round = attempt.rounds.length
    let recallMs = 0
    if (isNew && replaced?.key === attempt.key) {
      // The same was request: what stood before it stays, so that the server can go on from what it read.
      attempt.recall = replaced.recall
      attempt.recalled = replaced.recalled
    } else if (isNew && isRecalling) {
      const startTime = performance.now()
      const names = new Set(conversation.flatMap(({ attempt: { recalled } }) => recalled.map(nameOf)))
      await recall(attempt, request, names, { tools, ...(signal && { signal }) })
      recallMs = performance.now() - startTime
      tasks++
    }
    if (isKeeping) await quietly(async () => files?.save(attempt))
    if (before) void quietly(() => rule(before.attempt, before.next))
    if (replaced && replaced !== before?.attempt) {
      replaced.replaced = replaced.key === attempt.key ? 'sent-again' : 'branched'
      void quietly(() => rule(replaced, null))
    }
    return {
      attempt: attempt.id,
      round,
      puts: conversation.map(({ index, attempt: { recall: own } }) => ({ index, recall: own })),
      async finish({ reply, ending, model, usage }) {
        attempt.ending = ending
        attempt.model = model
        if (reply) {
          const calls = (reply.toolCalls?.length ?? 0) > 0
          const turn = { completion: replyText(reply), calls, observation: null, from: undefined }
          attempt.rounds[round] = roundOf(round, turn, usage)
        }
        if (isKeeping && attempts.get(attempt.id)) await quietly(async () => files?.save(attempt))
        for (const old of attempts.tooMany()) await quietly(() => settleUnsaid(old))
        const { id, recalled } = attempt
        return log.add({ client, attempt: id, round, model, recalled, recallMs }, usage)
      },
    }
  }
  const inOrder = createSerial()

  return {
    /** Takes in one request of a program: recalls for it, and settles what it tells of the one before. In the order they come. */
    open: (request: Asked, input: OpenInput): Promise<OpenedRequest> => inOrder(() => open(request, input)),
    /** Answers one request. `onAttempt` is told which attempt it belongs to before the first token. */
    async complete(
      askedRequest: Asked,
      request: GenerateRequest,
      { onAttempt, ...options }: ProxyCall,
    ): Promise<ProxyReply> {
      const { model } = askedRequest
      if (isSideWork(request)) return besideWork(askedRequest, request, { onAttempt, ...options }, log)
      const opening = await this.open(askedRequest, { ...request, ...options })
      onAttempt?.(opening.attempt)
      const answer = { model: model.name, usage: NO_USAGE }
      const result = await model
        .generate({ ...request, messages: putIn(request.messages, opening.puts) }, options)
        .catch(async (error: unknown) => {
          const ending = isAbortError(error) ? 'interrupted' : 'lost'
          await opening.finish({ ...answer, reply: null, ending })
          throw error
        })
      const reply = { content: result.text, ...(result.toolCalls && { toolCalls: result.toolCalls }) }
      const ending = result.finish === 'max-tokens' ? 'cut-off' : null
      const entry = await opening.finish({ ...answer, reply, ending, usage: result.usage })
      return { attempt: opening.attempt, round: opening.round, result, log: entry }
    },
    /** Says how an attempt ended; null: the client's last one. What was said first counts. @throws LoamError `NOT_FOUND` */
    async outcome(client: string, name: string | null, outcome: Outcome): Promise<SettledAttempt> {
      const record = name === null ? undefined : settled.get(name)
      if (record?.client === client) return record
      const attempt = name === null ? attempts.lastOf(client) : attempts.get(name)
      if (attempt?.client === client) return settle(attempt, outcome, 'client')
      throw new LoamError('NOT_FOUND', 'There is no such attempt of this client.', {
        suggestion: 'Name it as the answer did, in its header x-loam-attempt.',
      })
    },
    /** Takes up what was open when Loam ended; `askedOf`: how a client is served. */
    async resume(askedOf: (client: string) => Promise<Asked>): Promise<void> {
      for (const attempt of (await files?.list()) ?? [])
        await quietly(async () => {
          const request = await askedOf(attempt.client)
          if (await request.terms.memory.trajectory(attempt.id)) return files?.remove(attempt.id)
          attempts.add(attempt)
          terms.set(attempt.id, request)
        })
    },
    /** Counts a request that is nobody's task. */
    beside: (client: string, model: string, usage: Usage): ProxiedRequest =>
      log.add({ client, attempt: newSideId(), round: 0, model, recalled: [], recallMs: 0 }, usage),
    /** The newest requests first. */
    requests: log.list,
    /** How many there were, those that are no longer listed included. */
    count: log.count,
    /** Settles what is still open: judged where the terms say so, else kept as an attempt that nobody could judge. */
    async close(): Promise<void> {
      for (const attempt of attempts.list()) await settleUnsaid(attempt)
    },
  }
}

const newSideId = (): string => `side-${randomBytes(9).toString('hex')}`
/** Requests as they are counted and listed, the newest first. */
function requestLog(clock: Clock) {
  const entries: ProxiedRequest[] = []
  let count = 0
  return {
    list: (): readonly ProxiedRequest[] => entries,
    count: (): number => count,
    add(
      about: Omit<ProxiedRequest, 'at' | 'promptTokens' | 'completionTokens'>,
      { promptTokens, completionTokens }: Pick<Usage, 'promptTokens' | 'completionTokens'>,
    ): ProxiedRequest {
      const entry = { at: clock.now().toISOString(), ...about, promptTokens, completionTokens }
      count++
      entries.unshift(entry)
      entries.length = Math.min(entries.length, MOST_LOGGED)
      return entry
    },
  }
}

/** Answers what is nobody's task: nothing is recalled for it, and no attempt is kept of it. */
async function besideWork(
  { client, model }: Asked,
  request: GenerateRequest,
  { onAttempt, ...options }: ProxyCall,
  log: ReturnType<typeof requestLog>,
): Promise<ProxyReply> {
  const attempt = newSideId()
  onAttempt?.(attempt)
  const result = await model.generate(request, options)
  const about = { client, attempt, round: 0, model: model.name, recalled: [], recallMs: 0 }
  return { attempt, round: 0, result, log: log.add(about, result.usage) }
}

/** Whether a program asks for something beside a person's work, such as a title for a conversation. */
const isSideWork = ({ messages, maxTokens, tools }: GenerateRequest): boolean =>
  sideWorkOf({
    system: messages.find(({ role }) => role === 'system')?.content ?? '',
    user: messages.findLast(({ role }) => role === 'user')?.content ?? '',
    maxTokens: maxTokens ?? null,
    tools: tools?.length ?? 0,
  }) !== null
