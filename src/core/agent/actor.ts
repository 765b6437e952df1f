import { attemptHead } from './attempt-head'
import { recallFor, withOrigins } from './foreign-text'
import { presentAttempts, type PresentedParts } from './earlier-turns'
import { watchCalls, type HoldCall } from './held-calls'
import { bareAction, callOf } from '../recall/acts'
import { SAME_AGAIN } from '../recall/told-cause'
import { LoamError } from '../../shared/errors'
import type { Task } from '../../shared/domain/task'
import {
  addUsage,
  NO_USAGE,
  type Finish,
  type RecalledItem,
  type Round,
  type Score,
  type Trajectory,
  type Usage,
} from '../../shared/domain/trajectory'
import type { KbDecision } from '../../shared/domain/experience'
import type { Method, MethodContext, PromptParts } from '../ground/method'
import type { Clock, LanguageModel } from '../ground/ports'
import { roundSeed } from '../ground/identity'
import type { ChatTool, GenerateResult, Sampling } from '../ground/chat'
import type { DeclaredConstraint } from '../ground/constraint'
import { openEpisode, type Environment, type Episode, type StepOutcome } from '../ground/environment'
import { takeThoughts } from '../ground/replies/thoughts'
import { readPresentation } from '../ground/presentation'
import { buildMessages } from '../ground/prompt'
import { heldReply, type ActionForm, type ReplyPlace } from '../ground/replies/held-form'

/** A soft prompt as it is served; `tokens` is its length. */
export interface ServedSoftPrompt {
  readonly id: string
  readonly title: string
  readonly tokens: number
}

/** Who attempts what, with what, and under which name it is remembered. */
export interface AttemptInput {
  readonly id: string
  readonly runId: string
  readonly memoryId: string
  readonly task: Task
  readonly environment: Environment
  readonly method: Method
  readonly context: MethodContext
  readonly clock: Clock
  /** 0 is greedy. */
  readonly temperature: number
  /** How tokens are drawn where the temperature is above 0. Default: the program's own. */
  readonly sampling?: Sampling
  /** Most tokens per reply. */
  readonly maxTokens: number
  /** The soft prompt the model was loaded with: EvoSC's P_theta, first in every prompt. Default: none. */
  readonly softPrompt?: ServedSoftPrompt
  /** Plays the user, where the environment has one. Default: the context's model. */
  readonly user?: LanguageModel
  /** Replies that are taken as given instead of being asked for, from the first round on. Default: none. */
  readonly begun?: readonly string[]
  /** Words of a person that wait to be taken in before the next reply; empty for none. Default: nobody says anything. */
  readonly hear?: () => string
  /** Judges what the environment cannot check itself. Default: the context's model. */
  readonly judge?: LanguageModel
  readonly signal?: AbortSignal
}

/** What a watcher hears while an attempt is under way. */
export interface AttemptEvents {
  /** `isPlanned`: planner and executor work on it. Default false. */
  started?(view: {
    readonly context: string
    readonly recalled: readonly RecalledItem[]
    readonly isPlanned?: true
  }): void
  token?(text: string): void
  round?(round: Round): void
}

const allParts = (parts: PromptParts) => [
  ...(parts.documents ?? []),
  ...parts.errorLessons,
  ...parts.successLessons,
  ...parts.retrieved,
]

/** What was recalled, as it is recorded: with the tokens it takes. */
export async function explain(
  parts: PromptParts,
  input: Pick<AttemptInput, 'context' | 'signal'>,
): Promise<RecalledItem[]> {
  const all = allParts(parts)
  if (all.length === 0) return []
  const counts = await input.context.model.countTokens(
    all.map((part) => part.text),
    input.signal ? { signal: input.signal } : {},
  )
  return all.map((part, i) => ({ ...part.item, tokens: counts[i] ?? 0 }))
}

const servedItem = ({ softPrompt }: AttemptInput, parts: PromptParts): RecalledItem[] =>
  softPrompt && parts.softPrompt !== false
    ? [
        {
          ...softPrompt,
          kind: 'soft-prompt',
          trajectoryId: null,
          score: null,
          scoreKind: 'learned',
          reward: null,
        },
      ]
    : []

/**
 * One attempt at one task, in LifelongAgentBench's form: recall, then rounds of reply and observation until
 * the environment ends it. Nothing is stored here; the runner commits what comes back.
 *
 * A prompt that does not fit ends the attempt as `context-overflow` with reward 0 (the papers' OOM).
 * Rejects with an AbortError when `signal` fires and with the engine's error when it fails.
 */
export async function runAttempt(input: AttemptInput, events: AttemptEvents = {}): Promise<Trajectory> {
  const { task, environment, method, context } = input
  const startedAt = input.clock.now()
  const { model, seed } = context
  const episode = await openEpisode(environment, task, {
    model: input.user ?? model,
    judge: input.judge ?? model,
    seed,
    ...(input.signal && { signal: input.signal }),
  })
  try {
    const { world } = episode
    const recallInput = {
      task,
      context: episode.context,
      world,
      ...(input.softPrompt && { softPrompt: input.softPrompt }),
      ...(input.signal ? { signal: input.signal } : {}),
    }
    const presentation = readPresentation(context.settings)
    const parts = await recallFor(method, recallInput, context)
    const presented = await presentAttempts(
      parts,
      presentation,
      task,
      context.bank,
      lastingIn(episode, input),
    )
    const recalls = [...servedItem(input, parts), ...(await explain(presented.shown, input))]
    events.started?.({ context: episode.context, recalled: recalls })
    const rounds: Round[] = []
    const decisions = [...(parts.decisions ?? [])]
    const ending = await playRounds(input, presented, episode, rounds, events, decisions, recalls)
    const recallUsage = ending.revising ? addUsage(parts.usage ?? NO_USAGE, ending.revising) : parts.usage
    return {
      ...attemptHead(input, episode, context.model.name),
      recalled: recalls,
      ...(parts.choice && { choice: parts.choice }),
      rounds,
      finish: ending.finish,
      reward: ending.reward,
      ...(ending.ungraded === undefined ? {} : { ungraded: ending.ungraded }),
      ...(ending.scores === undefined ? {} : { scores: [...ending.scores] }),
      usage: rounds.reduce((sum, round) => addUsage(sum, round.usage), NO_USAGE),
      ...(decisions.length > 0 ? { decisions } : {}),
      ...(recallUsage ? { recallUsage } : {}),
      startedAt: startedAt.toISOString(),
      finishedAt: input.clock.now().toISOString(),
    }
  } finally {
    episode.close()
  }
}

/** What of an episode's context stands in front of its prompts; empty where it stands with the task. */
const lastingIn = (
  { lasting = '' }: Pick<Episode, 'lasting'>,
  { context: { settings } }: Pick<AttemptInput, 'context'>,
): string => (readPresentation(settings).world === 'front' ? lasting : '')

/** What the method remembers after a message of the user; the items are added to those recalled so far. */
async function recallAgain(
  input: AttemptInput,
  episode: Pick<Episode, 'context' | 'world' | 'lasting'>,
  rounds: readonly Round[],
  message: string,
  recalls: RecalledItem[],
): Promise<PresentedParts | null> {
  const { task, method, context, signal } = input
  const { world } = episode
  const turn = { task, context: episode.context, world, rounds, message, signal }
  const again = await method.recallTurn?.(turn, context)
  if (!again) return null
  const parts = await withOrigins(again, context)
  const presentation = readPresentation(context.settings)
  const presented = await presentAttempts(parts, presentation, task, context.bank, lastingIn(episode, input))
  const knownSet = new Set(recalls.map(({ kind, id }) => `${kind} ${id}`))
  const items = await explain(presented.shown, input)
  recalls.push(...items.filter(({ kind, id }) => !knownSet.has(`${kind} ${id}`)))
  return presented
}

/** The form that the replies of an attempt are held to; undefined where they are free. */
function formOf({ environment, task, context: { settings, model } }: AttemptInput): ActionForm | undefined {
  if (readPresentation(settings).replies === 'free' || environment.native) return undefined
  return (model.can?.constraint ?? 'grammar') === 'grammar' ? environment.form?.(task) : undefined
}

/** What comes of a held reply that says again what has just failed: it is told so once. Null for any other. */
function repeatedFailure(reply: GenerateResult, last: Round | undefined): StepOutcome | null {
  const isSame = last?.failed === true && reply.text === last.completion && last.action.kind !== 'invalid'
  if (!isSame || last.observation === SAME_AGAIN) return null
  return { done: false, action: last.action, observation: SAME_AGAIN, failed: true, from: 'environment' }
}

type HeldOutcome = StepOutcome & { readonly heldBy?: readonly string[] }

/** What an agent is told of an action that is known to fail, before it is done; null for any other. */
async function heldAction(
  { text, toolCalls = [] }: GenerateResult,
  { environment }: AttemptInput,
  hold: HoldCall,
): Promise<HeldOutcome | null> {
  const [call] = toolCalls
  const inText = call ? null : (environment.action?.(text) ?? null)
  if (!call && inText === null) return null
  const content = call ? (environment.native?.write(call.name, call.arguments) ?? '') : (inText ?? '')
  const action = bareAction(content)
  const { tool } = callOf({ completion: content }, content)
  const notice = await hold({ tool: call?.name ?? tool, action })
  if (notice === null) return null
  return {
    done: false,
    heldBy: notice.by,
    action: { kind: 'operation', content: action },
    observation: notice.text,
    from: 'environment',
  }
}

async function playRounds(
  input: AttemptInput,
  first: PresentedParts,
  episode: Episode,
  rounds: Round[],
  events: AttemptEvents,
  decisions: KbDecision[],
  recalls: RecalledItem[],
): Promise<{
  finish: Finish
  reward: 0 | 1
  ungraded?: string
  scores?: readonly Score[]
  revising: Usage | null
}> {
  const { task, environment, method, context } = input
  let presented = first
  let plan = first.parts.plan ?? ''
  let revising: Usage | null = null
  let revisions = 0
  const tools = toolsFor(input)
  const form = formOf(input)
  const hold = watchCalls(input)
  let place = 'opening' as ReplyPlace
  for (;;) {
    const index = rounds.length
    const inputText = input.begun?.[index]
    const report = inputText === undefined ? (input.hear?.() ?? '') : ''
    const messages = buildMessages({
      systemPrompt: environment.systemPrompt,
      ...presented,
      instruction: task.instruction,
      context: episode.context,
      lasting: lastingIn(episode, input),
      rounds,
      ...(report !== '' && { heard: report }),
    })
    const constraint: DeclaredConstraint | undefined = form && heldReply(form, place)
    const reply: GenerateResult | null = await (
      inputText === undefined ? context.model : getMessage(inputText)
    )
      .generate(
        {
          messages,
          temperature: input.temperature,
          ...(input.sampling && { sampling: input.sampling }),
          seed: roundSeed(context.seed, task.index, index),
          maxTokens: input.maxTokens,
          about: { task: task.id, call: index },
          ...(input.softPrompt && first.parts.softPrompt !== false && { softPrompt: true }),
          ...(tools && { tools }),
          ...(constraint && { constraint }),
        },
        {
          ...(input.signal ? { signal: input.signal } : {}),
          ...(events.token ? { onToken: events.token } : {}),
        },
      )
      .catch((error: unknown) => {
        if (error instanceof LoamError && error.code === 'CONTEXT_OVERFLOW') return null
        throw error
      })
    if (reply === null) return { finish: 'context-overflow', reward: 0, revising }
    const cutShort = reply.finish === 'max-tokens'
    const { toolCalls } = reply
    const repeated: HeldOutcome | null =
      form && index + 1 < environment.maxRounds ? repeatedFailure(reply, rounds.at(-1)) : null
    const inHand = repeated ?? (await heldAction(reply, input, hold))
    const outcome: StepOutcome =
      inHand ?? (await episode.step({ text: reply.text, ...(toolCalls && { toolCalls }), cut: cutShort }))
    place = !outcome.done && outcome.changed === true ? 'closing' : 'middle'
    const round: Round = {
      index,
      ...writtenAs(reply, outcome, index, environment),
      action: outcome.action,
      observation: outcome.observation,
      ...(outcome.failed === true && { failed: true as const }),
      ...(inHand?.heldBy && { isHeld: true as const, heldBy: [...inHand.heldBy] }),
      ...(!outcome.done && outcome.from && { from: outcome.from }),
      ...(report !== '' && { heard: report }),
      usage: reply.usage,
    }
    rounds.push(round)
    if (!outcome.done) {
      if (outcome.from === 'user') {
        const again = await recallAgain(input, episode, rounds, outcome.observation, recalls)
        if (again) {
          presented = again
          const { usage, decisions: more = [] } = again.parts
          plan = again.parts.plan ?? plan
          if (usage) revising = addUsage(revising ?? NO_USAGE, usage)
          decisions.push(...more)
        }
      }
      const { failed = false } = outcome
      const state = { task, context: episode.context, rounds, failed, plan, revisions, signal: input.signal }
      const revision = await method.revise?.(state, context)
      if (revision) {
        revising = addUsage(revising ?? NO_USAGE, revision.usage)
        plan = revision.plan ?? plan
        if (revision.decision) {
          decisions.push(revision.decision)
          revisions++
        }
        if (revision.guidance !== null) rounds[index] = { ...round, guidance: revision.guidance }
      }
    }
    events.round?.(rounds[index] ?? round)
    if (!outcome.done) continue
    const cut = cutShort && outcome.finish === 'invalid-action'
    const { reward, ungraded, scores } = outcome
    return {
      finish: cut ? 'output-limit' : outcome.finish,
      reward,
      ...(ungraded === undefined ? {} : { ungraded }),
      ...(scores === undefined ? {} : { scores }),
      revising,
    }
  }
}

/** A reply that was given instead of being written. */
const getMessage = (text: string): Pick<LanguageModel, 'generate'> => ({
  generate: () => Promise.resolve({ text, usage: NO_USAGE, finish: 'end' }),
})

/** The tools handed to the model; undefined where the text form is asked for. @throws LoamError for a model that takes none */
function toolsFor({ environment, task, context }: AttemptInput): readonly ChatTool[] | undefined {
  if (!environment.native) return undefined
  if (context.model.can?.tools === false) {
    throw new LoamError('BAD_INPUT', `${context.model.name} cannot be handed tools.`, {
      suggestion: `Set Replies of ${environment.id} to any form, or use another model.`,
    })
  }
  return environment.native.tools(task)
}

/** A reply as it is kept: thoughts apart, a native call also in its text form. */
function writtenAs(
  reply: GenerateResult,
  { call }: StepOutcome,
  index: number,
  { native }: Environment,
): Pick<Round, 'completion' | 'thought' | 'call' | 'plain'> {
  const { text, thought } = takeThoughts(reply.text)
  const thoughts = [reply.thought, thought].filter((one) => one !== undefined && one !== null && one !== '')
  const selection = thoughts.length === 0 ? {} : { thought: thoughts.join('\n\n') }
  if (call?.read === 'plain') return { completion: text, ...selection, plain: true }
  if (call?.read !== 'native') return { completion: text, ...selection }
  const madeCall = reply.toolCalls?.findLast(({ name }) => name === call.name)
  const completion = [text, native?.write(call.name, call.args) ?? '']
    .filter((part) => part !== '')
    .join('\n')
  return {
    completion,
    ...selection,
    call: { id: madeCall?.id ?? `call-${index}`, name: call.name, arguments: { ...call.args }, said: text },
  }
}
