import type { BuildOutcome } from '../../../shared/domain/guide-build'
import type { SettingChanges } from '../../../shared/domain/setting'
import type { Task } from '../../../shared/domain/task'
import { addUsage, NO_USAGE, type Trajectory } from '../../../shared/domain/trajectory'
import { attemptId } from '../../ground/identity'
import { learnFromAttempt, type Learn } from '../../ground/learn-from-attempt'
import { NOTHING_LEARNED, type Method, type MethodContext, type PrepareInput } from '../../ground/method'
import { readSettings } from '../../ground/settings'
import { learnBullets } from './learn'
import { SETTINGS } from './settings'

/** Of attempts in later epochs: as predictable as the model can be. */
const TEMPERATURE = 0

/** How many of `count` tasks are adapted on first; 0 where it learns online. */
export const offlineTasks = (settings: SettingChanges, count: number): number =>
  Math.min(count, readSettings(SETTINGS, settings).offline)

/** Whether the playbook learns from the task at place `index` of its run. */
export function isAdapting(index: number, settings: SettingChanges): boolean {
  const { offline, goOn } = readSettings(SETTINGS, settings)
  return offline === 0 || goOn || index < offline
}

const epochId = (runId: string, epoch: number, { index }: Task): string =>
  attemptId(`${runId}-epoch${epoch}`, index)

const shareSolved = (attempts: readonly (Pick<Trajectory, 'reward'> | null)[]): number =>
  attempts.length === 0 ? 0 : attempts.filter((product) => product?.reward === 1).length / attempts.length

/**
 * Epochs 2 to `epochs` over the first tasks (the first one was the run's own attempts at them). Each attempt is committed together with what it
 * taught, so that an interrupted adaptation goes on behind the last one.
 */
export async function adaptOffline(
  input: PrepareInput,
  context: MethodContext,
  method: Method,
): Promise<BuildOutcome | 'paused'> {
  const { runId, tasks, signal } = input
  const { epochs } = readSettings(SETTINGS, context.settings)
  const first = await Promise.all(tasks.map((task) => input.attempted(task)))
  const learn: Learn = async (attempt) =>
    attempt.ungraded === undefined ? learnBullets(attempt, context, signal) : NOTHING_LEARNED
  let last: (Pick<Trajectory, 'reward'> | null)[] = first
  let usage = NO_USAGE
  for (let epoch = 2; epoch <= epochs; epoch++) {
    last = []
    for (const [n, task] of tasks.entries()) {
      const id = epochId(runId, epoch, task)
      let product = await context.bank.trajectory(id)
      if (!product) {
        if (input.pauseRequested()) return 'paused'
        input.activity(`Epoch ${epoch} of ${epochs}: task ${n + 1} of ${tasks.length}`)
        const played = await input.play({ id, task, method, temperature: TEMPERATURE }, signal)
        product = await learnFromAttempt(played, learn, context.bank, { signal })
      }
      usage = [product.usage, product.learnUsage ?? NO_USAGE].reduce(addUsage, usage)
      last.push(product)
    }
  }
  const score = (attempts: typeof last) => ({ correctness: shareSolved(attempts), mrr: 0 })
  const playbook = await context.bank.items('bullet', { environment: input.environment })
  return {
    stopped: 'done',
    iterations: epochs,
    without: score(first),
    before: score(first),
    after: score(last),
    concepts: 0,
    documents: playbook.length,
    evaluations: tasks.length * (epochs - 1),
    cacheHits: 0,
    tokens: usage.promptTokens + usage.completionTokens,
    modelMs: usage.ms,
    at: input.now().toISOString(),
  }
}
