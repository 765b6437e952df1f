import { findMethod, methodTitle } from '../../core/methods'
import type { RunReport } from '../../shared/domain/run'
import { runMeaning, type Meaning } from '../../shared/figures/meaning'

/** What a finished run means, beside one without memory over the same tasks where there is one. */
export const meaningOf = (report: RunReport, without: RunReport | null = null): Meaning =>
  runMeaning({
    title: methodTitle(report.method),
    remembers: findMethod(report.method).info.recalls.length > 0,
    rewards: report.rewards,
    total: report.rewards.length,
    finished: true,
    without: without?.rewards ?? null,
  })

/** The sentence and the next steps, a line each. Steps that belong to the window are left out. */
export const meaningLines = ({ sentence, next }: Meaning): string[] => [
  sentence,
  ...next.filter(({ kind }) => kind !== 'why').map(({ words }) => `- ${words}`),
]
