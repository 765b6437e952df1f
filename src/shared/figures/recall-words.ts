import type { ItemRecalls } from '../domain/item'
import type { PastRecall, RecallOutcome } from '../domain/recall-history'
import { formatShare, plural } from './plural'

/** What came of a recall, in few words. */
export const RECALL_WORDS: Readonly<Record<RecallOutcome, string>> = {
  right: 'the right one',
  other: 'others alone',
  missed: 'nothing, though it was there',
  silent: 'nothing, rightly',
}

/** What is said where no ask can be looked at. */
export const NO_RECALLS = 'No judged ask can be looked at yet. Say of some answers whether they were right.'

/** What a memory would have recalled for past asks, in one sentence. */
export function recallMeaning(asks: readonly Pick<PastRecall, 'outcome'>[]): string {
  const [right, other, missed, silent] = (['right', 'other', 'missed', 'silent'] as const).map(
    (outcome) => asks.filter((one) => one.outcome === outcome).length,
  )
  return `Of ${plural(asks.length, 'judged ask')}, the right thing would be shown in ${right ?? 0} and others alone in ${other ?? 0}. Nothing would be shown in ${(missed ?? 0) + (silent ?? 0)}, though it was there in ${missed ?? 0} of them.`
}

/** How often an item was recalled and how often that helped, in a few words. */
export function recallWords({ recalled, judged, helped, unjudged = 0 }: ItemRecalls): string {
  const silent = `${plural(unjudged, 'answer')} with it not judged yet`
  if (recalled === 0) return unjudged === 0 ? 'never recalled' : `recalled, ${silent}`
  const often = `recalled ${plural(recalled, 'time')}`
  const words =
    judged === 0
      ? `${often}, nobody could judge`
      : `${often}, solved ${helped} of ${judged} (${formatShare(helped / judged)})`
  return unjudged === 0 ? words : `${words}, ${silent}`
}
