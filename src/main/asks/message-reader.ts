import { readingOf, readingRequest } from '../../core/verdict/message-reader'
import { ENOUGH } from '../../core/verdict/client-rules'
import type { LanguageModel } from '../../core/ground/ports'
import type { MessageReader } from '../../shared/domain/message-reader'
import type { ReadRelation } from '../../shared/domain/verdict'
import { LoamError } from '../../shared/errors'
import type { JobContext, StartedJob } from '../ground/jobs'
import { nameOfModel } from '../ground/model-file'
import type { Host } from '../host/host'
import { takeModel, type ModelProfiles } from '../models/model-profiles'
import { createIdle, LOOK_MS } from '../runs/idle'
import type { RunQueue } from '../runs/run-queue'
import type { MessageReadings, UnreadMessage } from './message-reading'

/** Messages that are read on one day at most, and how long at a time, in ms. */
export const MOST_A_DAY = 200
const SLICE_MS = 60_000
const DAY_LENGTH = '2026-01-01'.length

export interface MessageReaderNeeds {
  readonly asks: MessageReadings
  readonly profiles: Pick<ModelProfiles, 'get' | 'hasReader'>
  readonly runs: Pick<RunQueue, 'waitForModel' | 'isAwaited' | 'isVisited' | 'atWork' | 'list'>
}

/** A model on this machine that reads what a person writes next, while nothing else works. */
export type MessageReaderArea = ReturnType<typeof openMessageReader>

/** What a model takes a message for; null where it says nothing that can be read, or cannot read so much. */
async function readMessage(
  model: Pick<LanguageModel, 'generate'>,
  { request, reply, message }: UnreadMessage,
  signal: AbortSignal,
): Promise<ReadRelation | null> {
  try {
    return readingOf((await model.generate(readingRequest({ request, reply }, message), { signal })).text)
  } catch (error) {
    if (error instanceof LoamError && error.code === 'CONTEXT_OVERFLOW') return null
    throw error
  }
}

/** Opens it. Nothing is read before `keepReading` or `read`. */
export function openMessageReader(host: Host, { asks, profiles, runs }: MessageReaderNeeds) {
  const { clock, jobs, logger } = host
  const idle = createIdle(host, runs)
  let job: StartedJob | null = null
  let timer: NodeJS.Timeout | null = null
  /** What went wrong last: nothing is begun by itself again before the next start. */
  let problem: string | null = null
  const now = (): string => clock.now().toISOString()
  const isSpent = (): boolean => asks.readingsOn(now().slice(0, DAY_LENGTH)) >= MOST_A_DAY

  /** The first model in a file on this machine that passed the test; null where none did. No server is asked, and no folder gone through, before one did. */
  const findModel = async (): Promise<string | null> => {
    if (!(await profiles.hasReader())) return null
    for (const { path } of (await host.foundModels()).models)
      if ((await profiles.get(path))?.relations === true) return path
    return null
  }

  const readAll = async (path: string, signal: AbortSignal, { progress }: JobContext): Promise<void> => {
    const name = nameOfModel(path)
    const model = await host.loadModel(path, { signal })
    for (let count = 0; !isSpent(); count++) {
      const [one] = asks.unreadMessages(name)
      if (!one || (await idle.powerProblem()) !== null) return
      progress({ done: count })
      const relation = await readMessage(model, one, signal)
      await asks.keepReading(one.askId, one.attempt, { turn: one.turn, relation, model: name, at: now() })
    }
  }

  const work = async (path: string, context: JobContext): Promise<void> => {
    const way = idle.giveWay(context.signal, true, (ms) => ms >= SLICE_MS)
    let turn: Awaited<ReturnType<typeof takeModel>> | null = null
    try {
      turn = await takeModel(path, 'next messages being read', runs, way.signal)
      await readAll(path, turn.signal, context)
    } catch (error) {
      // Who needs the machine goes first; the rest is read another time.
      if (!way.isYielding() && turn?.isYielding() !== true) throw error
    } finally {
      way.end()
      turn?.giveBack()
    }
  }

  /** Reads what is unread; null where no model may, or nothing is. */
  const read = async (): Promise<StartedJob | null> => {
    const path = host.settings().readMessages ? await findModel() : null
    if (job !== null || path === null || isSpent() || asks.unreadMessages(nameOfModel(path)).length === 0)
      return null
    const current = jobs.start('reading', 'Reading next messages', (context) => work(path, context), {
      unit: 'messages',
    })
    job = current
    void current.finished.then(({ status, problem: failure }) => {
      job = null
      idle.worked()
      if (status !== 'failed') return
      problem = failure?.cause ?? 'it ended'
      logger.warn('Next messages could not be read', { problem: failure })
    })
    return current
  }

  const look = async (): Promise<void> => {
    if (job !== null || problem !== null || !idle.isQuiet()) return
    if (idle.busyWith() === null && (await idle.powerProblem()) === null) await read()
  }

  return {
    read,
    /** Who reads, and how far their readings are borne out. */
    async get(): Promise<MessageReader> {
      const path = await findModel()
      const model = path === null ? null : nameOfModel(path)
      const standing = asks.standingOf(model ?? '')
      return {
        on: host.settings().readMessages,
        model,
        unread: model === null ? 0 : asks.unreadMessages(model).length,
        needed: ENOUGH,
        ...standing,
        weights: { right: standing.weights['read-right'], wrong: standing.weights['read-wrong'] },
        problem,
      }
    },
    /** Looks from now on whether it can read. */
    keepReading(): void {
      timer ??= setInterval(() => {
        look().catch((error: unknown) => logger.warn('Reading next messages did not begin', { error }))
      }, LOOK_MS)
      timer.unref()
    },
    async close(): Promise<void> {
      if (timer) clearInterval(timer)
      if (job) await jobs.cancel(job.id)
    },
  }
}
