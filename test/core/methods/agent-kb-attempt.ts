import { runAttempt } from '../../../src/core/agent/actor'
import { agentKb } from '../../../src/core/methods/agent-kb/agent-kb'
import type { Trajectory } from '../../../src/shared/domain/trajectory'
import { taskAt, type Lab } from './fixtures'

/** An attempt of Agent KB at task 9: a statement first, on which the world answers, then the answer, which is right. */
export function twoRounds(
  { context }: Pick<Lab, 'context'>,
  first: { readonly failed: boolean; readonly observation: string },
): Promise<Trajectory> {
  let round = 0
  return runAttempt({
    id: 'a1',
    runId: 'r1',
    memoryId: 's1',
    task: taskAt(9),
    environment: {
      id: 'lab-db',
      maxRounds: 3,
      systemPrompt: 'rules',
      open: () => ({
        context: 'Table bookings(kind TEXT)',
        step: () =>
          round++ === 0
            ? { done: false, action: { kind: 'operation', content: 'SELECT x' }, ...first }
            : {
                done: true,
                action: { kind: 'answer', content: '1' },
                observation: null,
                finish: 'completed',
                reward: 1,
              },
        close: () => undefined,
      }),
    },
    method: agentKb,
    context,
    clock: { now: () => new Date(0) },
    temperature: 0,
    maxTokens: 64,
  })
}
