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
  products: readonly [Trajectory, ...Trajectory[]],
  id: string,
  how: Pick<Scaling, 'how' | 'by' | 'reported'>,
  request: Usage,
): Trajectory {
  const choice = products[how.reported] ?? products[0]
  const others = products.filter((each) => each !== choice).map(usageOf)
  return {
    ...choice,
    id,
    scaling: {
      ...how,
      attempts: products.map((each) => ({
        reward: each.reward,
        ...(each.measured !== undefined && { measured: each.measured }),
        finish: each.finish,
        rounds: each.rounds,
        usage: usageOf(each),
      })),
      usage: others.reduce(addUsage, request),
    },
    startedAt: products[0].startedAt,
    finishedAt: (products.at(-1) ?? products[0]).finishedAt,
  }
}

/** The attempt the model takes for the best, by the dialogs alone; the first one where it names none. */
async function choose(
  products: readonly Trajectory[],
  context: MethodContext,
  signal: AbortSignal,
): Promise<{ readonly reported: number; readonly usage: Usage }> {
  const messages = chooseMessages(context.prompts.text(CHOOSE), products.map(retellingOf))
  const order = { role: CHOOSE, messages, form: choiceForm(products.length), maxTokens: 16, temperature: 0 }
  const { value, usage } = await write({ ...order, taskIndex: products[0]?.task.index ?? 0 }, context, signal)
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
  const products: [Trajectory, ...Trajectory[]] = [first]
  for (let n = 1; n < attempts; n++) {
    const seed = hash32(`${context.seed}/attempt/${n}`)
    products.push(await play({ id: rolloutId(id, n), task, method, temperature: spread, seed }, signal))
  }
  if (report === 'first')
    return reportedOf(products, id, { how: 'parallel', by: 'first', reported: 0 }, NO_USAGE)
  const { reported, usage } = await choose(products, context, signal)
  return reportedOf(products, id, { how: 'parallel', by: 'choice', reported }, usage)
}

/** Its own attempt so far, as a part of the prompt. */
const ownAttempt = (product: Trajectory, { prompts }: MethodContext): RecalledPart => ({
  text: checkText(prompts.text(CHECK), retellingOf(product)),
  item: {
    kind: 'trajectory',
    id: `${product.id}-own`,
    trajectoryId: null,
    title: product.task.instruction,
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
  const products: [Trajectory, ...Trajectory[]] = [await play({ id, task, method, temperature }, signal)]
  for (let n = 1; n < attempts; n++) {
    const before = products.at(-1) ?? products[0]
    const again: Method = {
      ...method,
      async recall(input, own) {
        const parts = await method.recall(input, own)
        return { ...parts, retrieved: [...parts.retrieved, ownAttempt(before, own)] }
      },
    }
    products.push(await play({ id: rolloutId(id, n), task, method: again, temperature }, signal))
  }
  return reportedOf(products, id, { how: 'sequential', by: 'last', reported: products.length - 1 }, NO_USAGE)
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
