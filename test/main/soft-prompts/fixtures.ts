import { trainingSettingsSchema, type SoftPrompt } from '../../../src/shared/domain/soft-prompt'
import { NO_USAGE, type Trajectory } from '../../../src/shared/domain/trajectory'

/** What is known of a made-up soft prompt on a tiny model. */
export function exampleInfo(
  reservedIds: readonly number[],
): Omit<SoftPrompt, 'format' | 'kind' | 'adapter' | 'adapterSha256'> {
  return {
    createdAt: '2025-01-01T00:00:00.000Z',
    environment: 'lab-db',
    space: 'space-1',
    baseModel: {
      name: 'tiny random llama',
      architecture: 'llama',
      sha256: 'a'.repeat(64),
      sizeBytes: 1000,
      width: 64,
      vocabulary: 320,
    },
    reservedIds: [...reservedIds],
    reservedTokens: null,
    teacher: 20,
    student: 8,
    objective: 'tokens',
    settings: trainingSettingsSchema.parse({}),
    trajectories: ['one', 'two'],
    heldOut: ['three'],
    outcome: {
      initialLoss: 2,
      finalLoss: 0.1,
      initialHeldOutLoss: 2.1,
      heldOutLoss: 0.2,
      steps: 10,
      bestStep: 10,
      ended: 'all-steps',
      wallMs: 1234,
      curve: [{ step: 1, loss: 2, heldOutLoss: null, rate: 0.1 }],
    },
  }
}

/** A successful attempt whose rounds wrote `completions`. */
export const solvedAttempt = (
  id: string,
  instruction: string,
  completions: readonly string[],
): Trajectory => ({
  id,
  runId: 'run',
  memoryId: 'space',
  task: { id, index: 0, environment: 'tales', instruction, context: '', skills: [] },
  method: 'none',
  model: 'model',
  seed: 1,
  recalled: [],
  rounds: completions.map((completion, index) => ({
    index,
    completion,
    action: { kind: 'answer', content: completion },
    observation: index + 1 < completions.length ? `seen ${index}` : null,
    usage: NO_USAGE,
  })),
  finish: 'completed',
  reward: 1,
  usage: NO_USAGE,
  startedAt: '2025-01-01T00:00:00.000Z',
  finishedAt: '2025-01-01T00:00:01.000Z',
})
