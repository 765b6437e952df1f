import { readdir } from 'node:fs/promises'
import { errnoOf } from './errno'

/** What lies in a folder, by name and in order; nothing where there is no such folder. Rejects when it cannot be read. */
export const namesIn = (folder: string): Promise<string[]> =>
  readdir(folder).then(
    (names) => names.sort(),
    (error: unknown) => {
      if (errnoOf(error) === 'ENOENT') return []
      throw error
    },
  )
