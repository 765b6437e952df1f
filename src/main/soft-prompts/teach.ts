import { distilAttempt, type Expert } from '../../core/soft-prompts/distil'
import type { DistilledAttempt } from '../../core/soft-prompts/plan'
import type { TrainingSample } from '../../core/soft-prompts/samples'
import type { TrainInput } from '../../shared/domain/soft-prompt-training'
import { addUsage, NO_USAGE, type Usage } from '../../shared/domain/trajectory'
import { LoamError } from '../../shared/errors'
import { throwIfAborted } from '../../core/ground/abort'
import type { Environment } from '../../core/ground/environment'
import type { EngineLanguageModel } from '../engine-client/supervisor'

const REPLY_TOKENS = 512

/** Tokens of a distribution that are looked at, where nothing else is said; what is beyond them hardly ever weighs anything. */
export const LIKELIEST = 8

/** The teacher's part is done with at least this many attempts. */
const LEAST_ATTEMPTS = 2

/**
 * The teacher's part: the model, shown many attempts, acts in each of `planned`. Where E_many does not fit into its context, half
 * of it is shown, the newest attempts, and half of that, down to the attempt itself; one that does not fit even alone is left out.
 * `shown` is the fewest it was shown of E_many. Throws `CONTEXT_OVERFLOW` when fewer than two attempts are left.
 */
export async function teach(
  model: EngineLanguageModel,
  planned: readonly DistilledAttempt[],
  { systemPrompt, action }: Pick<Environment, 'systemPrompt' | 'action'>,
  { topK, actions = 'teacher', caution = 0 }: Pick<TrainInput, 'topK' | 'actions' | 'caution'>,
  signal: AbortSignal | undefined,
  onAttempt: (doneCount: number) => void,
): Promise<{ samples: TrainingSample[]; usage: Usage; shown: number }> {
  let usage = NO_USAGE
  const call = { signal }
  const expert: Expert = {
    async reply(messages) {
      const { text, finish, usage: one } = await model.generate({ messages, maxTokens: REPLY_TOKENS }, call)
      usage = addUsage(usage, one)
      return finish === 'max-tokens' ? null : text
    },
    tokenize: (messages, reply) => model.tokenize(messages, reply, call),
    distributions:
      topK || caution > 0
        ? (messages, reply) => model.distributions(messages, reply, topK ?? LIKELIEST, call)
        : null,
  }
  const samples: TrainingSample[] = []
  let shownCount = Math.max(1, ...planned.map(({ many }) => many.length))
  let taughtCount = 0
  let overflow: LoamError | null = null
  for (const [index, one] of planned.entries()) {
    throwIfAborted(signal)
    onAttempt(index)
    // What was too much for one attempt is as a rule too much for the next.
    let shownOnce = Math.min(shownCount, one.many.length)
    for (;;) {
      try {
        samples.push(
          ...(await distilAttempt(
            showing(one, shownOnce),
            systemPrompt,
            { actions, caution, ...(action && { action }) },
            expert,
          )),
        )
        shownCount = Math.min(shownCount, shownOnce)
        taughtCount++
        break
      } catch (error) {
        if (!(error instanceof LoamError) || error.code !== 'CONTEXT_OVERFLOW') throw error
        overflow = error
        if (shownOnce === 1) break
        shownOnce = Math.floor(shownOnce / 2)
      }
    }
  }
  if (overflow && taughtCount < LEAST_ATTEMPTS)
    throw new LoamError('CONTEXT_OVERFLOW', overflow.why, {
      suggestion: 'Let the model read more at once (--context), or take one with a larger context.',
    })
  return { samples, usage, shown: shownCount }
}

/** The same attempt with `most` of E_many, itself and the newest others; the student is shown no more than the teacher. */
function showing(one: DistilledAttempt, most: number): DistilledAttempt {
  if (most >= one.many.length) return one
  const others = one.many.filter((other) => other !== one.attempt).slice(0, most - 1)
  return {
    ...one,
    many: one.many.filter((other) => other === one.attempt || others.includes(other)),
    views: one.views.map((view) => ({ ...view, few: view.few.slice(0, most - 1) })),
  }
}
