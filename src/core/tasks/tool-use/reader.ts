import { describeIssues, type EnvironmentModule } from '../../ground/environment-module'
import { TOOL_SETS } from './domains'
import { toolTaskSchema, type ToolTask } from './entry'
import { openingOf } from './user'

/** The domain a scenario names; prose names none, then the stream's header or folder does. */
function domainOf({ domain, user_scenario }: ToolTask, header: string | undefined, source: string): string {
  const { instructions } = user_scenario
  if (domain !== undefined) return domain
  if (typeof instructions !== 'string') return instructions.domain
  return header ?? source.split(/[\\/]/).at(-2) ?? ''
}

/** What a task needs that Loam does not have; null when it has everything. */
function getGap(task: ToolTask, domain: string): string | null {
  const tools = Object.hasOwn(TOOL_SETS, domain) ? TOOL_SETS[domain] : undefined
  if (!tools) {
    return `the tools of the domain "${domain}" are not part of Loam, which has: ${Object.keys(TOOL_SETS).join(', ')}`
  }
  const { actions, env_assertions } = task.evaluation_criteria
  const record = { assistant: names(tools.tools), user: names(tools.userTools) }
  const unknown = actions.find(({ name, requestor }) => !record[requestor].has(name))
  if (unknown) return `the tool ${unknown.name} is not part of Loam`
  const prepared = task.initial_state?.initialization_actions ?? []
  const strange =
    prepared.find((call) => !tools.knows('preparation', call.env_type, call.func_name)) ??
    env_assertions.find((call) => !tools.knows('assertion', call.env_type, call.func_name))
  return strange ? `${strange.func_name} is not part of Loam` : null
}

const names = (tools: readonly { readonly name: string }[]) => new Set(tools.map(({ name }) => name))

/** Conversations with tools, as tau2-bench publishes them: tasks.json beside the domain's policy and databases. */
export const toolUseReader: Pick<EnvironmentModule, 'recognises' | 'read'> = {
  recognises: (entry) => 'user_scenario' in entry,
  read(entry, { source, domain: headerDomain, user }) {
    const parsed = toolTaskSchema.safeParse(entry)
    if (!parsed.success) return { reason: describeIssues(parsed.error) }
    const task = parsed.data
    const domain = domainOf(task, headerDomain, source)
    const reason = getGap(task, domain)
    if (reason !== null) return { reason }
    const played = user ?? task.user
    const payload: ToolTask = { ...task, source, domain, ...(played !== undefined && { user: played }) }
    return { id: task.id, instruction: openingOf(task.user_scenario), skills: task.skills, payload }
  },
}
