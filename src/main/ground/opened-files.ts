/** Files that a person opened with Loam, from the file manager or the command line, until the window asks for them. */
export interface OpenedFiles {
  /** Full paths. */
  add(paths: readonly string[]): void
  /** Those that came since this was asked last. */
  take(): string[]
}

/** Creates it. */
export function createOpenedFiles(): OpenedFiles {
  let waits: string[] = []
  return {
    add: (paths) => waits.push(...paths),
    take() {
      const paths = waits
      waits = []
      return paths
    },
  }
}
