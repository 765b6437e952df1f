import type { ItemHead, MemoryKindModule, MemorySource } from './kind'

/** Heads of what is there now, each made when it is come to. */
export const headsFrom = <Entry>(
  entries: readonly Entry[],
  headOf: (entry: Entry) => ItemHead,
): Iterable<ItemHead> => ({
  *[Symbol.iterator]() {
    for (const entry of entries) yield headOf(entry)
  },
})

/** How a kind lists its items, and finds one, in what the memory's fold holds of them. */
export const headsOf = <Entry>(
  getHeldMap: (source: MemorySource) => ReadonlyMap<string, Entry>,
  headOf: (source: MemorySource, entry: Entry) => ItemHead,
): Pick<MemoryKindModule, 'heads' | 'head'> => ({
  heads: (source) =>
    Promise.resolve(headsFrom([...getHeldMap(source).values()], (entry) => headOf(source, entry))),
  head(source, id) {
    const entry = getHeldMap(source).get(id)
    return Promise.resolve(entry === undefined ? null : headOf(source, entry))
  },
})
