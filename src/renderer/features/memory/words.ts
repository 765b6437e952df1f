import type { ItemRetirement, ItemRecalls } from '../../../shared/domain/item'
import { formatShare, plural } from '../../components/format'

const GONE_WORDS: Readonly<Record<ItemRetirement['why'], string>> = {
  deleted: 'Deleted',
  dropped: 'Left a full queue',
  superseded: 'Replaced by another',
  evicted: 'Left for want of room',
  failing: 'In quarantine: its use kept failing',
  contradicted: 'In quarantine: what was seen says otherwise',
}

/** Why an item is no longer recalled. */
export const goneWords = ({ why }: ItemRetirement): string => GONE_WORDS[why]

/** How often an item was recalled and how often that helped, in a few words. */
export function recallWords({ recalled, judged, helped }: ItemRecalls): string {
  if (recalled === 0) return 'never recalled'
  const often = `recalled ${plural(recalled, 'time')}`
  if (judged === 0) return `${often}, nobody could judge`
  return `${often}, solved ${helped} of ${judged} (${formatShare(helped / judged)})`
}

/** Days, rounded up, until a time; 0 where it is past. */
export const daysUntil = (time: string): number =>
  Math.max(0, Math.ceil((Date.parse(time) - Date.now()) / 86_400_000))
