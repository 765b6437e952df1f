import type { Clock } from '../../../core/ground/ports'
import type { Logger } from '../../ground/logger'
import type { AttemptFiles } from './attempt-files'
import type { MemoryEvent } from '../../../core/memory/events'
import type { MethodContext } from '../../../core/ground/method'
import { learnFromAttempt, learningOf } from '../../../core/ground/learn-from-attempt'
import { redactAll } from '../../../core/memory/experiences/import/redact'
import { createSerial } from '../../../shared/serial'
import { LoamError, toErrorShape } from '../../../shared/errors'
import { trajectoryOf } from './attempt-record'
import type { ModelProfiles } from '../../models/model-profiles'
import { judgeAttempt } from './judge'
import { noteLesson } from './rule-lessons'
import { OpenAttempts, type OpenAttempt } from './open-attempts'
import type { Asked, Outcome, SettledAttempt } from './request'
import { NO_VERDICTS, type ClientVerdicts } from './client-verdicts'
import { ruledBy } from './rule-attempt'

/** Attempts whose outcome is remembered, so that a second word on them is told from an unknown one. */
const MOST_SETTLED = 5000

export interface LedgerDeps {
  readonly clock: Clock
  /** Where open attempts are kept. Default: nowhere, a kill loses them. */
  readonly attemptFiles?: AttemptFiles
  /** What clients said of attempts, and what theirs are read by. Default: the fitted rules. */
  readonly verdicts?: Pick<ClientVerdicts, 'rules' | 'add'>
  readonly logger?: Pick<Logger, 'warn'>
  /** What is known of models: only those that pass the test of judges judge. Default: nothing. */
  readonly profiles?: Pick<ModelProfiles, 'get'>
}

/** The attempts that are open, and how they end. `contextOf`: what a method learns with. */
export function attemptLedger(
  { clock, attemptFiles: files, verdicts = NO_VERDICTS, logger, profiles }: LedgerDeps,
  contextOf: (call: Asked) => Promise<MethodContext>,
) {
  const attempts = new OpenAttempts()
  const terms = new Map<string, Asked>()
  const settled = new Map<string, SettledAttempt & { readonly client: string }>()
  const inTurn = createSerial()

  const settle = (
    attempt: OpenAttempt,
    outcome: SettledAttempt['outcome'],
    by: SettledAttempt['by'],
    next: string | null = null,
  ): Promise<SettledAttempt> =>
    inTurn(async () => {
      const before = settled.get(attempt.id)
      if (before) return before
      const request = terms.get(attempt.id)
      const mode = request?.terms.mode
      const keeps =
        request !== undefined && (mode === 'both' || mode === 'record') && attempt.rounds.length > 0
      // A Loam that was killed in between has told the memory already.
      if (keeps && !(await request.terms.memory.trajectory(attempt.id))) {
        const trajectory = redactAll(trajectoryOf(attempt, request, { outcome, by, next }, clock.now())).value
        const context = await contextOf(request)
        const learn = learningOf(request.terms.method, () => context)
        const { memory } = request.terms
        const learnEvents: MemoryEvent[] = []
        const note = (events: readonly MemoryEvent[]) => {
          learnEvents.push(...events)
          return events
        }
        await learnFromAttempt(trajectory, learn, memory, { named: note })
        const lesson = { attempt, by, outcome, next, events: learnEvents, at: clock.now().toISOString() }
        if (by === 'rule' || by === 'judge') await quietly(() => noteLesson(memory, lesson))
      }
      attempts.remove(attempt.id)
      terms.delete(attempt.id)
      const result: SettledAttempt = { attempt: attempt.id, outcome, by, kept: keeps }
      settled.set(attempt.id, { ...result, client: attempt.client })
      const [oldest] = settled.keys()
      if (settled.size > MOST_SETTLED && oldest !== undefined) settled.delete(oldest)
      await files?.remove(attempt.id)
      return result
    })

  /** What nobody spoke about: the judge decides where there is one that passed the test of judges. */
  const settleUnsaid = async (attempt: OpenAttempt): Promise<SettledAttempt> => {
    const request = terms.get(attempt.id)
    const wantsJudge = request?.terms.judge === true && attempt.rounds.length > 0
    if (!wantsJudge || (await profiles?.get(request.model.path))?.roles !== true)
      return settle(attempt, 'unknown', 'nobody')
    const verdict = await judgeAttempt(attempt, request.model)
    return verdict === null ? settle(attempt, 'unknown', 'nobody') : settle(attempt, verdict, 'judge')
  }

  /** Learns from an attempt of which what the person wrote next tells how it ended: a success on probation, until somebody confirms it. */
  const rule = async (attempt: OpenAttempt, next: string | null): Promise<void> => {
    attempt.ruled = ruledBy(attempt, next, verdicts.rules(attempt.client))
    const { ruled } = attempt
    // Only what the person wrote next settles; without it the signs wait with the attempt.
    if (next !== null && ruled?.state === 'teaches')
      await settle(attempt, ruled.value === 'solved' ? 'success' : 'failure', 'rule', next)
    else await files?.save(attempt)
  }
  /** What memory cannot take in must not keep a program from its answer. */
  const quietly = async (work: () => Promise<unknown>): Promise<void> => {
    try {
      await work()
    } catch (error) {
      logger?.warn('The memory proxy could not keep an attempt', { problem: toErrorShape(error) })
    }
  }

  /** Attempts that a client spoke of before the person wrote on, by their conversation. */
  const spoken = new Map<string, { readonly attempt: OpenAttempt; readonly solved: boolean }>()
  /** Keeps a client's word with the signs in what the person wrote next; nothing where they have not written on yet. */
  const learnWord = async (attempt: OpenAttempt, solved: boolean, next: string | null): Promise<void> => {
    const ruled = next === null ? attempt.ruled : ruledBy(attempt, next)
    if (ruled === null) {
      spoken.set(attempt.key, { attempt, solved })
      const [oldest] = spoken.keys()
      if (spoken.size > MOST_SETTLED && oldest !== undefined) spoken.delete(oldest)
      return
    }
    const kinds = ruled.evidence.map(({ kind }) => kind)
    await verdicts.add(attempt.client, { attempt: attempt.id, kinds, solved })
  }
  /** A person writes on after an attempt that the client spoke of. */
  const wroteOn = async ({ client, parent, instruction }: OpenAttempt): Promise<void> => {
    const one = parent === null ? undefined : spoken.get(parent)
    if (one?.attempt.client !== client) return
    spoken.delete(one.attempt.key)
    await learnWord(one.attempt, one.solved, instruction)
  }

  /** A client's word on an attempt; null: on its last one. */
  const outcome = async (client: string, name: string | null, word: Outcome): Promise<SettledAttempt> => {
    const record = name === null ? undefined : settled.get(name)
    if (record?.client === client) return record
    const attempt = name === null ? attempts.lastOf(client) : attempts.get(name)
    if (attempt?.client === client) {
      const result = await settle(attempt, word, 'client')
      if (result.by === 'client') await quietly(() => learnWord(attempt, word === 'success', null))
      return result
    }
    throw new LoamError('NOT_FOUND', 'There is no such attempt of this client.', {
      suggestion: 'Name it as the answer did, in its header x-loam-attempt.',
    })
  }

  return { attempts, terms, outcome, settleUnsaid, rule, wroteOn, quietly }
}
