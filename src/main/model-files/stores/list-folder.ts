import { readdir } from 'node:fs/promises'

/** Names in a folder, in order; none where it is not there or cannot be read. */
export const listOrNothing = (folder: string): Promise<string[]> =>
  readdir(folder).then(
    (names) => names.sort(),
    () => [],
  )
