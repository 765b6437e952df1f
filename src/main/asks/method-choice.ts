import { join } from 'node:path'
import { findMethod, METHODS, methodTitle, suggestedMethod } from '../../core/methods'
import type { AskDetail } from '../../shared/domain/ask'
import { MY_MEMORY } from '../../shared/domain/memory-info'
import type { MethodChoice, MethodComparison } from '../../shared/domain/method-choice'
import {
  bestOf,
  compareReplays,
  comparisonSentence,
  MOST_REPLAYED,
  nextLook,
} from '../../shared/figures/method-looks'
import { LoamError } from '../../shared/errors'
import type { JobContext, StartedJob } from '../ground/jobs'
import { nameOfModel } from '../ground/model-file'
import { onTrail } from '../ground/trail'
import type { Host } from '../host/host'
import { takeModel } from '../models/model-profiles'
import { createIdle, LOOK_MS } from '../runs/idle'
import type { RunQueue } from '../runs/run-queue'
import type { Asks } from './asks'
import { openChoiceStore, type ChoiceStore, type ReplaySeries } from './choice-store'
import { pastAsks, type PastAsk, type PastAsks } from './judged-tasks'
import { beginSeries, replayAsk, seriesFor, type ReplayPorts } from './replay-asks'

/** A comparison at a time that nobody asked for, in ms. */
const SLICE_MS = 300_000
const MINUTE_MS = 60_000
const DAY_LENGTH = '2026-01-01'.length

export interface MethodChoiceNeeds extends Omit<ReplayPorts, 'store' | 'folder'> {
  readonly asks: Pick<Asks, 'list' | 'get'>
  readonly runs: Pick<RunQueue, 'waitForModel' | 'isAwaited' | 'isVisited' | 'atWork' | 'list'>
}

/** Which method everyday asks use where nobody chose one, and finding out whether another does better. */
export type MethodChooser = Awaited<ReturnType<typeof openMethodChoice>>

/** Methods that are compared: the one in use, and those that say so of themselves. */
const compared = (current: string): string[] => {
  const others = METHODS.filter(({ info }) => info.everyday === 'compared').map(({ info }) => info.id)
  return [current, ...others.filter((id) => id !== current)]
}

/** Methods that were replayed on what counts, in order. */
const rightOf = (series: ReplaySeries | null, method: string): boolean[] =>
  (series?.replays[method] ?? []).flatMap(({ right, learned }) => (right === null || !learned ? [] : [right]))

/** How each method did against the one in use. */
function comparisonsOf(series: ReplaySeries | null, current: string): MethodComparison[] {
  const [, ...others] = compared(current)
  const rightNow = rightOf(series, current)
  return others.map((method) =>
    compareReplays({ method, right: rightOf(series, method), rightNow }, others.length),
  )
}

/** What is to be replayed next, with which method, the first first: asks in order, each with all methods. Nothing: all is done. */
function nextReplays(series: ReplaySeries, { asks }: PastAsks, current: string): [PastAsk, string][] {
  const behind = comparisonsOf(series, current).flatMap((one) =>
    one.standing === 'behind' ? [one.method] : [],
  )
  const methods = compared(current).filter((id) => !behind.includes(id))
  const countOf = (method: string): number =>
    (series.replays[method] ?? []).filter(({ learned }) => learned).length
  return methods
    .flatMap((method): [number, PastAsk, string][] => {
      const past = asks[countOf(method)]
      return past ? [[countOf(method), past, method]] : []
    })
    .sort(([a], [b]) => a - b)
    .map(([, past, method]) => [past, method])
}

/** What Loam has settled on, and what is known of the alternatives; changed by a person alone. */
type Chosen = ReturnType<typeof createChosen>

function createChosen(
  { clock, settings }: Pick<Host, 'clock' | 'settings'>,
  store: ChoiceStore,
  listPast: () => PastAsks,
) {
  const today = (): string => clock.now().toISOString().slice(0, DAY_LENGTH)
  const current = (): string => {
    const { method } = store.now()
    // A module that is off brings its method no more.
    const isThere = METHODS.some(({ info }) => info.id === method && info.everyday !== 'never')
    return method !== null && isThere ? method : suggestedMethod('run').info.id
  }
  const seriesOf = (all: PastAsks): ReplaySeries | null => seriesFor(store.now().series, all)
  const replayedOf = (series: ReplaySeries | null): number => {
    const active = comparisonsOf(series, current()).filter(({ standing }) => standing !== 'behind')
    return Math.min(rightOf(series, current()).length, ...active.map(({ n }) => n))
  }
  const spentMs = (): number => (store.now().spent.day === today() ? store.now().spent.ms : 0)
  return {
    current,
    seriesOf,
    listPast,
    spentMs,
    budgetMs: (): number => settings().compare.minutes * MINUTE_MS,
    spend: (ms: number) => store.change(() => ({ spent: { day: today(), ms: spentMs() + ms } })),
    /** Whether there is a whole look's worth to replay. */
    hasWork(all: PastAsks): boolean {
      const next = nextLook(replayedOf(seriesOf(all)))
      return next !== null && sizeOf(all) >= next
    },
    summary(all: PastAsks): Omit<MethodChoice, 'rests' | 'jobId' | 'spentMs' | 'budgetMs'> {
      const series = seriesOf(all)
      const method = current()
      const comparisons = comparisonsOf(series, method)
      const { switches, declines } = store.now()
      const isWanted = (one: MethodComparison) =>
        !declines.some((no) => no.method === one.method && no.look === one.look)
      const offer = bestOf(comparisons.filter(isWanted))
      const [usable, replayed] = [sizeOf(all), replayedOf(series)]
      const next = nextLook(replayed)
      const rest = next === null ? 0 : (next - replayed) * compared(method).length
      return {
        ...{ method, changed: switches.at(-1) ?? null, offer, comparisons, usable, replayed },
        unusable: [...all.unusable],
        model: all.model === null ? null : nameOfModel(all.model),
        nextLook: next,
        sentence: sentenceOf({ offer, comparisons, method, usable, next, replayed }),
        forecastMs: series && series.made > 0 ? (rest * series.ms) / series.made : null,
      }
    },
  }
}

/** A host whose models work on several replays at once, each in a process of its own. Nobody waits for them. */
const besideEachOther = (host: Host, sequences: number): Host =>
  sequences === 1
    ? host
    : {
        ...host,
        loadModel: (model, choice) =>
          host.loadModel(model, { ...choice, first: false, sequences, apart: true }),
      }

const sizeOf = ({ asks }: PastAsks): number => asks.filter(({ reference }) => reference !== null).length

/** Replays by jobs, begun by a person or by quiet. */
type Comparing = ReturnType<typeof createComparing>

function createComparing(host: Host, state: Chosen, ports: ReplayPorts, runs: MethodChoiceNeeds['runs']) {
  const { clock, jobs, logger, data } = host
  let job: StartedJob | null = null
  const idle = createIdle(host, runs)
  /** What went wrong last: nothing is begun by itself again before the next start. */
  let problem: string | null = null
  const now = (): number => clock.now().getTime()

  const busyWith = (): string | null => idle.busyWith(job !== null)

  const replayAll = async (isAsked: boolean, all: PastAsks, signal: AbortSignal, context: JobContext) => {
    const { model, asks } = all
    if (model === null) return
    let series = state.seriesOf(all) ?? (await beginSeries(data.myMemory.id(), model, ports))
    const total = asks.length * compared(state.current()).length
    // Methods know nothing of each other: each has a memory of its own.
    const atATime = await host.atATime(model)
    const beside = besideEachOther(host, atATime)
    for (;;) {
      const next = nextReplays(series, all, state.current()).slice(0, atATime)
      if (next.length === 0 || (!isAsked && (await idle.powerProblem()) !== null)) return
      const size = Object.values(series.replays).reduce((sum, list) => sum + list.length, 0)
      const activity = next.map(([{ ask }, method]) => `${methodTitle(method)}: ${ask.title}`).join(', ')
      context.progress({ done: size, total, activity })
      signal.throwIfAborted()
      const ends = await Promise.allSettled(
        next.map(([one, method]) =>
          onTrail(`replay-${series.id}-${method}`, () => replayAsk(one, method, beside, ports, signal)),
        ),
      )
      const rejectedEnd = ends.find((end) => end.status === 'rejected')
      if (rejectedEnd) throw rejectedEnd.reason
      series = ports.store.now().series ?? series
    }
  }

  const work = async (isAsked: boolean, context: JobContext): Promise<void> => {
    const all = state.listPast()
    if (all.model === null) return
    const way = idle.giveWay(
      context.signal,
      true,
      (ms) => !isAsked && (state.spentMs() + ms >= state.budgetMs() || ms >= SLICE_MS),
    )
    const began = now()
    let turn: Awaited<ReturnType<typeof takeModel>> | null = null
    try {
      turn = await takeModel(all.model, 'methods being compared', runs, way.signal)
      await replayAll(isAsked, all, turn.signal, context)
      context.progress({ activity: 'Compared' })
    } catch (error) {
      // Who needs the machine goes first; the rest is replayed another time.
      if (!way.isYielding() && turn?.isYielding() !== true) throw error
      context.progress({ activity: `Goes on another time. ${busyWith() ?? ''}`.trim() })
    } finally {
      way.end()
      turn?.giveBack()
      if (!isAsked) await state.spend(now() - began)
    }
  }

  const start = (isAsked: boolean): StartedJob => {
    if (job !== null)
      throw new LoamError('CONFLICT', 'Methods are being compared already.', {
        suggestion: 'Wait for that, or stop it.',
      })
    if (isAsked) problem = null
    const current = jobs.start('comparing', 'Comparing methods', (context) => work(isAsked, context), {
      unit: 'replays',
      activity: 'Waiting for its turn',
    })
    job = current
    void current.finished.then(({ status, problem: failure }) => {
      job = null
      idle.worked()
      if (status !== 'failed') return
      problem = failure?.cause ?? 'it ended'
      logger.warn('Methods could not be compared', { problem: failure })
    })
    return current
  }

  /** Why nothing begins now; null: it can, or there is nothing to do. */
  const rests = async (all: PastAsks): Promise<string | null> => {
    if (!host.settings().compare.on) return 'Comparing is switched off.'
    if (problem !== null) return `The last comparison failed: ${problem}`
    if (!state.hasWork(all)) return null
    if (state.spentMs() >= state.budgetMs()) return 'Today’s minutes are used up. It goes on tomorrow.'
    return busyWith() ?? (await idle.powerProblem())
  }

  return {
    start,
    rests,
    jobId: (): string | null => job?.id ?? null,
    /** Begins where nothing has worked for a while and something is to be found out. */
    async look(): Promise<void> {
      if (job !== null) return
      if (!idle.isQuiet()) return
      const all = state.listPast()
      if (state.hasWork(all) && (await rests(all)) === null) start(false)
    },
    async stop(): Promise<void> {
      if (job) await jobs.cancel(job.id)
    },
  }
}

/** Opens what was chosen so far. Nothing is compared before `keepComparing` or `compare`. */
export async function openMethodChoice(host: Host, needs: MethodChoiceNeeds) {
  const { asks, runs } = needs
  const { clock, logger, data } = host
  const store = await openChoiceStore(join(data.path, 'method-choice.json'))
  const ports: ReplayPorts = { ...needs, store, folder: join(data.path, 'method-replays') }
  const listPast = (): PastAsks => {
    const details: AskDetail[] = asks.list({ text: '', deleted: false }).map(({ id }) => asks.get(id))
    return pastAsks(details, needs.needs.memories.resolve(MY_MEMORY), MOST_REPLAYED)
  }
  const state = createChosen(host, store, listPast)
  const comparing: Comparing = createComparing(host, state, ports, runs)
  let timer: NodeJS.Timeout | null = null

  const get = async (): Promise<MethodChoice> => {
    const all = listPast()
    const jobId = comparing.jobId()
    return {
      ...state.summary(all),
      rests: jobId === null ? await comparing.rests(all) : null,
      jobId,
      ...{ spentMs: state.spentMs(), budgetMs: state.budgetMs() },
    }
  }

  return {
    /** What an ask is answered with where nobody chose a method. */
    current: state.current,
    get,
    /** Has asks use a method where nobody chose one. @throws LoamError `BAD_INPUT` */
    async choose(method: string): Promise<MethodChoice> {
      requireEveryday(method)
      const from = state.current()
      if (method !== from) {
        const change = { from, to: method, at: clock.now().toISOString() }
        await store.change(({ switches }) => ({ method, switches: [...switches, change] }))
      }
      return get()
    },
    /** Says no to an offer: it is made again only after the next look. */
    async decline(method: string): Promise<MethodChoice> {
      const { offer } = state.summary(listPast())
      const look = offer?.method === method ? offer.look : null
      if (look !== null) await store.change(({ declines }) => ({ declines: [...declines, { method, look }] }))
      return get()
    },
    /** Compares now, because a person asks for it: whatever the hour, still giving way. @throws LoamError `BAD_INPUT`, `CONFLICT` */
    compare(): StartedJob {
      if (sizeOf(listPast()) > 0) return comparing.start(true)
      throw new LoamError('BAD_INPUT', 'No judged ask can be replayed yet.', {
        suggestion: 'Say of some answers whether they were right.',
      })
    },
    /** Looks from now on whether it can compare. */
    keepComparing(): void {
      timer ??= setInterval(() => {
        comparing.look().catch((error: unknown) => logger.warn('Comparing methods did not begin', { error }))
      }, LOOK_MS)
      timer.unref()
    },
    async close(): Promise<void> {
      if (timer) clearInterval(timer)
      await comparing.stop()
    },
  }
}

/** @throws LoamError `BAD_INPUT` for a method that only measures in the Lab, or that there is not */
export function requireEveryday(id: string): ReturnType<typeof findMethod> {
  const method = findMethod(id)
  if (method.info.everyday !== 'never') return method
  throw new LoamError('BAD_INPUT', `${method.info.title} only measures in the Lab.`, {
    suggestion: 'Choose another method, or use it in a run.',
  })
}

/** What it comes to, in one sentence. */
function sentenceOf({
  offer,
  comparisons,
  method,
  usable,
  next,
  replayed,
}: Pick<MethodChoice, 'offer' | 'comparisons' | 'method' | 'usable' | 'replayed'> & {
  next: number | null
}): string {
  if (offer) return comparisonSentence(offer, method, methodTitle)
  const first = nextLook(0) ?? 0
  if (replayed === 0)
    return usable < first
      ? `Methods are compared once ${first} judged asks can be replayed; there ${usable === 1 ? 'is 1' : `are ${usable}`}.`
      : 'Methods are compared when nothing else works.'
  const best = comparisons.reduce<MethodComparison | null>(
    (most, one) => (most === null || one.right - one.rightNow > most.right - most.rightNow ? one : most),
    null,
  )
  const asks = replayed === 1 ? '1 ask' : `${replayed} asks`
  const rest =
    next === null
      ? 'That was the last look.'
      : `The next look is at ${next} judged asks; there are ${usable}.`
  return best && best.right > best.rightNow
    ? `${comparisonSentence(best, method, methodTitle)} ${rest}`
    : `In a replay of ${asks}, no other method was right more often. ${rest}`
}
