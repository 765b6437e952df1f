import type { LoamLink } from '../../shared/domain/desktop'

/** What a person opened with Loam: files, and `loam://` links. */
export interface OpenedThings {
  /** Full paths. */
  readonly paths: readonly string[]
  readonly links: readonly LoamLink[]
}

/** What a person opened with Loam, from the file manager, the command line or a link, until the window asks for it. */
export type OpenedFiles = ReturnType<typeof createOpenedFiles>

/** Links that wait at most: a page that opens more is not heard. */
const MOST_LINKS = 5

/** Creates it. */
export function createOpenedFiles() {
  let paths: string[] = []
  let links: LoamLink[] = []
  return {
    add(more: Partial<OpenedThings>): void {
      paths.push(...(more.paths ?? []))
      links = [...links, ...(more.links ?? [])].slice(0, MOST_LINKS)
    },
    /** What came since this was asked last. */
    take(): { paths: string[]; links: LoamLink[] } {
      const things = { paths, links }
      paths = []
      links = []
      return things
    },
  }
}
