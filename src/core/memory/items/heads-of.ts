import type { ItemHead, MemoryKindModule, MemorySource } from './kind'

/** How a kind lists its items, and finds one, in what the memory's fold holds of them. */
export const headsOf = <Entry>(
  getHeldMap: (source: MemorySource) => ReadonlyMap<string, Entry>,
  headOf: (source: MemorySource, entry: Entry) => ItemHead,
): Pick<MemoryKindModule, 'heads' | 'head'> => ({
  heads: (source) => Promise.resolve([...getHeldMap(source).values()].map((entry) => headOf(source, entry))),
  head(source, id) {
    const entry = getHeldMap(source).get(id)
    return Promise.resolve(entry === undefined ? null : headOf(source, entry))
  },
})
