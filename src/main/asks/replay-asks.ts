import { randomBytes } from 'node:crypto'
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { closedAnswer, saysSame } from '../../core/agent/closed-answer'
import { findMethod } from '../../core/methods'
import { answerOf, type AskInfo } from '../../shared/domain/ask'
import { BASELINE } from '../../shared/domain/experiment'
import type { Host } from '../host/host'
import type { ChoiceStore, ReplaySeries } from './choice-store'
import type { JudgePorts } from './judge-ask'
import { worldFor, type PastAsk, type PastAsks } from './judged-tasks'
import { learnFromAsk } from './learn-from-ask'
import { playAsk, type AskNeeds } from './play-ask'

/** Most tokens of a replayed answer to a closed question. */
const MOST_TOKENS = 256

/** What replays are made with. */
export interface ReplayPorts {
  readonly store: ChoiceStore
  /** Where the memories of replays lie. */
  readonly folder: string
  readonly needs: AskNeeds
  readonly actOut: JudgePorts['actOut']
}

/** Whether what was replayed is still the beginning of what there is: nothing was judged anew or deleted since. */
const goesOn = ({ replays }: ReplaySeries, { asks }: PastAsks): boolean =>
  Object.values(replays).every((list) => list.every(({ key }, i) => asks[i]?.key === key))

/** The series that past asks go on with; null where a new one has to begin, since the model or what was judged is another. */
export const seriesFor = (series: ReplaySeries | null, past: PastAsks): ReplaySeries | null =>
  series?.model === past.model && series !== null && goesOn(series, past) ? series : null

/** Begins a series anew: its memories are empty, and those of the one before are removed. */
export async function beginSeries(
  memoryId: string,
  model: string,
  { store, folder, needs }: ReplayPorts,
): Promise<ReplaySeries> {
  const before = store.now().series
  const id = randomBytes(6).toString('hex')
  const series = { id, model, memoryId, replays: {}, made: 0, ms: 0 }
  await store.change(() => ({ series, declines: [] }))
  if (before) await removeSeries(before, { folder, needs })
  return series
}

/** Removes the memories of a series and the worlds that it was replayed in. */
async function removeSeries(
  series: ReplaySeries,
  { folder, needs }: Pick<ReplayPorts, 'folder' | 'needs'>,
): Promise<void> {
  const own = join(folder, series.id)
  for (const method of Object.keys(series.replays)) await needs.memories.release(join(own, method))
  await rm(own, { recursive: true, force: true })
}

/**
 * Lives through one past ask with a method, in a memory that knows only those before it: it is answered, compared with what was right, and then learned
 * from as it was in life. What came of the answer is kept before it is learned from, so that an interruption in between cannot have it answered by what it
 * has just learned. Rejects with an AbortError when the signal fires.
 */
export async function replayAsk(
  past: PastAsk,
  method: string,
  host: Host,
  ports: ReplayPorts,
  signal: AbortSignal,
): Promise<void> {
  const { store, folder, needs } = ports
  const series = store.now().series
  if (!series) throw new Error('Replays belong to a series.')
  const list = series.replays[method] ?? []
  const last = list.at(-1)
  const began = performance.now()
  /** Keeps how the one at hand went, in the place of what was said of it before. */
  const keep = (right: boolean | null, isLearned: boolean) =>
    store.change(({ series: now }) => {
      if (now?.id !== series.id) return {}
      const others = (now.replays[method] ?? []).filter(({ key }) => key !== past.key)
      const replays = { ...now.replays, [method]: [...others, { key: past.key, right, learned: isLearned }] }
      const took = performance.now() - began
      return { series: { ...now, replays, ...(isLearned && { made: now.made + 1, ms: now.ms + took }) } }
    })
  const own = join(folder, series.id)
  const { ask, played } = await play(past, method, own, host, ports, signal)
  if (past.reference === null || played === null) {
    await keep(null, true)
    return
  }
  const { trajectory } = played
  const fresh = ask.spec.world === null ? isRight(past, trajectory) : trajectory.reward === 1
  const right = last?.key === past.key && last.right !== null ? last.right : fresh
  await keep(right, false)
  const judgement = {
    ...{ id: `${trajectory.id}-replayed`, verdict: right ? ('right' as const) : ('wrong' as const) },
    ...{
      answer: right ? null : past.reference,
      wrongAt: null,
      note: null,
      by: 'person' as const,
      judge: null,
      probation: null,
    },
    ...{ at: past.at, learned: null, problem: null },
  }
  const attempt = { ...past.attempt, trajectory, facts: [], judgement }
  const actedOut = right ? null : await ports.actOut(past.ask, past.reference)
  const model = await host.loadModel(ask.spec.model, { signal })
  await learnFromAsk({ ask, attempt, judgement, actedOut }, model, host, needs, signal)
  await keep(right, true)
}

/** Answers it; null for what only told something to a method that remembers nothing. */
async function play(
  past: PastAsk,
  method: string,
  own: string,
  host: Host,
  { needs, actOut }: ReplayPorts,
  signal: AbortSignal,
) {
  const { spec } = past.ask
  const memoryId = join(own, method)
  const world = await worldFor(past, join(own, 'worlds', method), { ...needs, actOut })
  const ask: AskInfo = {
    ...past.ask,
    spec: {
      ...spec,
      ...{ memoryId, method, k: findMethod(method).info.defaultK, world, way: 'straight' },
      // Greedily: the same ask with another method differs by what was remembered alone.
      ...{ temperature: 0, seed: 1, tools: [], ownFiles: false, remember: true },
      maxTokens: world === null ? Math.min(spec.maxTokens ?? MOST_TOKENS, MOST_TOKENS) : spec.maxTokens,
    },
  }
  if (past.reference === null) {
    const bank = await needs.memories.open(memoryId)
    if (method === BASELINE || (await bank.trajectory(past.attempt.trajectory.id)))
      return { ask, played: null }
  }
  const folder = join(own, 'work', method)
  await mkdir(folder, { recursive: true })
  const played = await playAsk(
    {
      ...{
        ask,
        goal: ask.id,
        index: past.attempt.index,
        folder,
        files: [],
        shows: null,
        begun: null,
        signal,
      },
      ...{ earlier: { turns: [], summary: null }, insists: false, graded: true },
      hear: () => '',
      peek: () => false,
      keepStep: () => Promise.resolve(),
    },
    host,
    // Measuring a model waits for asks of a person.
    { ...needs, profiles: { ...needs.profiles, goOn: () => Promise.resolve() } },
    {},
  )
  return { ask, played }
}

/** Whether an answer says what was right, word by word. */
function isRight(
  { ask, reference }: PastAsk,
  trajectory: Parameters<typeof answerOf>[0]['trajectory'],
): boolean {
  const answer = answerOf({ trajectory })
  const target = reference === null ? null : closedAnswer(ask.spec.text, reference)
  return answer !== null && target !== null && saysSame(answer, target)
}
