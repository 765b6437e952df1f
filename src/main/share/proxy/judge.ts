import type { LanguageModel } from '../../../core/ground/chat'
import { declareConstraint } from '../../../core/ground/constraint'
import { dialogText } from '../../../core/ground/prompt'
import { z } from 'zod'
import type { OpenAttempt } from './open-attempts'
import { exactObject } from '../../../core/ground/exact-object'

const verdictForm = declareConstraint(
  'proxy-judge',
  () => ({ kind: 'json-schema' as const, schema: exactObject({ solved: { type: 'boolean' } }) }),
  () => [[]],
)
const verdictSchema = z.object({ solved: z.boolean() })

/** Characters of a long attempt that the judge reads: its end says most. */
const LONGEST = 12_000

/** Whether an attempt solved its task, as a model sees it; null where it gives no usable answer. */
export async function judgeAttempt(
  { instruction, rounds }: Pick<OpenAttempt, 'instruction' | 'rounds'>,
  model: LanguageModel,
): Promise<'success' | 'failure' | null> {
  const message = dialogText(rounds).slice(-LONGEST)
  const { text } = await model.generate({
    messages: [
      {
        role: 'system',
        content: 'You judge whether an agent solved its task. Answer {"solved": true} or {"solved": false}.',
      },
      { role: 'user', content: `Task: ${instruction}\n\n${message}` },
    ],
    constraint: verdictForm(),
    maxTokens: 32,
  })
  try {
    return verdictSchema.parse(JSON.parse(text)).solved ? 'success' : 'failure'
  } catch {
    return null
  }
}
