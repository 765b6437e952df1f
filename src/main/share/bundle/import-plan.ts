import { setImmediate as nextTurn } from 'node:timers/promises'
import { z, ZodError } from 'zod'
import { canonicalJson } from '../../../core/ground/canonical-json'
import { kindOf, MEMORY_KINDS } from '../../../core/memory'
import { ATTEMPTS, RUBRICS } from '../../../core/memory/kind-words'
import { idOfLine } from '../../../core/memory/items/line-ids'
import { parseMemoryEvent, type MemoryEvent } from '../../../core/memory/events'
import type { Change, MemorySource } from '../../../core/memory/items/kind'
import { shapeProblem } from '../../../core/memory/experiences/import/records'
import { rubricSchema } from '../../../shared/domain/guide'
import { trajectorySchema } from '../../../shared/domain/trajectory'
import { LoamError } from '../../../shared/errors'
import type { StoredMemory } from '../../memory-store/memory'
import { memorySourceOf } from '../../items/memory-items'
import { dataFile, sha256Of, type CheckedBundle } from '../../bundle/manifest'

/** A line of a bundle beside what the memory holds. */
export interface PlannedItem {
  readonly kind: string
  readonly id: string
  /** `new`: it is not there. `same`: it is, and reads alike. `differs`: it is, and reads differently. */
  readonly state: 'new' | 'same' | 'differs'
  /** What is committed when it is new. */
  readonly events: readonly MemoryEvent[]
  /** Lines that no commit brings in: soft prompts are files. */
  readonly file: boolean
  readonly line: unknown
}

const rubricsLine = z.object({
  environment: z.string().min(1),
  rubrics: z.array(rubricSchema).min(1).max(12),
})

/** Lines that are looked at without a pause. */
const LINES_PER_TURN = 32

/** Kinds of data in a bundle, in the order in which they are looked at. */
export const DATA_KINDS: readonly string[] = [ATTEMPTS, ...MEMORY_KINDS.map(({ info }) => info.id), RUBRICS]

/** A line of a bundle, and how it would come in or why it cannot. */
export type PlannedLine = { /** Line of its data file. */ readonly at: number; readonly value: unknown } & (
  | { readonly item: PlannedItem; readonly why: null }
  | { readonly item: null; readonly why: string }
)

/** Looks at the lines of a kind one after the other and changes nothing. `wants`: those that are planned; the others are passed over. Default: all. */
export async function* planLines(
  space: StoredMemory,
  bundle: Pick<CheckedBundle, 'values'>,
  kind: string,
  now: Date,
  wants: (at: number) => boolean = () => true,
): AsyncGenerator<PlannedLine> {
  const source = memorySourceOf(space)
  let at = 0
  for await (const { value, why } of bundle.values(dataFile(kind))) {
    at += 1
    // Others get their turn between lines.
    if (at % LINES_PER_TURN === 0) await nextTurn()
    if (!wants(at)) continue
    if (why !== null) yield { at, value, item: null, why }
    else yield { at, value, ...(await outcomeOf(() => planLine(space, source, kind, value, now))) }
  }
}

async function outcomeOf(
  plan: () => Promise<PlannedItem>,
): Promise<
  { readonly item: PlannedItem; readonly why: null } | { readonly item: null; readonly why: string }
> {
  try {
    return { item: await plan(), why: null }
  } catch (error) {
    const why = whyLeft(error)
    if (why === null) throw error
    return { item: null, why }
  }
}

/** Why a line cannot be used, in words; null for errors that are not the line's. */
const whyLeft = (error: unknown): string | null =>
  error instanceof ZodError ? shapeProblem(error) : error instanceof LoamError ? error.why : null

async function planLine(
  space: StoredMemory,
  source: MemorySource,
  kind: string,
  value: unknown,
  now: Date,
): Promise<PlannedItem> {
  const item = (
    id: string,
    holding: unknown,
    line: unknown,
    events: readonly MemoryEvent[],
  ): PlannedItem => ({
    kind,
    id,
    line,
    events,
    file: false,
    state:
      holding === null || holding === undefined
        ? 'new'
        : canonicalJson(holding) === canonicalJson(line)
          ? 'same'
          : 'differs',
  })
  if (kind === ATTEMPTS) {
    const trajectory = trajectorySchema.parse(value)
    return item(trajectory.id, await space.trajectory(trajectory.id), trajectory, [
      { kind: 'trajectory-added', trajectory },
    ])
  }
  if (kind === RUBRICS) {
    const { environment, rubrics } = rubricsLine.parse(value)
    const holdings = space.concepts.rubrics.get(environment)
    return item(environment, holdings && { environment, rubrics: [...holdings] }, { environment, rubrics }, [
      { kind: 'rubrics-changed', environment, rubrics, at: now.toISOString() },
    ])
  }
  return planItem(source, kind, value, now)
}

/** How an item of a kind of memory would come in: what its kind would commit, without committing it. */
export async function planItem(
  source: MemorySource,
  kind: string,
  line: unknown,
  now: Date,
): Promise<PlannedItem> {
  const module = kindOf(kind)
  if (!module)
    throw new LoamError('BAD_INPUT', `There is no kind of memory called "${kind}".`, {
      suggestion: 'Use a newer Loam.',
    })
  const events: MemoryEvent[] = []
  let file = false
  const askedSource: MemorySource = {
    ...source,
    commit(givenEvents) {
      events.push(...givenEvents.map(parseMemoryEvent))
      return Promise.resolve()
    },
    softPrompts: {
      ...source.softPrompts,
      add: () => Promise.resolve(void (file = true)),
      mark: () => Promise.resolve(),
    },
  }
  const change: Change = { at: now.toISOString(), newId: sha256Of(canonicalJson(line)).slice(0, 24) }
  const isNew = await module.fromLine(askedSource, line, change)
  const id = idOfLine(line)
  const head = await module.head(source, id)
  return { kind, id, line, events, file, state: !isNew ? 'same' : head === null ? 'new' : 'differs' }
}
