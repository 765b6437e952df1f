/**
 * Makes a folder of this run in the memory that Linux offers as files (/dev/shm), and removes those of runs that were killed. Tests make and sync
 * many small files: on a disk these take a quarter of their processor time, and more of waiting. Null where 4 GiB of it or 8 GiB of memory
 * are not free, where no program may be started from it, and on other systems. The options are for tests; `limit`
 * is the most memory of the process's group, in bytes.
 */
export function makeQuickFolder(options?: {
  readonly shared?: string
  readonly proc?: string
  readonly pid?: number
  readonly limit?: number
}): string | null
