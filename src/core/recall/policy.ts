import { canonicalJson } from '../ground/canonical-json'
import type { MemoryStore, CaseWrite } from '../ground/ports'
import { hash32 } from '../ground/random'
import { createSerial } from '../../shared/serial'
import { isFromProgram } from '../memory/items/features'
import type { Trajectory } from '../../shared/domain/trajectory'
import { isTelling, placeOf } from './acts'
import { watchDrift, type DriftWatch, type SavedDrift } from './drift'
import { PRIOR } from './prior'
import { createValueModel, type SavedModel, type ShownItem, type ValueModel } from './value-model'
import { cosine } from '../retrieval/cosine'

/** How it went the last times an item was shown: by the place of the attempt among all cases, and reward minus expectation. */
type History = (readonly [index: number, residual: number])[]

/** Attempts an item's history goes back. */
const LONGEST_HISTORY = 16
/** Histories weigh like this many attempts at tasks with nothing in common. */
const PRIOR_WEIGHT = 2
const CHECKPOINT_EVERY = 64
/** How fast what is expected of a place follows what comes. */
const FOLLOW = 0.06
/** Attempts that a worsening goes back. */
const LONGEST_DRIFT = 64
/** What is expected before anything came. */
const EXPECTED = 0.5

interface Saved {
  readonly format: 2
  readonly key: string
  readonly writes: number
  readonly lastCase: string
  readonly model: SavedModel
  readonly histories: readonly (readonly [string, History])[]
  readonly places: readonly (readonly [string, number, SavedDrift, string | null])[]
  readonly alarms: number
}

/** What one memory has taught about recalling from it: a fold of its journal. */
export interface RecallPolicy {
  /** Takes in what was committed since. */
  catchUp(signal?: AbortSignal): Promise<void>
  readonly cases: readonly CaseWrite[]
  readonly model: ValueModel
  /** Since when things go worse in a place than they did: what was not borne out since is in doubt. Null where they do not. */
  doubtedSince(place: string): string | null
  /** How an item did at tasks like this one: mean residual, weighed by likeness and shrunk to 0. */
  pairValue(key: string, vector: Float32Array): number
  /** The world of an attempt; null where it is not known. */
  worldOf(trajectoryId: string): string | null
  /** How far the outcome of an attempt counts, in [0, 1]: less than 1 while rules told it and nobody has confirmed it. */
  outcomeWeight(trajectoryId: string): number
  /** How often drift was noticed so far. */
  readonly alarms: number
  save(): Saved
}

/** What the policy follows and depends on. */
export interface PolicyContext {
  readonly bank: Pick<MemoryStore, 'writes' | 'artifacts' | 'curation'>
  readonly embedder: { readonly id: string; readonly dimension: number }
  /** Settings that change what is learned. */
  readonly settings: { readonly drift: boolean }
}

const VERSION = 2
const ARTIFACT = 'recall-policy'

export const itemKey = (kind: string, id: string): string => `${kind} ${id}`

/** What an attempt was shown by this policy, with the features of then; null where another method chose. */
function shownItems({ recalled, choice }: Trajectory): ShownItem[] | null {
  if (!choice) return null
  return recalled.map(({ kind, id, why }) => ({ key: itemKey(kind, id), features: why?.features ?? {} }))
}

const keyOf = ({ bank, embedder: { id, dimension }, settings }: PolicyContext): string =>
  canonicalJson({ version: VERSION, id, dimension, settings, corrected: bank.curation.lastCorrection })

async function restore(context: PolicyContext, key: string, artifact: string): Promise<Saved | null> {
  const bytes = await context.bank.artifacts.read(artifact)
  if (!bytes) return null
  try {
    const saved = JSON.parse(new TextDecoder().decode(bytes)) as Saved
    if (saved.format !== 2 || saved.key !== key) return null
    for await (const { case: output } of context.bank.writes(saved.writes - 1))
      return output.id === saved.lastCase ? saved : null
    return null
  } catch (error) {
    // A damaged checkpoint is left aside: the journal has it all.
    if (error instanceof SyntaxError || error instanceof TypeError) return null
    throw error
  }
}

/**
 * Follows a memory from its last checkpoint, or from its beginning where none fits. Nothing random enters, so a policy that was
 * stopped anywhere and made again equals one that never stopped.
 */
export async function openPolicy(context: PolicyContext, signal?: AbortSignal): Promise<RecallPolicy> {
  const { bank, settings } = context
  const key = keyOf(context)
  const artifact = `${ARTIFACT}-${hash32(key).toString(16).padStart(8, '0')}`
  const saved = await restore(context, key, artifact)
  const cases: CaseWrite[] = []
  const histories = new Map<string, History>(saved?.histories)
  const places = new Map<
    string,
    { expected: number; drift: DriftWatch; ends: string[]; since: string | null }
  >(
    saved?.places.map(([name, expectedCount, drift, since]) => [
      name,
      { expected: expectedCount, drift: watchDrift(drift), ends: [], since },
    ]),
  )
  const worlds = new Map<string, string>()
  const probations = new Map<string, number>()
  const hold = (write: CaseWrite): void => {
    const { attempt } = write
    if (attempt) worlds.set(attempt.id, placeOf(attempt.task.world))
    const { probation, trajectoryId } = write.case
    if (probation !== undefined) probations.set(trajectoryId, probation)
    cases.push(write)
  }
  const model = createValueModel(PRIOR, saved?.model)
  let alarms = saved?.alarms ?? 0
  let checkpointed = saved?.writes ?? 0
  if (saved)
    for await (const write of bank.writes(0)) {
      signal?.throwIfAborted()
      hold(write)
      if (cases.length === saved.writes) break
    }

  function admit(write: CaseWrite): void {
    const index = cases.length
    hold(write)
    const { attempt } = write
    if (!attempt || attempt.ungraded !== undefined || attempt.heldOut === true) return
    const { reward, probation } = write.case
    if (isFromProgram(attempt.runId)) return
    const place = placeOf(attempt.task.world)
    const telling = isTelling(attempt)
    const items = shownItems(attempt)
    if (telling && items) {
      const residual = model.learn(items, reward, probation)
      for (const item of items)
        histories.set(
          item.key,
          [...(histories.get(item.key) ?? []), [index, residual] as const].slice(-LONGEST_HISTORY),
        )
    }
    if (!telling || probation !== undefined || !settings.drift) return
    const holding = places.get(place) ?? { expected: EXPECTED, drift: watchDrift(), ends: [], since: null }
    places.set(place, holding)
    holding.ends = [...holding.ends, attempt.finishedAt].slice(-LONGEST_DRIFT)
    const since = holding.drift.step(holding.expected - reward)
    holding.expected += FOLLOW * (reward - holding.expected)
    if (since === null) return
    alarms++
    holding.since = holding.ends.at(-Math.max(1, since)) ?? holding.ends[0] ?? null
    model.widen()
  }

  const save = (): Saved => ({
    format: 2,
    key,
    writes: cases.length,
    lastCase: cases.at(-1)?.case.id ?? '',
    model: model.save(),
    histories: [...histories],
    places: [...places].map(
      ([name, { expected, drift, since }]) => [name, expected, drift.save(), since] as const,
    ),
    alarms,
  })

  const serial = createSerial()
  return {
    catchUp: (stop) =>
      serial(async () => {
        for await (const write of bank.writes(cases.length)) {
          stop?.throwIfAborted()
          admit(write)
        }
        if (cases.length - checkpointed < CHECKPOINT_EVERY) return
        await bank.artifacts.replace(artifact, new TextEncoder().encode(JSON.stringify(save())))
        checkpointed = cases.length
      }),
    cases,
    model,
    doubtedSince: (place) => places.get(place)?.since ?? null,
    pairValue(item, vector) {
      let sum = 0
      let weight = PRIOR_WEIGHT
      for (const [index, residual] of histories.get(item) ?? []) {
        const near = Math.max(0, cosine(vector, cases[index]?.vector ?? vector) ?? 0) ** 4
        sum += near * residual
        weight += near
      }
      return sum / weight
    },
    worldOf: (id) => worlds.get(id) ?? null,
    outcomeWeight: (id) => probations.get(id) ?? 1,
    get alarms() {
      return alarms
    },
    save,
  }
}

type Opened = { readonly key: string; readonly policy: Promise<RecallPolicy> }
const policies = new WeakMap<object, Opened>()

/** The policy of a memory, opened once; with other settings or after a correction it is made anew. */
export function policyOf(context: PolicyContext, signal?: AbortSignal): Promise<RecallPolicy> {
  const key = keyOf(context)
  const record = policies.get(context.bank)
  if (record?.key === key) return record.policy
  const handle: Opened = { key, policy: openPolicy(context, signal) }
  policies.set(context.bank, handle)
  handle.policy.catch(() => {
    if (policies.get(context.bank) === handle) policies.delete(context.bank)
  })
  return handle.policy
}
