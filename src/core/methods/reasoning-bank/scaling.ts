import {
  addUsage,
  NO_USAGE,
  type Scaling,
  type Trajectory,
  type Usage,
} from '../../../shared/domain/trajectory'
import type { AttemptsInput, Method, MethodContext, RecalledPart } from '../../ground/method'
import { retellingOf } from '../../ground/prompt'
import { hash32 } from '../../ground/random'
import { readSettings } from '../../ground/settings'
import { write } from '../../ground/writing'
import { checkText, choiceForm, chooseMessages } from './messages'
import { SETTINGS } from './settings'

/** The templates: which of several attempts is best, and the instruction to go over one's own. */
export const CHOOSE = 'reasoning-bank-choose'
export const CHECK = 'reasoning-bank-check'

const rolloutId = (id: string, n: number): string => (n === 0 ? id : `${id}-again${n}`)

const usageOf = ({ usage, recallUsage = NO_USAGE }: Trajectory): Usage => addUsage(usage, recallUsage)

/** The reported one of several, as the attempt at the task: it spans all of them in time, and names what the others took. */
function reportedOf(
  made: readonly [Trajectory, ...Trajectory[]],
  id: string,
  how: Pick<Scaling, 'how' | 'by' | 'reported'>,
  asked: Usage,
): Trajectory {
  const chosen = made[how.reported] ?? made[0]
  const others = made.filter((each) => each !== chosen).map(usageOf)
  return {
    ...chosen,
    id,
    scaling: {
      ...how,
      attempts: made.map((each) => ({
        reward: each.reward,
        ...(each.measured !== undefined && { measured: each.measured }),
        finish: each.finish,
        rounds: each.rounds,
        usage: usageOf(each),
      })),
      usage: others.reduce(addUsage, asked),
    },
    startedAt: made[0].startedAt,
    finishedAt: (made.at(-1) ?? made[0]).finishedAt,
  }
}

/** The attempt the model takes for the best, by the dialogs alone; the first one where it names none. */
async function choose(
  made: readonly Trajectory[],
  context: MethodContext,
  signal: AbortSignal,
): Promise<{ readonly reported: number; readonly usage: Usage }> {
  const messages = chooseMessages(context.prompts.text(CHOOSE), made.map(retellingOf))
  const order = { role: CHOOSE, messages, form: choiceForm(made.length), maxTokens: 16, temperature: 0 }
  const { value, usage } = await write({ ...order, taskIndex: made[0]?.task.index ?? 0 }, context, signal)
  return { reported: (value ?? 1) - 1, usage }
}

/** Parallel scaling: attempts that know nothing of each other, with the same memory. */
async function inParallel(
  { id, task, temperature, play, signal }: AttemptsInput,
  context: MethodContext,
  method: Method,
): Promise<Trajectory> {
  const { attempts, report, spread } = readSettings(SETTINGS, context.settings)
  const first = await play({ id, task, method, temperature }, signal)
  const made: [Trajectory, ...Trajectory[]] = [first]
  for (let n = 1; n < attempts; n++) {
    const seed = hash32(`${context.seed}/attempt/${n}`)
    made.push(await play({ id: rolloutId(id, n), task, method, temperature: spread, seed }, signal))
  }
  if (report === 'first') return reportedOf(made, id, { how: 'parallel', by: 'first', reported: 0 }, NO_USAGE)
  const { reported, usage } = await choose(made, context, signal)
  return reportedOf(made, id, { how: 'parallel', by: 'choice', reported }, usage)
}

/** Its own attempt so far, as a part of the prompt. */
const ownAttempt = (made: Trajectory, { prompts }: MethodContext): RecalledPart => ({
  text: checkText(prompts.text(CHECK), retellingOf(made)),
  item: {
    kind: 'trajectory',
    id: `${made.id}-own`,
    trajectoryId: null,
    title: made.task.instruction,
    score: null,
    scoreKind: 'own attempt',
    reward: null,
  },
})

/** Sequential scaling: each attempt sees the one before and is told to go over it; the last one counts. */
async function inSequence(
  { id, task, temperature, play, signal }: AttemptsInput,
  context: MethodContext,
  method: Method,
): Promise<Trajectory> {
  const { attempts } = readSettings(SETTINGS, context.settings)
  const made: [Trajectory, ...Trajectory[]] = [await play({ id, task, method, temperature }, signal)]
  for (let n = 1; n < attempts; n++) {
    const before = made.at(-1) ?? made[0]
    const again: Method = {
      ...method,
      async recall(input, own) {
        const parts = await method.recall(input, own)
        return { ...parts, retrieved: [...parts.retrieved, ownAttempt(before, own)] }
      },
    }
    made.push(await play({ id: rolloutId(id, n), task, method: again, temperature }, signal))
  }
  return reportedOf(made, id, { how: 'sequential', by: 'last', reported: made.length - 1 }, NO_USAGE)
}

/** Memory-aware test-time scaling (ReasoningBank, section 3.3); null where one attempt is made. */
export function scaledAttempts(
  input: AttemptsInput,
  context: MethodContext,
  method: Method,
): Promise<Trajectory> | null {
  const { attempts, scaling } = readSettings(SETTINGS, context.settings)
  if (attempts === 1 || context.k === 0) return null
  return scaling === 'parallel' ? inParallel(input, context, method) : inSequence(input, context, method)
}
