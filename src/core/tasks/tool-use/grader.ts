import { canonicalJson } from '../../ground/canonical-json'
import type { Score } from '../../../shared/domain/trajectory'
import { stateCall, type DomainData, type GoldAction, type ToolTask } from './entry'
import { startSession } from './start'
import type { Side, ToolSession, ToolSet } from './tool'

/** What an attempt did, as far as it is graded. */
export interface Conduct {
  /** The databases at the end. */
  readonly session: Pick<ToolSession, 'state' | 'holds'>
  /** Calls of both sides, in order. */
  readonly calls: readonly { readonly name: string; readonly args: unknown; readonly by: Side }[]
  /** What the agent said to the user. */
  readonly messages: readonly string[]
}

export interface Grade {
  readonly reward: 0 | 1
  readonly scores: readonly Score[]
  readonly ungraded?: string
  /** Everything else holds, and these statements about the conversation are for a judge. */
  readonly forJudge?: readonly string[]
}

/** The databases after the gold actions; `failed` are those that could not change them as they should. */
export function replayGold(
  tools: ToolSet,
  data: DomainData,
  task: ToolTask,
): { readonly state: unknown; readonly failed: readonly string[] } {
  const { session } = startSession(tools, data, task)
  const failures = task.evaluation_criteria.actions.flatMap((action) => {
    const result = session.call(action.name, action.arguments, action.requestor)
    const all = action.requestor === 'user' ? tools.userTools : tools.tools
    const writes = all.find((tool) => tool.name === action.name)?.writes === true
    return result.failed && writes ? [`${action.name}: ${result.text}`] : []
  })
  return { state: session.state, failed: failures }
}

/** Whether a call is the gold action: the same tool, and the same values of the arguments that count. */
function isMade(
  { name, arguments: gold, compare_args, requestor }: GoldAction,
  call: Conduct['calls'][number],
): boolean {
  if (call.name !== name || call.by !== requestor || typeof call.args !== 'object' || call.args === null)
    return false
  const args = new Map(Object.entries(call.args))
  const keys = compare_args ?? [...new Set([...Object.keys(gold), ...args.keys()])]
  return keys.every((key) => canonicalJson(args.get(key) ?? null) === canonicalJson(gold[key] ?? null))
}

/** Whether one message has the fact word for word, commas in numbers and case aside. */
const isTold = (fact: string, messages: readonly string[]): boolean =>
  messages.some((message) => message.toLowerCase().replaceAll(',', '').includes(fact.toLowerCase()))

const share = (name: string, all: readonly string[], gaps: readonly string[]): Score => ({
  name,
  value: all.length === 0 ? 1 : (all.length - gaps.length) / all.length,
  ...(gaps.length > 0 && { detail: `missing: ${gaps.join(', ')}` }),
})

/**
 * tau2-bench's reward: the product of the parts the task names. DB: both databases are as the gold actions leave them; ACTION: every gold
 * action was made, by the side it is for; COMMUNICATE: every fact was told; ENV_ASSERTION: the end state is as the task says. The other parts
 * are shown all the same. NL_ASSERTION without an assertion holds, as in the benchmark; with some a judge is left to ask, where everything else holds. Gold
 * actions that the tools refuse are noted and passed over, as the benchmark's evaluator does.
 */
export function gradeConduct(tools: ToolSet, data: DomainData, task: ToolTask, conduct: Conduct): Grade {
  const { actions, communicate_info, nl_assertions, env_assertions, reward_basis } = task.evaluation_criteria
  const gold = replayGold(tools, data, task)
  const same = canonicalJson(gold.state) === canonicalJson(conduct.session.state)
  const notMade = actions.filter((action) => !conduct.calls.some((call) => isMade(action, call)))
  const notTold = communicate_info.filter((fact) => !isTold(fact, conduct.messages))
  const notSo = env_assertions.filter((one) => conduct.session.holds(stateCall(one)) !== one.assert_value)
  const names = (all: readonly GoldAction[]): string[] => all.map(({ name }) => name)
  const getRequests = (all: typeof env_assertions): string[] => all.map(({ func_name }) => func_name)
  const parts = {
    DB: {
      name: 'Database as it should be',
      value: same ? 1 : 0,
      ...(gold.failed.length > 0 && { detail: `refused to the solution too: ${gold.failed.join('; ')}` }),
    },
    ENV_ASSERTION: share('State as the task says', getRequests(env_assertions), getRequests(notSo)),
    ACTION: share('Expected tool calls', names(actions), names(notMade)),
    COMMUNICATE: share('Facts told', communicate_info, notTold),
  }
  const scores = [
    parts.DB,
    ...(env_assertions.length > 0 ? [parts.ENV_ASSERTION] : []),
    ...(actions.length > 0 ? [parts.ACTION] : []),
    ...(communicate_info.length > 0 ? [parts.COMMUNICATE] : []),
  ]
  const holds = reward_basis.every((part) => part === 'NL_ASSERTION' || parts[part].value === 1)
  if (!holds) return { reward: 0, scores }
  if (!reward_basis.includes('NL_ASSERTION') || nl_assertions.length === 0) return { reward: 1, scores }
  const ungraded = 'The task is also graded by NL_ASSERTION, which needs a judge.'
  return { reward: 0, scores, ungraded, forJudge: nl_assertions }
}
