import { isRecord } from '../../ground/writing'
import { stateCall, type DomainData, type PastMessage, type ToolTask } from './entry'
import type { ToolSession, ToolSet } from './tool'

/** Data with further data put into it: objects are joined, everything else is replaced. */
function joined(base: unknown, more: unknown): unknown {
  if (!isRecord(base) || !isRecord(more)) return more
  const keys = new Set([...Object.keys(base), ...Object.keys(more)])
  return Object.fromEntries(
    [...keys].map((key) => [key, key in more ? joined(base[key], more[key]) : base[key]]),
  )
}

/** A session in the state that a task starts from, or what stands in the way. */
export function startSession(
  tools: ToolSet,
  data: DomainData,
  { initial_state: initial }: ToolTask,
): { readonly session: ToolSession; readonly problem: string | null } {
  const { agent_data, user_data } = initial?.initialization_data ?? {}
  const user = data.userDatabase ?? {}
  const session = tools.open({
    agent: agent_data ? joined(data.database, agent_data) : data.database,
    user: user_data ? joined(user, user_data) : user,
  })
  const actions = initial?.initialization_actions ?? []
  const problems = actions.flatMap((action) => {
    const why = session.prepare(stateCall(action))
    return why === null ? [] : [`${action.func_name}: ${why}`]
  })
  for (const { role, tool_calls, requestor } of initial?.message_history ?? []) {
    const by = requestor ?? (role === 'user' ? 'user' : 'assistant')
    for (const call of tool_calls ?? []) session.call(call.name, call.arguments, by)
  }
  return { session, problem: problems[0] ?? null }
}

/** What was said and done before the conversation, as the agent is told of it; empty where nothing was. */
export function pastText(messages: readonly PastMessage[]): string {
  const lines = messages.flatMap(({ role, content, tool_calls, requestor }) => {
    const who = role === 'user' ? 'User' : role === 'tool' ? 'Tool' : 'You'
    if (requestor === 'user' && role !== 'user') return []
    const calls = role === 'user' ? [] : (tool_calls ?? [])
    const calledCalls = calls.map(
      ({ name, arguments: args }) => `You called ${name}(${JSON.stringify(args)})`,
    )
    return [...(content ? [`${who}: ${content}`] : []), ...calledCalls]
  })
  return lines.length === 0 ? '' : `# Said and done so far\n${lines.join('\n')}`
}
