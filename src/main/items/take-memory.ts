import { readRecord, writeRecord } from '../ground/record-file'
import { randomBytes } from 'node:crypto'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { MEMORY_KINDS } from '../../core/memory'
import { parseMemoryEvent, type MemoryEvent } from '../../core/memory/events'
import type { MemoryKindModule, MemorySource } from '../../core/memory/items/kind'
import { intoProject, isHeld, itemAdded } from '../../core/memory/items/projects'
import { sourceAlong } from '../../core/memory/items/trust'
import { PASSAGE_KIND } from '../../core/memory/passages/passage'
import { NO_SOFT_PROMPTS } from '../../core/recall/candidates'
import type { Clock } from '../../core/ground/ports'
import type { ItemRef } from '../../shared/domain/item'
import { MY_MEMORY } from '../../shared/domain/memory-info'
import { takeSchema, type Take, type TakeInput, type TakePreview } from '../../shared/domain/take'
import { LoamError } from '../../shared/errors'
import { createSerial } from '../../shared/serial'
import { namesIn } from '../ground/names-in'
import type { Memories } from '../memories/memories'
import { memorySourceOf } from './memory-items'

/** Takes items of lab memories into My memory, as one change each. */
export type Takes = ReturnType<typeof createTakes>

/** An item of a lab memory as My memory would take it. */
interface Planned {
  readonly ref: ItemRef
  /** `again`: it was taken before, and that was undone. */
  readonly state: 'fresh' | 'again' | 'same' | 'differs'
  readonly events: readonly MemoryEvent[]
}

interface PlanContext {
  readonly lab: MemorySource
  readonly mine: MemorySource
  /** Items that were taken before and taken out again. */
  readonly undone: ReadonlySet<string>
  /** ISO time. */
  readonly at: string
}

/** Items per commit: few, since reading one item reads its commit. */
const PER_COMMIT = 16
const SAMPLES = 5

const keyOf = ({ kind, id }: ItemRef): string => `${kind} ${id}`

/** Creates it. `folder`: where takings are kept. */
export function createTakes(folder: string, memories: Memories, clock: Clock) {
  const serial = createSerial()
  const pathOf = (id: string): string => join(folder, `${id}.json`)
  const write = async (take: Take): Promise<Take> => {
    await mkdir(folder, { recursive: true })
    await writeRecord(pathOf(take.id), take)
    return take
  }
  const list = async (): Promise<Take[]> => {
    const names = (await namesIn(folder)).filter((name) => name.endsWith('.json'))
    const takes = await Promise.all(
      names.map((name) => readRecord(join(folder, name), takeSchema.nullable(), null)),
    )
    return takes.flatMap((take) => take ?? []).sort((a, b) => b.at.localeCompare(a.at))
  }
  const sourceOf = async (name: string): Promise<MemorySource> => memorySourceOf(await memories.open(name))
  const requireLab = (from: string): void => {
    if (!memories.isMine(from)) return
    throw new LoamError('BAD_INPUT', 'My memory is not taken into itself.', {
      suggestion: 'Name a lab memory.',
    })
  }

  /** The live items of a lab memory, as My memory would take them. */
  async function* planned(from: string, kinds: ReadonlySet<string>): AsyncGenerator<Planned> {
    const lab = await sourceOf(from)
    const mine = await sourceOf(MY_MEMORY)
    const at = clock.now().toISOString()
    const undone = new Set(
      (await list()).flatMap(({ undoneAt, items }) => (undoneAt === null ? [] : items.map(keyOf))),
    )
    for (const kind of MEMORY_KINDS.filter(({ info }) => kinds.has(info.id)))
      for (const { id, gone } of await kind.heads(lab)) {
        if (gone !== null) continue
        const one = await planOf(kind, { kind: kind.info.id, id }, { lab, mine, undone, at })
        if (one) yield one
      }
  }

  async function take({ from, kinds, items, project }: TakeInput): Promise<Take> {
    requireLab(from)
    const { id: source, name } = await memories.open(from)
    const into = await memories.open(MY_MEMORY)
    const wantedSet = items && new Set(items.map(keyOf))
    const choices: Planned[] = []
    for await (const one of planned(from, new Set(kinds ?? (items ? allKinds() : usualKinds()))))
      if ((one.state === 'fresh' || one.state === 'again') && (wantedSet?.has(keyOf(one.ref)) ?? true))
        choices.push(one)
    const at = clock.now().toISOString()
    // Kept first: what an interruption leaves half done can still be undone as a whole.
    const beginning = await write({
      id: `take-${at.slice(0, 10)}-${randomBytes(4).toString('hex')}`,
      ...{ from: source, fromName: name, into: into.id, at, done: false, undoneAt: null },
      items: choices.map(({ ref }) => ref),
    })
    const mine = memorySourceOf(into)
    for (let first = 0; first < choices.length; first += PER_COMMIT) {
      const some = choices.slice(first, first + PER_COMMIT)
      const additions = some.flatMap(({ events }) => events.flatMap((event) => itemAdded(event) ?? []))
      const scoped = project === null ? [] : intoProject(additions, project, at)
      await into.commit([...some.flatMap(({ events }) => events), ...scoped])
    }
    for (const { ref, state } of choices)
      if (state === 'again') await kindOf(ref).restore(mine, ref.id, { at, newId: ref.id })
    return write({ ...beginning, done: true })
  }

  async function undo(takeId: string): Promise<Take> {
    const match = (await list()).find(({ id }) => id === takeId)
    if (!match)
      throw new LoamError('NOT_FOUND', `Nothing was taken as ${takeId}.`, {
        suggestion: '"loam memory takes" lists what was.',
      })
    const mine = await sourceOf(match.into)
    const at = clock.now().toISOString()
    for (const ref of match.items) {
      const head = await kindOf(ref).head(mine, ref.id)
      if (head && head.gone === null) await kindOf(ref).remove(mine, ref.id, { at, newId: ref.id })
    }
    return write({ ...match, done: true, undoneAt: at })
  }

  return {
    async preview(from: string): Promise<TakePreview> {
      requireLab(from)
      const { id } = await memories.open(from)
      const info = (await memories.list()).find((one) => one.id === id)
      if (!info)
        throw new LoamError('NOT_FOUND', `There is no memory ${from} here.`, {
          suggestion: 'Import its export, or name a memory of the data folder.',
        })
      const lab = await sourceOf(from)
      const rows = new Map<string, TakePreview['kinds'][number]>()
      for await (const { ref, state } of planned(from, new Set(allKinds()))) {
        const row = rows.get(ref.kind) ?? rowOf(kindOf(ref))
        rows.set(ref.kind, row)
        row[state === 'again' ? 'fresh' : state]++
        if (row.samples.length >= SAMPLES || state === 'same' || state === 'differs') continue
        row.samples.push({ ...ref, title: (await kindOf(ref).read(lab, ref.id))?.title ?? ref.id })
      }
      return { from: info, kinds: [...rows.values()] }
    },
    /** @throws LoamError `BAD_INPUT` for My memory itself, `NOT_FOUND` for an unknown memory */
    take: (input: TakeInput): Promise<Take> => serial(() => take(input)),
    /** Newest first. */
    list,
    /** Takes out again what a taking brought; what it brought stays deleted, not erased. @throws LoamError `NOT_FOUND` */
    undo: (takeId: string): Promise<Take> => serial(() => undo(takeId)),
  }
}

/** How My memory would take an item; null for what is no event: a soft prompt stays in the lab. */
async function planOf(
  kind: MemoryKindModule,
  ref: ItemRef,
  { lab, mine, undone, at }: PlanContext,
): Promise<Planned | null> {
  const events: MemoryEvent[] = []
  const commit: MemorySource['commit'] = (givenEvents) => {
    events.push(...givenEvents.map(parseMemoryEvent))
    return Promise.resolve()
  }
  const line = await kind.toLine(lab, ref.id)
  const source = { ...mine, commit, softPrompts: NO_SOFT_PROMPTS }
  const isNew = await kind.fromLine(source, line, { at, newId: randomBytes(12).toString('hex') })
  if (!isNew) {
    const isGone = undone.has(keyOf(ref)) && (await kind.head(mine, ref.id))?.gone?.why === 'deleted'
    return { ref, state: isGone ? 'again' : 'same', events: [] }
  }
  const additions = events.flatMap((event) => itemAdded(event) ?? [])
  if (additions.length === 0) return null
  const differs = additions.some((item) => isHeld(mine.state, item))
  return {
    ref,
    state: differs ? 'differs' : 'fresh',
    events: [...events, ...(await sourceAlong(kind, lab, ref.id, at))],
  }
}

const allKinds = (): string[] => MEMORY_KINDS.map(({ info }) => info.id)
/** A person's own files go along only where they are chosen. */
const usualKinds = (): string[] => allKinds().filter((id) => id !== PASSAGE_KIND)

const rowOf = ({ info }: MemoryKindModule): TakePreview['kinds'][number] => ({
  ...{ kind: info.id, title: info.titleMany, usual: info.id !== PASSAGE_KIND },
  ...{ fresh: 0, same: 0, differs: 0, samples: [] },
})

function kindOf({ kind }: ItemRef): MemoryKindModule {
  const module = MEMORY_KINDS.find(({ info }) => info.id === kind)
  if (module) return module
  throw new LoamError('NOT_FOUND', `There is no kind of memory called "${kind}".`, {
    suggestion: `The kinds are ${allKinds().join(', ')}.`,
  })
}
