import { LoamError, toErrorShape } from '../../../shared/errors'
import type { Task } from '../../../shared/domain/task'
import type { Finish, Score } from '../../../shared/domain/trajectory'
import type { AttemptPorts, Environment, StepOutcome } from '../../ground/environment'
import { TRANSFER } from './common-tools'
import { TOOL_SETS } from './domains'
import { toolTaskSchema, type DomainData, type ToolTask } from './entry'
import { gradeConduct, type Conduct } from './grader'
import { expectedTools } from '../../ground/replies/reply-reader'
import { notReady, replyEnvironment } from '../../ground/replies/reply-environment'
import type { End, ReplyEpisode, ReplyOptions, ReplyWorld } from '../../ground/replies/reply-episode'
import { parseToolUse, readPublished, SAY, writeAction } from './grammar'
import { modelUser } from './model-user'
import { pastText, startSession } from './start'
import type { ToolInfo } from '../../ground/tools'
import { toolInfos, type Side, type ToolSet } from './tool'
import { scriptedUser } from './user'
import type { UserHands } from './user-tools'
import { isAbortError } from '../../ground/abort'
import { judgeAnswer } from '../qa/text-metrics'
import type { Judge } from '../qa/grade'

/** The environment's id on tasks, trajectories and streams. */
export const TOOL_USE = 'tool-use'

/** Replies of the agent, tool calls included, before a conversation is given up; tau2-bench's most steps. */
export const TOOL_USE_MAX_ROUNDS = 200

/** Longest observation in characters. */
const MAX_TOOL_TEXT = 8000

export interface ToolUseOptions extends ReplyOptions {
  /** System prompt of a model that plays the user. */
  readonly userPrompt: string
  /** Template of a judge of statements about the conversation. */
  readonly judgePrompt: string
  /** Who plays the user, whatever the task says. Default: as the task says. */
  readonly user?: 'script' | 'model' | undefined
  /** Reads what `data` answers, before a task is opened. @throws LoamError `TASK_STREAM` when it cannot be read or is not that of the task. Default: it is there. */
  ready?(task: ToolTask, tools: ToolSet): Promise<void>
  /** Policy and database of a task's source. */
  data(task: ToolTask, tools: ToolSet): DomainData
}

/** Policy and tools as the agent is told of them. */
const describeDomain = (policy: string, tools: ToolSet, domain: string): string =>
  [
    policy.trim(),
    '',
    '# Tools',
    ...toolInfos(tools.tools, domain).map(
      ({ name, description, inputSchema }) =>
        `${name}: ${description} Arguments: ${JSON.stringify(inputSchema)}`,
    ),
  ].join('\n')

const cut = (text: string): string =>
  text.length <= MAX_TOOL_TEXT
    ? text
    : `${text.slice(0, MAX_TOOL_TEXT)}\n[cut after ${MAX_TOOL_TEXT} characters]`

/** Reads a task's payload. @throws LoamError `TASK_STREAM` when it is no task of this environment */
export function readToolTask(task: Task): {
  readonly entry: ToolTask
  readonly tools: ToolSet
  readonly domain: string
} {
  const parsed = toolTaskSchema.safeParse(task.payload)
  const domain = parsed.data?.domain ?? ''
  const tools = Object.hasOwn(TOOL_SETS, domain) ? TOOL_SETS[domain] : undefined
  if (parsed.success && tools) return { entry: parsed.data, tools, domain }
  throw new LoamError('TASK_STREAM', `Task ${task.id} is not a conversation with tools.`, {
    suggestion: 'Check that the stream was made for this environment.',
    underlying: parsed.error,
  })
}

/**
 * Conversations with tools in the manner of tau2-bench: the agent calls a tool or speaks to the user until the user leaves or is handed
 * to a person; then the attempt is graded. Text that names no action is said to the user. A second reply in no known form ends it (with the text
 * form alone, the first), and so does the last round, both unsolved.
 */
export const createToolUseEnvironment = (options: ToolUseOptions): Environment =>
  replyEnvironment(
    WORLD,
    options,
    (task, ports) => openEpisode(task, options, ports),
    async (task) => {
      const { entry, tools } = readToolTask(task)
      await options.ready?.(entry, tools)
    },
  )

function toolsOf(task: Task): readonly ToolInfo[] {
  const { tools, domain } = readToolTask(task)
  return toolInfos(tools.tools, domain)
}

const WORLD: ReplyWorld = {
  id: TOOL_USE,
  usual: TOOL_USE_MAX_ROUNDS,
  // What it writes besides calls is said to the user.
  tools: toolsOf,
  write: writeAction,
  forms(task) {
    const infos = toolsOf(task)
    return {
      tools: [...infos, SAY],
      words: { Tool: null, Message: SAY.name },
      plain: SAY.name,
      open: true,
      published: readPublished,
      parse: parseToolUse,
      textForm:
        'Reply with "Action: Tool" and {"name": ..., "arguments": {...}} in a ```json block, or with "Action: Message" and what to say to the user.',
      toolForm: `${expectedTools(infos.map(({ name }) => name))} Or say something to the user.`,
    }
  },
}

/** One conversation: its session, who speaks in it, and what was said and called. */
function openEpisode(task: Task, options: ToolUseOptions, ports: AttemptPorts | undefined): ReplyEpisode {
  const { entry, tools, domain } = readToolTask(task)
  const data = options.data(entry, tools)
  const { session, problem } = startSession(tools, data, entry)
  const past = entry.initial_state?.message_history ?? []
  const calls: Conduct['calls'][number][] = []
  const messages: string[] = []
  /** What was said by whom, for a judge. */
  const saidMessages: string[] = []
  let transferred = false

  const use = (name: string, args: unknown, by: Side) => {
    calls.push({ name, args, by })
    return session.call(name, args, by)
  }
  const allowed = entry.user_tools
  const userTools = toolInfos(tools.userTools, 'user').filter(({ name }) => allowed?.includes(name) ?? true)
  const hands: UserHands | undefined =
    userTools.length === 0
      ? undefined
      : { tools: userTools, use: (name, args) => cut(use(name, args, 'user').text) }
  const scenario = entry.user_scenario
  const player = options.user ?? entry.user ?? (scenario.script ? 'script' : 'model')
  const user =
    player === 'model' && ports
      ? modelUser(scenario, options.userPrompt, task.id, ports, { hands, past })
      : scriptedUser(scenario, hands)
  saidMessages.push(`User: ${user.opening}`)

  const getJudgement = async (end: End, statements: readonly string[]): Promise<End> => {
    const model = ports?.judge
    if (!model) return end
    const judge = { model, template: options.judgePrompt }
    const { reward, score, ungraded } = await judgeStatements(
      judge,
      saidMessages.join('\n'),
      statements,
      ports.signal,
    )
    const { ungraded: _open, ...rest } = end
    return {
      ...rest,
      reward,
      scores: [...(end.scores ?? []), score],
      ...(ungraded !== undefined && { ungraded }),
    }
  }

  const end = async (action: StepOutcome['action'], finish: Finish): Promise<End> => {
    const grade = gradeConduct(tools, data, entry, { session, calls, messages })
    const { reward, scores, ungraded, forJudge } = grade
    const completed = finish === 'completed'
    const ending: End = {
      done: true,
      ...{ action, observation: null, finish, scores },
      reward: completed ? reward : 0,
      ...(completed && ungraded !== undefined && { ungraded }),
    }
    return completed && forJudge ? getJudgement(ending, forJudge) : ending
  }

  const call = async (name: string, args: unknown, last: boolean): Promise<StepOutcome> => {
    const action = { kind: 'operation', content: `${name}(${JSON.stringify(args)})` } as const
    const { text, failed } = use(name, args, 'assistant')
    if (!failed && name === TRANSFER) transferred = true
    if (last) return end(action, 'round-limit')
    return { done: false, action, observation: cut(text), from: 'tool', failed }
  }

  const say = async (content: string, last: boolean): Promise<StepOutcome> => {
    const action = { kind: 'message', content } as const
    messages.push(content)
    saidMessages.push(`Agent: ${content}`)
    if (transferred) return end(action, 'completed')
    try {
      const turn = await user.reply(content)
      if (turn.text !== '') saidMessages.push(`User: ${turn.text}`)
      if (turn.ends) return await end(action, 'completed')
      if (last) return await end(action, 'round-limit')
      return { done: false, action, observation: turn.text, from: 'user' }
    } catch (error) {
      if (error instanceof LoamError && error.code === 'CONTEXT_OVERFLOW')
        return end(action, 'context-overflow')
      throw error
    }
  }

  const about = options.replies === 'tools' ? data.policy.trim() : describeDomain(data.policy, tools, domain)
  return {
    context: [about, pastText(past)].filter(Boolean).join('\n\n'),
    lasting: about,
    ready: () =>
      Promise.resolve(problem === null ? null : notReady(`Its state could not be set up: ${problem}`)),
    act({ name, args }, last) {
      const text = args['text']
      return name === SAY.name && typeof text === 'string' ? say(text, last) : call(name, args, last)
    },
    end,
    close: () => undefined,
  }
}

/** What a judge made of statements about a conversation; `ungraded` where one could not be judged. */
interface Judged {
  readonly reward: 0 | 1
  readonly score: Score
  readonly ungraded?: string
}

/**
 * Asks a judge about each statement, as tau2-bench's NL_ASSERTION does; all must hold. One that fails decides, whatever the judge
 * makes of the others. Rejects with an AbortError when `signal` fires, and with nothing else.
 */
async function judgeStatements(
  { model, template }: Judge,
  conversation: string,
  statements: readonly string[],
  signal?: AbortSignal,
): Promise<Judged> {
  const failures: string[] = []
  let unjudged: string | null = null
  for (const statement of statements) {
    try {
      const input = { question: conversation, references: [statement], answer: statement }
      const { score } = await judgeAnswer(model, template, input, { signal })
      if (score === 0) failures.push(statement)
      if (score === null) unjudged ??= "The judge's reply could not be read."
    } catch (error) {
      if (isAbortError(error)) throw error
      unjudged ??= `The judge could not be asked: ${toErrorShape(error).cause}`
    }
  }
  const score: Score = {
    name: 'Statements a judge agrees with',
    value: (statements.length - failures.length) / statements.length,
    ...(failures.length > 0 && { detail: `not so: ${failures.join('; ')}` }),
  }
  if (failures.length > 0) return { reward: 0, score }
  return unjudged === null ? { reward: 1, score } : { reward: 0, score, ungraded: unjudged }
}
