/** Files that a person opened with Loam, from the file manager or the command line, until the window asks for them. */
export type OpenedFiles = ReturnType<typeof createOpenedFiles>

/** Creates it. */
export function createOpenedFiles() {
  let waits: string[] = []
  return {
    /** Full paths. */
    add: (paths: readonly string[]): void => void waits.push(...paths),
    /** Those that came since this was asked last. */
    take(): string[] {
      const paths = waits
      waits = []
      return paths
    },
  }
}
