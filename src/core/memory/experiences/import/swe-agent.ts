import { z } from 'zod'
import { byJsonSigns, sign } from '../../../ground/recognition'
import { verbOfCommand } from '../actions'
import { complaintOf } from '../../../verdict/complaint'
import { endingOf } from '../../../verdict/endings'
import { resolvedIn } from './report'
import { LOG_WORDS, step, type AgentLog, type LogFormat } from './log'
import { anything, maybeTexts, readRecords, textOf } from './records'
import { readElements } from '../../../ground/entries'

const historyItem = z.object({
  role: z.string(),
  ...anything('content'),
  ...maybeTexts('thought', 'action'),
  is_demo: z.boolean().nullish(),
})
const statsSchema = z.object({ tokens_sent: z.number(), tokens_received: z.number() }).partial().nullish()

const fullSchema = z.object({
  trajectory: z.array(z.object({ action: z.string(), ...maybeTexts('observation', 'thought') })),
  history: z.array(historyItem).nullish(),
  info: z
    .object({
      ...maybeTexts('exit_status', 'swe_agent_version', 'submission'),
      model_stats: statsSchema,
      ...anything('report'),
      resolved: z.boolean().nullish(),
    })
    .nullish(),
  ...anything('replay_config', 'report'),
})

/** Runs that were stopped, or written by hand, have the history only. */
const historySchema = z.object({
  history: z.array(historyItem),
  info: fullSchema.shape.info,
  ...anything('replay_config', 'report'),
})

/** mini-SWE-agent keeps the messages only. */
const miniSchema = z.object({
  messages: z.array(z.object({ role: z.string(), ...anything('content') })),
  info: z.object(maybeTexts('exit_status', 'mini_version')).nullish(),
  trajectory_format: z.string().nullish(),
})

const tokens = (count: number | undefined): number | null => (count === undefined ? null : Math.round(count))

const problemSchema = z.object({
  problem_statement: z.object({ text: z.string().optional(), id: z.string().optional() }),
})

/** The problem as the run was configured with it: an object, or the same as JSON text. */
function configuredProblem(config: unknown): { text: string; id: string | null } {
  let value = config
  try {
    if (typeof config === 'string') value = JSON.parse(config) as unknown
  } catch {
    return { text: '', id: null }
  }
  const read = problemSchema.safeParse(value)
  const statement = read.success ? read.data.problem_statement : {}
  return { text: statement.text ?? '', id: statement.id ?? null }
}

const ISSUE_BEGINS = /<(?:pr_description|issue|uploaded_issue|problem_statement)>/
const ISSUE_ENDS = /<\/(?:pr_description|issue|uploaded_issue|problem_statement)>/
const LEGACY_BEGINS = /ISSUE:/
const LEGACY_ENDS = /\n[^\S\n]*INSTRUCTIONS:/

/** What stands between the first of one and the next of the other, found one after the other, so that it takes linear time. */
function between(text: string, begins: RegExp, ends: RegExp): string | null {
  const begin = begins.exec(text)
  if (begin === null) return null
  const rest = text.slice(begin.index + begin[0].length)
  const end = ends.exec(rest)
  return end === null ? null : rest.slice(0, end.index).trim()
}

/** The issue within the first message to the agent. */
const issueIn = (message: string): string =>
  between(message, ISSUE_BEGINS, ISSUE_ENDS) ??
  between(message, LEGACY_BEGINS, LEGACY_ENDS) ??
  message.split(LEGACY_ENDS, 1)[0]?.trim() ??
  message

type Info = z.infer<typeof fullSchema>['info']

/** How a run ended: by the report of its patch's tests where it is in the file, and by what the program says. That a patch was submitted says nothing. */
function endOf(info: Info, report: unknown, id: string | null): Pick<AgentLog, 'outcome' | 'ending'> {
  const resolved = info?.resolved ?? resolvedIn(info?.report, id) ?? resolvedIn(report, id) ?? null
  const product = info?.submission === undefined ? null : (info.submission ?? '').trim() !== ''
  return {
    ...(resolved !== null && { outcome: resolved ? 'success' : 'failure' }),
    ending: endingOf(info?.exit_status, product),
  }
}

const actionStep = (action: string, thought: string, observation: string | null): AgentLog['steps'][number] =>
  step({
    verb: verbOfCommand(action),
    tool: action.trim().split(/\s+/)[0] ?? '',
    content: action,
    reason: thought,
    observation,
    failed: complaintOf(observation, action) !== null,
  })

function fromHistory({
  history,
  info,
  replay_config,
  report,
}: z.infer<typeof historySchema>): AgentLog | string {
  const own = history.filter(({ is_demo }) => is_demo !== true)
  const { text, id } = configuredProblem(replay_config)
  const request = own.find(({ role }) => role === 'user')
  const question = text === '' ? issueIn(textOf(request?.content)) : text
  if (question.trim() === '') return 'it does not say what the task was'
  const steps = own.flatMap(({ role, action, thought, content }, i) => {
    if (role !== 'assistant' || typeof action !== 'string' || action.trim() === '') return []
    const next = own[i + 1]
    const answered = next !== undefined && next.role !== 'assistant'
    return [actionStep(action, thought ?? textOf(content), answered ? textOf(next.content) : null)]
  })
  if (steps.length === 0) return 'it has no steps'
  return {
    question,
    framework: 'swe-agent',
    frameworkVersion: info?.swe_agent_version ?? null,
    domain: 'code',
    ...endOf(info, report, id),
    promptTokens: tokens(info?.model_stats?.tokens_sent),
    completionTokens: tokens(info?.model_stats?.tokens_received),
    sourceId: id,
    steps,
  }
}

function fromFull(traj: z.infer<typeof fullSchema>): AgentLog | string {
  const { text, id } = configuredProblem(traj.replay_config)
  const request = traj.history?.find(({ role, is_demo }) => role === 'user' && is_demo !== true)
  const question = text === '' ? issueIn(textOf(request?.content)) : text
  if (question.trim() === '') return 'it does not say what the task was'
  if (traj.trajectory.length === 0) return 'it has no steps'
  const { info } = traj
  const steps = traj.trajectory.map(({ action, observation, thought }) =>
    actionStep(action, thought ?? '', observation ?? null),
  )
  return {
    question,
    framework: 'swe-agent',
    frameworkVersion: info?.swe_agent_version ?? null,
    domain: 'code',
    ...endOf(info, traj.report, id),
    promptTokens: tokens(info?.model_stats?.tokens_sent),
    completionTokens: tokens(info?.model_stats?.tokens_received),
    sourceId: id,
    steps,
  }
}

type Trajectory = z.infer<typeof fullSchema> | z.infer<typeof historySchema> | z.infer<typeof miniSchema>

const COMMAND = /```(?:\w+)?\n([\s\S]*?)```/

function fromMini({ messages, info }: z.infer<typeof miniSchema>): AgentLog | string {
  const question = issueIn(textOf(messages.find(({ role }) => role === 'user')?.content))
  if (question.trim() === '') return 'it does not say what the task was'
  const steps = messages.flatMap(({ role, content }, i) => {
    if (role !== 'assistant') return []
    const reply = textOf(content)
    const command = COMMAND.exec(reply)?.[1]?.trim()
    if (command === undefined) return []
    const next = messages[i + 1]
    const observation = next && next.role !== 'assistant' ? textOf(next.content) : null
    const reason = reply.slice(0, reply.indexOf('```'))
    const isFailed = complaintOf(observation, command) !== null
    return [
      step({
        verb: verbOfCommand(command),
        tool: 'bash',
        content: command,
        reason,
        observation,
        failed: isFailed,
      }),
    ]
  })
  if (steps.length === 0) return 'it has no steps'
  return {
    question,
    framework: 'swe-agent',
    frameworkVersion: info?.mini_version ? `mini ${info.mini_version}` : null,
    domain: 'code',
    ending: endingOf(info?.exit_status),
    steps,
  }
}

/** SWE-agent's `.traj` files and mini-SWE-agent's `.traj.json`. */
export const sweAgent: LogFormat = {
  id: 'swe-agent',
  title: 'SWE-agent trajectory (.traj)',
  writtenFor: 'SWE-agent 0.7 to 1.1 and mini-SWE-agent 1 (trajectory_format mini-swe-agent-1.x)',
  ...LOG_WORDS,
  recognise: byJsonSigns(
    [
      sign(0.95, /"trajectory_format"\s*:\s*"mini-swe-agent/),
      sign(0.8, /"trajectory"\s*:\s*\[/, /"observation"\s*:/),
      sign(0.8, /"mini_version"\s*:/, /"messages"\s*:/),
      sign(0.8, /"history"\s*:\s*\[/, /"(?:message_type|is_demo)"\s*:/, /"role"\s*:/),
      sign(0.65, /"history"\s*:\s*\[/, /"agent"\s*:/, /"role"\s*:/),
    ],
    /\.traj(?:\.json)?$/,
  ),
  read: (text) =>
    readRecords<Trajectory>(readElements(text), z.union([fullSchema, historySchema, miniSchema]), (record) =>
      'messages' in record
        ? fromMini(record)
        : 'trajectory' in record
          ? fromFull(record)
          : fromHistory(record),
    ),
}
