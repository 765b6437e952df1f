import type { Workflow } from '../../memory/workflows/workflow'
import { retellingOf } from '../../ground/prompt'
import { learnedFrom } from '../../memory/items/learned-from'
import { leavesQueue } from '../../memory/items/leaves-queue'
import { bestLast } from '../../retrieval/best-last'
import { rankByCosine } from '../../retrieval/rank'
import type { MemoryEvent } from '../../ground/ports'
import { WORKFLOW_FORM, workflowMessages, workflowText } from './messages'
import { NOTHING_LEARNED, NOTHING_RECALLED, type Method } from '../../ground/method'
import { readSettings } from '../../ground/settings'
import { SETTINGS } from './settings'
import { addsNothing } from '../../ground/text-gate'
import { failedWriting, write } from '../../ground/writing'

const ROLE = 'awm-workflow'

/**
 * Agent Workflow Memory (Wang, Mao, Fried, Neubig 2024, arXiv 2409.07429), online: after every success the model induces a
 * workflow from the attempt, w = I(e), a goal and steps with the particulars replaced by variables, and adds it to the memory
 * unless the same one is there.
 *
 * Simplified: the environment's verdict takes the place of the paper's evaluator model; one workflow per induction; the agent
 * sees the K workflows whose goals are most like the task instead of all of them, so that Exp means the same as for the
 * other methods (at K = 0 none is written either); workflows stand in the prompt as "What worked"; the oldest leave when there are more than `capacity`.
 */
export const awm: Method = {
  info: {
    id: 'awm',
    title: 'Workflows',
    description: 'Turns every success into a short workflow and shows the ones that fit the task.',
    source: 'Agent Workflow Memory, online induction',
    usesK: true,
    defaultK: 4,
    colour: 4,
    keeps: ['workflow'],
    recalls: [{ kind: 'workflow', what: 'the K whose goals are most like the task', place: 'task' }],
  },
  settings: SETTINGS,
  prompts: () => [ROLE],
  async recall({ task, signal }, { bank, embedder, k }) {
    if (k === 0) return NOTHING_RECALLED
    const workflows = await bank.items('workflow', { environment: task.environment })
    const ranked = await rankByCosine(embedder, task.instruction, workflows, ({ goal }) => goal, signal)
    return {
      ...NOTHING_RECALLED,
      successLessons: bestLast('workflow', ranked, k, (item) => ({
        text: workflowText(item),
        title: item.goal,
        reward: 1,
      })),
    }
  },
  async learn(trajectory, context, signal) {
    if (trajectory.reward === 0 || context.k === 0) return NOTHING_LEARNED
    const { environment, index } = trajectory.task
    const { examples, capacity } = readSettings(SETTINGS, context.settings)
    const earlier = examples > 1 ? await context.bank.recentSuccesses(examples - 1, { environment }) : []
    const sources = [trajectory, ...earlier]
    const trajectoryIds = sources.map(({ id }) => id)
    const messages = workflowMessages(context.prompts.text(ROLE), [...sources].reverse().map(retellingOf))
    const output = await write(
      { role: ROLE, messages, form: WORKFLOW_FORM, taskIndex: index, quotes: true },
      context,
      signal,
    )
    const { usage } = output
    if (output.value === null)
      return { events: [failedWriting(trajectory, ROLE, trajectoryIds, output)], usage }
    const { goal, steps } = output.value
    const holdings = await context.bank.items('workflow', { environment })
    if (addsNothing(workflowText({ goal, steps }), holdings.map(workflowText))) {
      const failure = { reason: 'duplicate', tries: 1 } as const
      return { events: [failedWriting(trajectory, ROLE, trajectoryIds, failure)], usage }
    }
    const workflow: Workflow = {
      ...learnedFrom('workflow', trajectory, trajectoryIds),
      goal,
      steps: [...steps],
    }
    const dropped = leavesQueue(holdings, capacity)
    const events: MemoryEvent[] = [
      { kind: 'memory-added', memory: workflow },
      ...dropped.map(({ id }): MemoryEvent => ({
        kind: 'memory-dropped',
        memoryId: id,
        at: workflow.createdAt,
      })),
    ]
    return { events, usage }
  },
}
