import type { KbStats } from '../../../shared/domain/experience-view'
import { mean, sum } from '../../../shared/figures/mean'
import { isBeyondTrash, usesOf, type ExperienceEntry } from './fold'

type Entry = Omit<ExperienceEntry, 'at'>

/** Whether an experience is a log that no model has written an experience from. */
export const isWaiting = ({ origin, gone }: { readonly origin: string; readonly gone: unknown }): boolean =>
  origin === 'log' && gone === null

/** The experiences of a memory in figures. */
export function statsOf(entries: readonly Entry[], now: Date): KbStats {
  const live = entries.filter(({ gone }) => gone === null)
  const count = (nameOf: (entry: Entry) => string): Record<string, number> => {
    const counts: Record<string, number> = {}
    for (const entry of live) counts[nameOf(entry)] = (counts[nameOf(entry)] ?? 0) + 1
    return counts
  }
  return {
    live: live.length,
    superseded: entries.filter(({ gone }) => gone?.state === 'superseded').length,
    trash: entries.filter((entry) => entry.gone?.state === 'evicted' && !isBeyondTrash(entry, now)).length,
    waiting: entries.filter(isWaiting).length,
    uncompared: live.filter((entry) => !entry.compared && !isWaiting(entry)).length,
    byFramework: count(({ framework }) => framework),
    byDomain: count(({ domain }) => domain),
    byOrigin: count(({ origin }) => origin),
    byOutcome: count(({ outcome }) => outcome),
    meanUtility: mean(live.map(({ utility }) => utility)),
    uses: sum(entries.map(usesOf)),
    transferred: live.filter(({ transfers }) => transfers.size > 0).length,
  }
}
