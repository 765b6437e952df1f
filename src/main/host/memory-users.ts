import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { namesIn } from '../ground/names-in'

/** As records of today name it, and those of 0.1. */
const NAMED = /"(?:memoryId|spaceId)":\s*"([^"]+)"/g

/** Ids of the memories that files of a kind of record name; a file that cannot be read names none. */
async function getNamedSet(folder: string, file: string): Promise<ReadonlySet<string>> {
  const ids = new Set<string>()
  for (const name of await namesIn(folder)) {
    const text = await readFile(join(folder, name, file), 'utf8').catch(() => '')
    for (const [, id] of text.matchAll(NAMED)) if (id !== undefined) ids.add(id)
  }
  return ids
}

/** Memories that asks of a data folder are kept in. */
export const memoriesOfAsks = (dataPath: string): Promise<ReadonlySet<string>> =>
  getNamedSet(join(dataPath, 'asks'), 'ask.jsonl')

/** Memories that runs of a data folder learned in. */
export const memoriesOfRuns = (dataPath: string): Promise<ReadonlySet<string>> =>
  getNamedSet(join(dataPath, 'runs'), 'run.json')
