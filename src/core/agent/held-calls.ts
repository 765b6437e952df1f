import type { Method, MethodContext, ToldBefore } from '../ground/method'
import type { Task } from '../../shared/domain/task'
import type { PlannedCall } from '../recall/before-call'
import type { ToolBox } from '../ground/tools'

/** Calls of one attempt that are held back at most: each costs the agent a reply. */
const MOST_HELD = 2

interface Attempting {
  readonly method: Method
  readonly context: MethodContext
  readonly task: Pick<Task, 'environment'>
  readonly signal?: AbortSignal | undefined
}

/** Says of a call that is about to be made what is known to make it fail; null where nothing is, or it was said before. */
export type HoldCall = (call: PlannedCall) => Promise<ToldBefore | null>

/** Watches the calls of one attempt. The same call is held once, so that an agent that means it can make it. */
export function watchCalls({ method, context, task, signal }: Attempting): HoldCall {
  const keys = new Set<string>()
  return async (call) => {
    const key = JSON.stringify([call.tool, call.action])
    if (!method.beforeCall || keys.size >= MOST_HELD || keys.has(key)) return null
    const notice = await method.beforeCall({ ...call, environment: task.environment, signal }, context)
    if (notice !== null) keys.add(key)
    return notice
  }
}

/** Tools whose calls are held while something is known to make them fail. `actionOf`: a call as its attempt keeps it. */
export const withHeldCalls = (
  tools: ToolBox,
  hold: HoldCall,
  actionOf: (name: string, args: Readonly<Record<string, unknown>>) => string,
): ToolBox => ({
  list: () => tools.list(),
  async call(name, args, options) {
    const notice = await hold({ tool: name, action: actionOf(name, args) })
    return notice === null
      ? tools.call(name, args, options)
      : { text: notice.text, failed: false, isHeld: true, heldBy: notice.by, files: [], wallMs: 0 }
  },
})
