import { randomBytes } from 'node:crypto'
import { sharedRun } from '../../../core/memory/items/features'
import { encoderFor } from '../../../core/retrieval/calibration'
import type {
  CallOptions,
  ChatMessage,
  GenerateRequest,
  GenerateResult,
  LanguageModel,
} from '../../../core/ground/chat'
import type { Method, MethodContext } from '../../../core/ground/method'
import type { Clock, Embedder, PromptTemplates } from '../../../core/ground/ports'
import { createSerial } from '../../../shared/serial'
import { learnFromAttempt, learningOf } from '../../../core/ground/learn-from-attempt'
import { recalledText, systemText } from '../../../core/ground/prompt'
import { explain } from '../../../core/agent/actor'
import { fitBudget } from '../../../core/ground/fit-budget'
import { redactAll } from '../../../core/memory/experiences/import/redact'
import { addUsage, NO_USAGE, type Trajectory } from '../../../shared/domain/trajectory'
import { LoamError } from '../../../shared/errors'
import type { StoredMemory } from '../../memory-store/memory'
import type { PROXY_MODES } from '../../../shared/domain/sharing'
import { sideWorkOf } from '../../../core/verdict/side-request'
import { judgeAttempt } from './judge'
import type { ModelProfiles } from '../../models/model-profiles'
import { showRecalled, type RecallInRequest } from './show-recalled'
import { OpenAttempts, replyText, roundOf, type OpenAttempt } from './open-attempts'

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
  /** Who said so: the client, the judge, or nobody. */
  readonly by: 'client' | 'judge' | 'nobody'
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
}

/** How a request is answered. `onAttempt` is told which attempt it belongs to before the first token. */
type ProxyCall = CallOptions & { onAttempt?: ((id: string) => void) | undefined }

type RecallFor = Pick<GenerateRequest, 'tools'> & Pick<CallOptions, 'signal'>

/** Requests that are remembered for `requests`. */
const MOST_LOGGED = 1000
/** Attempts whose outcome is remembered, so that a second word on them is told from an unknown one. */
const MOST_SETTLED = 5000

/** Creates it. */
export function createMemoryProxy({ embedder, prompts, clock, profiles }: MemoryProxyDeps) {
  const attempts = new OpenAttempts()
  const terms = new Map<string, Asked>()
  const settled = new Map<string, SettledAttempt & { readonly client: string }>()
  const log = requestLog(clock)
  const inTurn = createSerial()
  let tasks = 0

  const contextOf = async ({ terms: { memory: bank, k, method }, model }: Asked): Promise<MethodContext> => ({
    ...{ bank, model, settings: {}, k, seed: 0 },
    embedder: await encoderFor(method.info, await embedder(), bank),
    prompts: await prompts(),
  })

  async function recall(attempt: OpenAttempt, call: Asked, { tools, signal }: RecallFor): Promise<void> {
    const context = await contextOf(call)
    const { method, budget } = call.terms
    const options = { signal }
    const input = { task: taskOf(attempt, call.terms, tasks), context: attempt.context, ...options }
    const all = await method.recall(input, context)
    const parts = await fitBudget(all, budget, (texts) => call.model.countTokens(texts, options))
    const reader = { profile: (await profiles?.get(call.model.path)) ?? null, tools }
    attempt.recall = await showRecalled(parts, reader, input.task, context.bank)
    attempt.recalled = await explain(attempt.recall.shown, { context, ...options })
  }

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
      if (keeps) {
        const trajectory = redactAll(trajectoryOf(attempt, request, outcome, clock.now())).value
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

  return {
    /** Answers one request. `onAttempt` is told which attempt it belongs to before the first token. */
    async complete(
      askedRequest: Asked,
      request: GenerateRequest,
      { onAttempt, ...options }: ProxyCall,
    ): Promise<ProxyReply> {
      const { client, terms: givenTerms, model } = askedRequest
      if (isSideWork(request)) return besideWork(askedRequest, request, { onAttempt, ...options }, log)
      const { attempt, isNew } = attempts.attemptOf(client, request.messages, clock.now())
      terms.set(attempt.id, askedRequest)
      attempt.model = model.name
      const round = attempt.rounds.length
      let recallMs = 0
      if (isNew && (givenTerms.mode === 'both' || givenTerms.mode === 'recall')) {
        const startTime = performance.now()
        await recall(attempt, askedRequest, { ...request, ...options })
        recallMs = performance.now() - startTime
        tasks++
      }
      onAttempt?.(attempt.id)
      const result = await model.generate(
        { ...request, messages: putIn(request.messages, attempt.recall) },
        options,
      )
      const completion = replyText({
        content: result.text,
        ...(result.toolCalls && { toolCalls: result.toolCalls }),
      })
      const turn = { completion, calls: result.toolCalls !== undefined, observation: null, from: undefined }
      attempt.rounds[round] = roundOf(round, turn, result.usage)
      for (const old of attempts.tooMany()) await settleUnsaid(old)
      const { id, recalled } = attempt
      const about = { client, attempt: id, round, model: model.name, recalled, recallMs }
      return { attempt: id, round, result, log: log.add(about, result) }
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

/** Requests as they are counted and listed, the newest first. */
function requestLog(clock: Clock) {
  const entries: ProxiedRequest[] = []
  let count = 0
  return {
    list: (): readonly ProxiedRequest[] => entries,
    count: (): number => count,
    add(
      about: Omit<ProxiedRequest, 'at' | 'promptTokens' | 'completionTokens'>,
      { usage: { promptTokens, completionTokens } }: GenerateResult,
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
  const attempt = `side-${randomBytes(9).toString('hex')}`
  onAttempt?.(attempt)
  const result = await model.generate(request, options)
  const about = { client, attempt, round: 0, model: model.name, recalled: [], recallMs: 0 }
  return { attempt, round: 0, result, log: log.add(about, result) }
}

/** Whether a program asks for something beside a person's work, such as a title for a conversation. */
const isSideWork = ({ messages, maxTokens, tools }: GenerateRequest): boolean =>
  sideWorkOf({
    system: messages.find(({ role }) => role === 'system')?.content ?? '',
    user: messages.findLast(({ role }) => role === 'user')?.content ?? '',
    maxTokens: maxTokens ?? null,
    tools: tools?.length ?? 0,
  }) !== null

/** The attempt as a trajectory of the memory. */
const trajectoryOf = (
  attempt: OpenAttempt,
  { terms }: Asked,
  outcome: SettledAttempt['outcome'],
  now: Date,
): Trajectory => ({
  id: attempt.id,
  runId: sharedRun(attempt.client),
  memoryId: terms.memory.id,
  task: {
    id: attempt.id,
    index: 0,
    environment: terms.environment,
    instruction: attempt.instruction,
    context: attempt.context,
    skills: [],
  },
  method: terms.method.info.id,
  model: attempt.model,
  seed: 0,
  recalled: [...attempt.recalled],
  rounds: attempt.rounds,
  finish: 'completed',
  reward: outcome === 'success' ? 1 : 0,
  ...(outcome === 'unknown' && { ungraded: 'nobody said how it ended' }),
  usage: attempt.rounds.reduce((sum, { usage }) => addUsage(sum, usage), NO_USAGE),
  startedAt: attempt.startedAt.toISOString(),
  finishedAt: now.toISOString(),
})

/** What is recalled for. */
const taskOf = ({ id, instruction }: OpenAttempt, { environment }: ClientTerms, index: number) => ({
  id,
  index,
  environment,
  instruction,
  skills: [],
  payload: null,
})

/** The messages of a program with what was recalled: documents behind its system prompt, the rest before its task. */
function putIn(messages: readonly ChatMessage[], { parts, earlier, known }: RecallInRequest): ChatMessage[] {
  const recall = recalledText(parts) + known
  const documents = parts.documents ?? []
  const firstReply = messages.findIndex(({ role }) => role === 'assistant')
  const head = firstReply < 0 ? messages : messages.slice(0, firstReply)
  const task = head.findLastIndex(({ role }) => role === 'user')
  const system = messages.findIndex(({ role }) => role === 'system')
  const put = messages.flatMap((message, i): readonly ChatMessage[] => {
    if (i === task && message.role === 'user')
      return [...earlier, { role: 'user', content: recall + message.content }]
    if (i === system && message.role === 'system' && documents.length > 0)
      return [{ role: 'system', content: systemText(message.content, parts) }]
    return [message]
  })
  return system < 0 && documents.length > 0
    ? [{ role: 'system', content: documents.map(({ text }) => text).join('\n\n') }, ...put]
    : put
}
