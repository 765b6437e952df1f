import { LoamError } from '../../../shared/errors'
import type { CaseIndex } from './index-shapes'

/** An index whose table is open. */
export interface AwakeIndex extends Omit<CaseIndex, 'rest'> {
  /** Writes what waits. */
  flush(): Promise<void>
}

/** What is said of an index that was closed for good. */
export const memoryClosed = (): LoamError =>
  new LoamError('CONFLICT', 'The memory is closed.', { suggestion: 'Open it again.' })

/** An index that closes its table when it is told to rest, and opens it again with `open` for what is asked next. `onUse` hears of everything that is asked. */
export function restingIndex(
  first: AwakeIndex,
  open: () => Promise<AwakeIndex>,
  onUse: () => void = () => undefined,
): CaseIndex {
  let index: Promise<AwakeIndex> | null = Promise.resolve(first)
  /** Settled when the table is closed: null, or the index that could not write what waits and so stays. */
  let resting: Promise<AwakeIndex | null> = Promise.resolve(null)
  let uses = 0
  let isClosed = false

  const awake = (): Promise<AwakeIndex> => {
    if (index) return index
    if (isClosed) return Promise.reject(memoryClosed())
    const next = resting.then((same) => same ?? open())
    index = next
    next.catch(() => {
      if (index === next) index = null
    })
    return next
  }

  async function use<T>(job: (target: AwakeIndex) => Promise<T>): Promise<T> {
    onUse()
    uses++
    try {
      return await job(await awake())
    } finally {
      uses--
    }
  }

  async function fallAsleep(target: AwakeIndex): Promise<AwakeIndex | null> {
    try {
      await target.flush()
    } catch {
      // Nothing is lost: the rows wait on, and who writes or searches next meets the error.
      return target
    }
    // All is written: whatever else fails, the table can be opened again.
    await target.close().catch(() => undefined)
    return null
  }

  return {
    add: (rows) => use((target) => target.add(rows)),
    remove: (ids) => use((target) => target.remove(ids)),
    replace: (rows) => use((target) => target.replace(rows)),
    setDeleted: (ids, deleted) => use((target) => target.setDeleted(ids, deleted)),
    nearest: (vector, k, filter) => use((target) => target.nearest(vector, k, filter)),
    match: (text, k, filter) => use((target) => target.match(text, k, filter)),
    candidates: (query) => use((target) => target.candidates(query)),
    vectorsOf: (ids) => use((target) => target.vectorsOf(ids)),
    labelsOf: (ids) => use((target) => target.labelsOf(ids)),
    marks: (each) => use((target) => target.marks(each)),
    tidy: () => use((target) => target.tidy()),
    async rest() {
      const current = index
      const target = await current
      // Asked for something meanwhile, it has no reason to rest.
      if (!target || current !== index || uses > 0 || isClosed) return
      index = null
      resting = fallAsleep(target)
      const same = await resting
      if (same) index ??= Promise.resolve(same)
    },
    async close() {
      isClosed = true
      const target = (await index?.catch(() => null)) ?? (await resting)
      await target?.close()
    },
  }
}
