import type { MemoryStore } from '../../ground/ports'
import { rulesOf, type ClientRules, type JudgedSigns } from '../../verdict/client-rules'
import { isWaiting } from '../items/trust'
import { EXPERIENCE_KIND } from './fold'

/**
 * What the logs of each program are read by: learned from its attempts in the memory of which a person, or the log itself, said how they ended, as a
 * person's own rules are (`rulesOf`); the fitted rules where fewer than thirty are known. Of an attempt that a person corrected the corrected one counts,
 * and none that waits in quarantine.
 */
export function rulesOfLogs({
  experiences,
  memorySource,
}: Pick<MemoryStore, 'experiences' | 'memorySource'>): (framework: string) => ClientRules {
  const curated = memorySource?.state.curated.get(EXPERIENCE_KIND)
  const signsOf = new Map<string, JudgedSigns[]>()
  for (const { id, framework, outcome, signs, gone } of experiences.entries()) {
    const isTaken = gone === null || gone.why === 'budget'
    if (!signs || !isTaken || outcome === 'unknown' || isWaiting(curated?.get(id)?.quarantined ?? null))
      continue
    const own = signsOf.get(framework) ?? []
    signsOf.set(framework, own)
    own.push({ kinds: signs, solved: outcome === 'success' })
  }
  const rules = new Map<string, ClientRules>()
  return (framework) => {
    const own = rules.get(framework) ?? rulesOf(signsOf.get(framework) ?? [])
    rules.set(framework, own)
    return own
  }
}
