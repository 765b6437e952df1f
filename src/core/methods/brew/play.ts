import type { Embedder, LanguageModel } from '../../ground/ports'
import {
  NOTHING_LEARNED,
  NOTHING_RECALLED,
  type Method,
  type PlayAttempt,
  type PromptParts,
  type RecallInput,
  type RecalledPart,
  type TurnInput,
} from '../../ground/method'
import { dialogText } from '../../ground/prompt'
import { guidePart, rankGuides, type KbDocument } from './retrieve'
import { CALM, type WorkInput } from './work'

/** Share of what a context holds beside task and dialog that documents may take. */
const OF_WHAT_IS_LEFT = 1 / 2

type Told = Pick<RecallInput, 'task' | 'context' | 'signal'> & Partial<Pick<TurnInput, 'rounds'>>

/** The first documents that leave a conversation as much room as they take themselves: a long policy, or a long talk, is shown fewer. */
async function thatFit(
  parts: readonly RecalledPart[],
  { task, context, rounds = [], signal }: Told,
  model: Pick<LanguageModel, 'contextSize' | 'countTokens'>,
): Promise<PromptParts> {
  if (parts.length === 0) return NOTHING_RECALLED
  const notice = [task.instruction, context, dialogText(rounds)].join('\n')
  const [takenCount = 0, ...counts] = await model.countTokens([notice, ...parts.map(({ text }) => text)], {
    signal,
  })
  let remainingCount = (model.contextSize - takenCount) * OF_WHAT_IS_LEFT
  const documents = parts.filter((_, i) => {
    const count = counts[i] ?? 0
    if (count > remainingCount) return false
    remainingCount -= count
    return true
  })
  return { ...NOTHING_RECALLED, documents }
}

/** What documents are looked up in and shown by. */
interface SoftPromptList {
  readonly embedder: Embedder
  readonly model: Pick<LanguageModel, 'contextSize' | 'countTokens'>
  readonly documents: readonly KbDocument[]
  /** Most of them. */
  readonly shown: number
}

/** The documents a text finds, ready for the prompt of an attempt. */
export async function recallGuides(
  text: string,
  { embedder, model, documents, shown }: SoftPromptList,
  attempt: Told,
): Promise<PromptParts> {
  const ranked = await rankGuides(embedder, text, documents, attempt.signal)
  return thatFit(ranked.slice(0, shown).map(guidePart), attempt, model)
}

/** Plays rollouts of a search with exactly the documents it names. */
export const guidePlayer =
  (
    play: PlayAttempt,
    info: Method['info'],
    how: { readonly shown: number; readonly retrieveAt: 'start' | 'each-turn' },
  ): WorkInput['play'] =>
  (task, id, documents, signal, anew) => {
    const method: Method = {
      info,
      recall: (input, { model }) => thatFit(documents.shown, input, model),
      ...(how.retrieveAt === 'each-turn' && {
        recallTurn: (input, { embedder, model }) => {
          const softPromptList = { embedder, model, documents: documents.all, shown: how.shown }
          return recallGuides(input.message, softPromptList, input)
        },
      }),
      learn: () => Promise.resolve(NOTHING_LEARNED),
    }
    const drawing =
      anew === undefined ? { temperature: CALM } : { temperature: 1, sampling: { topP: 1 }, seed: anew }
    return play({ id, task, method, ...drawing }, signal)
  }
