import { setImmediate as nextTurn } from 'node:timers/promises'
import { playRecordings, type Recording } from '../../core/lab/recordings'
import { METHODS } from '../../core/methods'
import { livedElsewhere, livedOf } from '../../core/recall/acts'
import { calibrated } from '../../core/retrieval/calibration'
import type { CaseRecord } from '../../shared/domain/case'
import type { PlayRecordings, RecordingReport } from '../../shared/domain/recording'
import { LoamError } from '../../shared/errors'
import type { JobContext, StartedJob } from '../ground/jobs'
import type { Host } from '../host/host'
import type { Memories } from '../memories/memories'
import type { StoredMemory } from '../memory-store/memory'

/** Most attempts that are played, the newest; reports that are kept until the host ends. */
const MOST_PLAYED = 1000
const MOST_KEPT = 8
/** Fewest graded attempts whose halves say anything. */
const LEAST = 8

/** Plays recordings of a host's memories. */
export function createRecordings(host: Host, memories: Pick<Memories, 'open'>) {
  const reports = new Map<string, RecordingReport>()

  const play = async (
    { memoryId, ...input }: PlayRecordings,
    { signal, progress }: JobContext,
  ): Promise<RecordingReport> => {
    const memory = await memories.open(memoryId)
    const { recordings, ungraded, tooMany } = await recordingsOf(memory, signal)
    if (recordings.length < LEAST)
      throw new LoamError(
        'BAD_INPUT',
        `“${memory.name}” has ${recordings.length} attempts of which it is known how they ended; it takes ${LEAST}.`,
        { suggestion: 'Import logs whose outcome is known, or say of more answers whether they were right.' },
      )
    const figures = await playRecordings(recordings, {
      ...input,
      embedder: await calibrated(await host.embedder(), memory, signal),
      learners: METHODS.flatMap(({ learner }) => learner ?? []),
      async pause(order) {
        progress({ done: order, total: input.orders, activity: `Order ${order + 1} of ${input.orders}` })
        await nextTurn()
        signal.throwIfAborted()
      },
    })
    return { figures, attempts: recordings.length, ungraded, tooMany }
  }

  return {
    /** Begins to play; fails with `BAD_INPUT` where too little is graded. */
    play(input: PlayRecordings): StartedJob {
      const job = host.jobs.start(
        'recordings',
        'Playing recordings',
        async (context) => {
          const report = await play(input, context)
          for (const id of [...reports.keys()].slice(0, Math.max(0, reports.size + 1 - MOST_KEPT)))
            reports.delete(id)
          reports.set(job.id, report)
        },
        { unit: 'orders', activity: 'Reading attempts' },
      )
      return job
    },
    /** What came of it. @throws LoamError `NOT_FOUND` where it has not ended, or is not kept any more */
    report(jobId: string): RecordingReport {
      const report = reports.get(jobId)
      if (report) return report
      throw new LoamError('NOT_FOUND', 'These recordings were not played to their end, or another day.', {
        suggestion: 'Play them again.',
      })
    },
  }
}

/** The newest graded attempts of a memory, own ones, those that logs told of and those that only a case is left of, and how many are left out. */
async function recordingsOf(memory: StoredMemory, signal: AbortSignal) {
  const all: Recording[] = []
  let ungraded = 0
  const take = (lived: Recording['lived'] | ReturnType<typeof livedOf>, text: string): void => {
    const { reward } = lived
    if (reward === null) ungraded++
    else all.push({ lived: { ...lived, reward }, text })
  }
  for await (const trajectory of memory.trajectories()) {
    signal.throwIfAborted()
    take(livedOf(trajectory), trajectory.task.instruction)
  }
  for (const { id, trajectoryId } of memory.experiences.entries()) {
    signal.throwIfAborted()
    const entry = trajectoryId === null ? await memory.experiences.get(id) : null
    if (entry) take(livedElsewhere(entry.experience), entry.experience.question)
  }
  for await (const one of memory.cases()) {
    signal.throwIfAborted()
    if (one.deletedAt === null && !memory.memorySource.state.trajectories.has(one.trajectoryId))
      all.push({ lived: livedOfCase(one), text: one.state })
  }
  const recordings = all.slice(-MOST_PLAYED)
  return { recordings, ungraded, tooMany: all.length - recordings.length }
}

/** A case whose attempt the memory does not have, as published ones are: what was done is known, not what came of each step. */
const livedOfCase = ({
  id,
  state,
  plan,
  reward,
  environment,
  createdAt,
}: CaseRecord): Recording['lived'] => ({
  ...{ id, task: state, environment, place: '', told: state, isOwn: false, at: createdAt },
  reward: reward >= 0.5 ? 1 : 0,
  acts: [{ tool: '', action: plan, said: '', observation: null, complaint: null }],
})
