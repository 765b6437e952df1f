import { createSerial } from '../../../shared/serial'
import type { LearnedEntry } from '../../../core/memory/entries'
import { isHidden, type Curated } from '../../../core/memory/items/curated'
import { liveTexts } from '../../../core/memory/items/live-items'
import type { Embedder } from '../../../core/ground/ports'
import type { LearnedText } from '../../../shared/domain/memory'
import { rm } from '../../ground/steady-files'
import { indexCases, rebuildIndex, type BuildOptions, type Indexable } from './build-index'
import type { CaseRow } from './case-table'
import {
  openCaseIndex,
  type CaseIndex,
  type CaseIndexOptions,
  type IndexTuning,
  type RowFilter,
} from './case-index'
import { readIndexNote } from './index-note'

export interface TextIndexOptions {
  /** The index's own folder. */
  readonly folder: string
  readonly kind: string
  readonly entries: ReadonlyMap<string, LearnedEntry>
  /** What people decided about texts of the kind. */
  readonly curated: ReadonlyMap<string, Curated>
  /** A text as it is now. */
  readonly read: (id: string) => Promise<LearnedText | null>
  /** What a text is found by, and what it is found by besides; empty for nothing. */
  readonly keysOf: (text: LearnedText) => readonly [key: string, other: string]
  readonly embedder: () => Embedder
  readonly appliedSeq: () => number
  readonly tuning: IndexTuning
  /** Hears of everything that is asked of it. */
  readonly onUse?: (() => void) | undefined
}

/** What a search of texts asks. */
export interface CurrentTexts {
  readonly index: CaseIndex
  /** Lets rows of keys through. */
  readonly own: RowFilter
  /** Lets rows of other keys through; null where no text has one. */
  readonly other: RowFilter | null
}

/** An index of the texts of one kind. A text has a row for its key, and one for its other key where it has one. */
export interface TextIndex {
  /** The index as the fold is now; null while there is nothing to be in it. */
  current(build?: BuildOptions): Promise<CurrentTexts | null>
  /** How many texts there are that were not dropped. */
  count(): number
  /** Has to hear of every change of a text: it looks at the fold only after one. */
  touch(): void
  /** Makes it anew with the current embedder. */
  reindex(build: BuildOptions): Promise<void>
  tidy(): Promise<void>
  rest(): Promise<void>
  close(): Promise<void>
}

/** Between the parts of a row's id: no id of a text has this sign. */
const BETWEEN = '\n'
const OTHER = `${BETWEEN}other`
const OWN_ROW = 'own'
const OTHER_ROW = 'other'

/** The text that a row stands for. */
export const textOfRow = (row: string): string => row.split(BETWEEN, 1)[0] ?? row
/** Whether a row is the one of a text's key, not of its other key; a row's environment says so too. */
const isKeyRow = (row: string): boolean => !row.endsWith(OTHER)
const keyRowOf = (row: string): string => (isKeyRow(row) ? row : row.slice(0, -OTHER.length))

interface Handle {
  readonly index: CaseIndex
  readonly embedder: string
  readonly rows: Set<string>
  /** Whether a text has another key. */
  hasOthers: boolean
  /** The change up to which it has everything; -1 where that is not known. */
  change: number
}

/** What rows the texts of a kind have. */
function rowsOfKind({ kind: ofKind, entries, curated, read, keysOf }: TextIndexOptions) {
  const isLive = ({ id, kind, droppedAt }: LearnedEntry): boolean =>
    kind === ofKind && droppedAt === null && !isHidden(curated.get(id))
  /** Tells a text from what it was before it was changed: rows stay as they are. */
  const keyRow = ({ id, changes }: LearnedEntry): string => {
    const changeCount = changes.size + (curated.get(id)?.edits.size ?? 0)
    return changeCount === 0 ? id : `${id}${BETWEEN}${changeCount}`
  }
  const liveRows = (): string[] => [...entries.values()].filter(isLive).map(keyRow)

  const readText = async (row: string): Promise<LearnedText> => {
    const id = textOfRow(row)
    const text = await read(id)
    if (text?.kind !== ofKind) throw new Error(`The text ${id} is not where the journal had it`)
    return text
  }
  const indexable = async (row: string): Promise<Indexable> => {
    const text = await readText(row)
    const [key, other] = keysOf(text)
    const state = isKeyRow(row) ? key : other
    return {
      id: row,
      state,
      environment: isKeyRow(row) ? OWN_ROW : OTHER_ROW,
      reward: 1,
      createdAt: text.createdAt,
      deletedAt: null,
    }
  }
  /** The rows of texts, that of the key last: where it is, the other is too. */
  const rowsOf = async (keyRows: readonly string[]): Promise<string[]> => {
    const rows: string[] = []
    for (const row of keyRows) {
      const [, other] = keysOf(await readText(row))
      rows.push(...(other === '' ? [row] : [row + OTHER, row]))
    }
    return rows
  }
  return { liveRows, indexable, rowsOf }
}

/**
 * Opens lazily: a memory without such texts has no index for them. It follows the fold: before a search, what came or was changed is embedded and
 * added, what left is taken out. So an index that a crash left behind, or that is gone, is made good at the next search.
 */
export function textIndex(options: TextIndexOptions): TextIndex {
  const { entries } = options
  const { liveRows, indexable, rowsOf } = rowsOfKind(options)
  const serial = createSerial()
  let handle: Handle | null = null
  let change = 0
  let tally = { change: -1, count: 0 }

  const indexOptions = (): CaseIndexOptions => {
    const { id, dimension } = options.embedder()
    return {
      folder: options.folder,
      dimension,
      createdAt: (row) => entries.get(textOfRow(row))?.createdAt ?? null,
      note: () => ({
        format: 4,
        embedder: { id, dimension },
        appliedSeq: options.appliedSeq(),
        cases: liveRows().length,
        trajectories: 0,
      }),
      tuning: options.tuning,
      onUse: options.onUse,
    }
  }

  const letGo = async (): Promise<void> => {
    const old = handle
    handle = null
    await old?.index.close().catch(() => undefined)
  }
  const rebuilt = async (build: BuildOptions): Promise<CaseIndex> =>
    rebuildIndex(indexOptions(), await rowsOf(liveRows()), indexable, options.embedder(), letGo, build)

  async function open(build: BuildOptions): Promise<CaseIndex> {
    const { folder, note } = indexOptions()
    await rm(`${folder}.new`, { recursive: true, force: true })
    const product = await readIndexNote(folder)
    const { embedder } = note()
    if (product?.embedder.id !== embedder.id || product.embedder.dimension !== embedder.dimension)
      return rebuilt(build)
    return (await openCaseIndex(indexOptions(), false).catch(() => null)) ?? rebuilt(build)
  }

  async function handleOf(index: CaseIndex): Promise<Handle> {
    const rows = new Set<string>()
    await index.marks((row) => rows.add(row))
    return { index, embedder: options.embedder().id, rows, hasOthers: false, change: -1 }
  }

  /** Takes out what left and adds what came. */
  async function follow({ index, rows }: Handle, build: BuildOptions): Promise<void> {
    const keyRows = liveRows()
    const live = new Set(keyRows)
    const removals = [...rows].filter((row) => !live.has(keyRowOf(row)) || !rows.has(keyRowOf(row)))
    if (removals.length > 0) await index.remove(removals)
    for (const row of removals) rows.delete(row)
    const add = async (fresh: readonly CaseRow[]): Promise<void> => {
      await index.add(fresh)
      for (const { id } of fresh) rows.add(id)
    }
    const fresh = await rowsOf(keyRows.filter((row) => !rows.has(row)))
    await indexCases(fresh, indexable, options.embedder(), add, build)
  }

  return {
    current: (build = {}) =>
      serial(async () => {
        if (handle && handle.embedder !== options.embedder().id) await letGo()
        if (!handle) {
          if (liveRows().length === 0) return null
          handle = await handleOf(await open(build))
        }
        const now = change
        if (handle.change !== now) {
          await follow(handle, build)
          handle.hasOthers = [...handle.rows].some((row) => !isKeyRow(row))
        }
        handle.change = now
        const { index, hasOthers } = handle
        return {
          index,
          own: hasOthers ? { environment: OWN_ROW } : {},
          other: hasOthers ? { environment: OTHER_ROW } : null,
        }
      }),
    count() {
      if (tally.change !== change) tally = { change, count: liveTexts(entries, options.kind) }
      return tally.count
    },
    touch: () => void change++,
    reindex: (build) =>
      serial(async () => {
        if (liveRows().length === 0) await letGo()
        else handle = await handleOf(await rebuilt(build))
      }),
    tidy: async () => handle?.index.tidy(),
    rest: async () => handle?.index.rest(),
    close: () =>
      serial(async () => {
        await handle?.index.close()
        handle = null
      }),
  }
}
