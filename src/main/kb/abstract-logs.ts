import { Pace } from '../../shared/figures/pace'
import { hash32 } from '../../core/ground/random'
import { abstractionOf, ABSTRACT_ROLE, writeAbstraction } from '../../core/methods/agent-kb/abstract'
import { isWaiting } from '../../core/memory/experiences/stats'
import { admission, admitExperience, compareLater } from '../../core/methods/agent-kb/admit'
import { SETTINGS } from '../../core/methods/agent-kb/settings'
import { defaultsOf } from '../../core/ground/settings'
import type { MethodContext } from '../../core/ground/method'
import type { AbstractReport } from '../../shared/domain/experience-view'
import { addUsage, NO_USAGE } from '../../shared/domain/trajectory'

export interface AbstractOptions {
  /** Most logs to work through; null takes all. */
  readonly limit: number | null
  /** tau of deduplication; null keeps every abstraction. */
  readonly tau: number | null
  readonly now: () => Date
  readonly signal?: AbortSignal
  /** `etaMs` is null until known. */
  readonly onProgress?: (doneCount: number, total: number, etaMs: number | null) => void
}

/**
 * Has the model write an experience from each log that has none, oldest first; the log is superseded by it. Then each that was handed in or read from a
 * file is compared with the one most similar to it, and the better one stays. Each is committed on its own, so that a cancelled or crashed round
 * goes on where it stopped.
 * @throws an AbortError, or what the model fails with
 */
export async function abstractLogs(
  context: Pick<MethodContext, 'bank' | 'embedder' | 'model' | 'prompts' | 'seed'>,
  { limit, tau, now, signal, onProgress }: AbstractOptions,
): Promise<AbstractReport> {
  const { bank } = context
  const waiters = [...bank.experiences.entries()].filter(isWaiting)
  const logs = limit === null ? waiters : waiters.slice(0, limit)
  const pace = new Pace()
  const optionsOf = (taskIndex: number, at: string) => ({
    ...admission(defaultsOf(SETTINGS), taskIndex, at),
    tau,
  })
  const failures: AbstractReport['failed'][number][] = []
  let [writtenCount, ranked, candidateWon, usage] = [0, 0, 0, NO_USAGE]
  pace.record(0, now().getTime())
  for (const [doneCount, { id }] of logs.entries()) {
    signal?.throwIfAborted()
    onProgress?.(doneCount, logs.length, pace.etaMs(logs.length, now().getTime()))
    const record = await bank.experiences.get(id)
    if (record?.standing.state !== 'live') continue
    const taskIndex = hash32(id)
    const text = await writeAbstraction(record.experience, taskIndex, context, signal)
    usage = addUsage(usage, text.usage)
    const at = now().toISOString()
    if (text.value === null) {
      failures.push({ id, reason: text.reason })
      const { reason, tries } = text
      const about = {
        runId: '',
        environment: record.experience.meta.domain,
        role: ABSTRACT_ROLE,
        trajectoryIds: [],
      }
      const failure = { id: `${ABSTRACT_ROLE}-${id}-${at}`, ...about, reason, tries, at }
      await bank.commit([{ kind: 'writing-failed', failure }])
    } else {
      const candidate = abstractionOf(record.experience, text.value, at)
      const admitted = await admitExperience(candidate, optionsOf(taskIndex, at), context, signal)
      usage = addUsage(usage, admitted.usage)
      await bank.commit(admitted.events)
      writtenCount++
      if (admitted.ranking) ranked++
      if (admitted.ranking?.winner === 'candidate') candidateWon++
    }
    pace.record(doneCount + 1, now().getTime())
  }
  let compared = 0
  for (const { id } of [...bank.experiences.entries()]) {
    signal?.throwIfAborted()
    const later = await compareLater(id, optionsOf(hash32(id), now().toISOString()), context, signal)
    if (later.events.length === 0) continue
    usage = addUsage(usage, later.usage)
    await bank.commit(later.events)
    compared++
    if (later.ranking) ranked++
    if (later.ranking?.winner === 'candidate') candidateWon++
  }
  onProgress?.(logs.length, logs.length, 0)
  return { logs: logs.length, written: writtenCount, failed: failures, compared, ranked, candidateWon, usage }
}
