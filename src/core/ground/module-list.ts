/** Modules of one seam: Loam's own, then those from outside while they are in use. It changes, so nothing is derived from it at import. */
export type ModuleList<T> = readonly T[] & {
  /** Adds a module from outside; the function that it answers takes it out again. */
  enter(module: T): () => void
}

/** A list that begins with Loam's own modules. */
export function moduleList<T>(own: readonly T[]): ModuleList<T> {
  const all = [...own]
  const enter = (module: T) => {
    all.push(module)
    return () => {
      const index = all.indexOf(module)
      if (index >= 0) all.splice(index, 1)
    }
  }
  return Object.defineProperty(all, 'enter', { value: enter, enumerable: false }) as unknown as ModuleList<T>
}
