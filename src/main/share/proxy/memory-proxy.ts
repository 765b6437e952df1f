import { randomBytes } from 'node:crypto'
import { encoderFor } from '../../../core/retrieval/calibration'
import type { CallOptions, CallPiece, GenerateRequest, GenerateResult } from '../../../core/ground/chat'
import type { MethodContext } from '../../../core/ground/method'
import type { Clock, Embedder, PromptTemplates } from '../../../core/ground/ports'
import { isAbortError } from '../../../core/ground/abort'
import { USUAL_FACT_FORM } from '../../../shared/domain/model-profile'
import { createSerial } from '../../../shared/serial'
import { explain } from '../../../core/agent/actor'
import { withFacts } from '../../../core/agent/ask-recall'
import { recallFor } from '../../../core/agent/foreign-text'
import { fitBudget } from '../../../core/ground/fit-budget'
import { NO_USAGE, type Usage } from '../../../shared/domain/trajectory'
import { sideWorkOf } from '../../../core/verdict/side-request'
import { attemptLedger, type LedgerDeps } from './attempt-ledger'
import { withoutKnownFailure } from './held-reply'
import { LiveCalls, type ClientCallPiece } from './live-calls'
import { heardMessage } from './heard-text'
import { nameOf, putIn, taskOf, withoutShown } from './attempt-record'
import { plainly, toldSums } from './plain-talk'
import { replyText, roundOf, type OpenAttempt } from './open-attempts'
import type { Asked, OpenedRequest, OpenInput, ProxiedRequest, RecallFor } from './request'
import { rememberAsked } from './remember-asked'
import { withOwnFiles } from '../../asks/own-files'
import { showRecalled } from './show-recalled'

export interface ProxyReply {
  readonly attempt: string
  readonly round: number
  readonly result: GenerateResult
  readonly log: ProxiedRequest
}

/** Requests of other programs to a model, with a memory in between. */
export type MemoryProxy = ReturnType<typeof createMemoryProxy>

export interface MemoryProxyDeps extends LedgerDeps {
  readonly embedder: () => Promise<Embedder>
  readonly prompts: () => Promise<PromptTemplates>
  /** Whether the model of that path uses tools well. Default: each does. */
  readonly usesTools?: (path: string) => Promise<boolean>
}

/** How a request is answered. `onAttempt` is told which attempt it belongs to before the first token, `onCall` of all that the calls of the reply say. */
type ProxyCall = Omit<CallOptions, 'onCall'> & {
  readonly onAttempt?: ((id: string) => void) | undefined
  readonly onCall?: ((piece: ClientCallPiece) => void) | undefined
}

/** Requests that are remembered for `requests`. */
const MOST_LOGGED = 1000

/** Recalls for an attempt, into it; without what the conversation shows already. */
async function recallInto(
  attempt: OpenAttempt,
  { model, terms }: Asked,
  shownBefore: ReadonlySet<string>,
  { tools, signal }: RecallFor,
  { profiles, context, index }: Pick<MemoryProxyDeps, 'profiles'> & { context: MethodContext; index: number },
): Promise<void> {
  const { method, budget, speaker } = terms
  const options = { signal }
  const input = { task: taskOf(attempt, terms, index), context: attempt.context, ...options }
  const profile = (await profiles?.get(model.path)) ?? null
  const form = profile?.facts.choice ?? profile?.facts.form ?? USUAL_FACT_FORM
  const isPerson = speaker === 'person'
  // A program with tools reads files by itself.
  const own = isPerson && (tools ?? []).length === 0 ? withOwnFiles(method, true) : method
  const all = withoutShown(await recallFor(withFacts(own, form, isPerson), input, context), shownBefore)
  const parts = await fitBudget(all, budget, (texts) => model.countTokens(texts, options))
  const recall = await showRecalled(parts, { profile, tools }, input.task, context.bank)
  const sums = isPerson ? await toldSums(attempt.instruction, tools) : ''
  attempt.recall = { ...recall, known: recall.known + sums }
  attempt.recalled = await explain(attempt.recall.shown, { context, ...options })
}

/** Creates it. */
export function createMemoryProxy(deps: MemoryProxyDeps) {
  const { embedder, prompts, clock, profiles, attemptFiles: files } = deps
  const { usesTools = () => Promise.resolve(true) } = deps
  const log = requestLog(clock)
  let tasks = 0

  const contextOf = async ({ terms: { memory: bank, k, method }, model }: Asked): Promise<MethodContext> => ({
    ...{ bank, model, settings: {}, k, seed: 0 },
    embedder: await encoderFor(method.info, await embedder(), bank),
    prompts: await prompts(),
  })

  const replies = repliesUnderWay()
  const ledger = attemptLedger(deps, contextOf)
  const { attempts, terms, settleUnsaid, rule, wroteOn, quietly } = ledger

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
      const parts = { profiles, context: await contextOf(request), index: tasks }
      await recallInto(attempt, request, names, { tools, ...(signal && { signal }) }, parts)
      recallMs = performance.now() - startTime
      tasks++
    }
    if (isKeeping) await quietly(async () => files?.save(attempt))
    if (isKeeping && isNew && own.speaker === 'person' && replaced?.key !== attempt.key)
      await quietly(() => {
        const earlier = conversation.slice(0, -1).map(({ attempt: { instruction } }) => instruction)
        return rememberAsked(attempt, earlier, request, deps)
      })
    if (before)
      void quietly(() => replies.kept(before.attempt.id).then(() => rule(before.attempt, before.next)))
    else if (isNew && own.speaker === 'person') void quietly(() => wroteOn(attempt))
    if (replaced && replaced !== before?.attempt) {
      replaced.replaced = replaced.key === attempt.key ? 'sent-again' : 'branched'
      void quietly(() => rule(replaced, null))
    }
    const keepReply = replies.begin(attempt.id)
    return {
      attempt: attempt.id,
      round,
      puts: conversation.map(({ index, attempt: { recall: own } }) => ({ index, recall: own })),
      async finish({ reply, ending, model, usage, heldBy }) {
        attempt.ending = ending
        attempt.model = model
        if (reply) {
          const calls = (reply.toolCalls?.length ?? 0) > 0
          const turn = { completion: replyText(reply), calls, observation: null, from: undefined, heldBy }
          attempt.rounds[round] = roundOf(round, turn, usage)
        }
        keepReply()
        if (isKeeping && attempts.get(attempt.id)) await quietly(async () => files?.save(attempt))
        void makeRoom()
        const { id, recalled } = attempt
        return log.add({ client, attempt: id, round, model, recalled, recallMs }, usage)
      },
    }
  }
  const inOrder = createSerial()
  let room: Promise<void> | null = null
  /** Settles the oldest where too many are open, behind the answers: what the disk and a judge take is not the client's to wait for. */
  const makeRoom = (): Promise<void> =>
    (room ??= (async () => {
      for (const old of attempts.tooMany()) await quietly(() => settleUnsaid(old))
    })().finally(() => {
      room = null
    }))

  return {
    /** Takes in one request of a program: recalls for it, and settles what it tells of the one before. In the order they come. */
    open: (request: Asked, input: OpenInput): Promise<OpenedRequest> => inOrder(() => open(request, input)),
    /** Answers one request. `onAttempt` is told which attempt it belongs to before the first token. */
    async complete(askedRequest: Asked, request: GenerateRequest, call: ProxyCall): Promise<ProxyReply> {
      const { model } = askedRequest
      const short = { ...request, messages: request.messages.map(heardMessage) }
      if (isSideWork(short)) return besideWork(askedRequest, request, call, log)
      const { onAttempt, onCall, ...options } = call
      const opening = await this.open(askedRequest, { ...short, ...options })
      onAttempt?.(opening.attempt)
      const answer = { model: model.name, usage: NO_USAGE }
      const { workedOut, dialog } = await plainly(askedRequest, request, usesTools)
      const input = { ...request, messages: putIn(dialog, opening.puts) }
      const reply = workedOut
        ? tellWhole(workedOut, options)
        : informedReply(input, { ...options, onCall }, askedRequest, contextOf)
      const { result, heldBy } = await reply.catch(async (error: unknown) => {
        await opening.finish({ ...answer, reply: null, ending: isAbortError(error) ? 'interrupted' : 'lost' })
        throw error
      })
      const ending = result.finish === 'max-tokens' ? 'cut-off' : null
      const { usage } = result
      const entry = await opening.finish({ ...answer, reply: messageOf(result), ending, heldBy, usage })
      return { attempt: opening.attempt, round: opening.round, result, log: entry }
    },
    /** Says how an attempt ended; null: the client's last one. What was said first counts. @throws LoamError `NOT_FOUND` */
    outcome: ledger.outcome,
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
      await room
      for (const attempt of attempts.list()) await settleUnsaid(attempt)
    },
  }
}

const messageOf = ({ text, toolCalls }: GenerateResult) => ({
  content: text,
  ...(toolCalls && { toolCalls }),
})

/** Replies under way, by their attempts: a program that has a whole reply may write on before it is kept here. */
function repliesUnderWay() {
  const ends = new Map<string, Promise<void>>()
  return {
    /** Resolves once the newest reply of an attempt is kept; at once where none is under way. */
    kept: async (attempt: string): Promise<void> => ends.get(attempt),
    /** Begins one. Call what it answers when the reply is kept. */
    begin(attempt: string): () => void {
      let end = (): void => undefined
      const reply = new Promise<void>((resolve) => {
        end = resolve
      })
      ends.set(attempt, reply)
      return () => {
        if (ends.get(attempt) === reply) ends.delete(attempt)
        end()
      }
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

/** A reply that no model had to write. */
function tellWhole(result: GenerateResult, { onToken }: CallOptions): ReturnType<typeof withoutKnownFailure> {
  onToken?.(result.text)
  return Promise.resolve({ result, heldBy: [] })
}

/** A reply; one that comes whole, and whose call is known to fail, is written anew knowing it. */
async function informedReply(
  request: GenerateRequest,
  call: Omit<ProxyCall, 'onAttempt'>,
  caller: Asked,
  contextOf: (call: Asked) => Promise<MethodContext>,
): ReturnType<typeof withoutKnownFailure> {
  const generate = (one: GenerateRequest) => generateLive(caller.model, one, call)
  const first = await generate(request)
  const { mode } = caller.terms
  const isRecalling = mode === 'both' || mode === 'recall'
  if (!isRecalling || call.onCall !== undefined || call.onToken !== undefined)
    return { result: first, heldBy: [] }
  return withoutKnownFailure(first, request, caller.terms, await contextOf(caller), generate)
}

/** A reply whose calls have ids of their own, and are told while they are written. */
async function generateLive(
  model: Asked['model'],
  request: GenerateRequest,
  { onCall, ...options }: Omit<ProxyCall, 'onAttempt'>,
): Promise<GenerateResult> {
  const calls = new LiveCalls(onCall)
  const live = onCall ? { ...options, onCall: (piece: CallPiece) => calls.piece(piece) } : options
  return calls.end(await model.generate(request, live))
}

/** Answers what is nobody's task: nothing is recalled for it, and no attempt is kept of it. */
async function besideWork(
  { client, model }: Asked,
  request: GenerateRequest,
  { onAttempt, ...call }: ProxyCall,
  log: ReturnType<typeof requestLog>,
): Promise<ProxyReply> {
  const attempt = newSideId()
  onAttempt?.(attempt)
  const result = await generateLive(model, request, call)
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
