import { readRecord, writeRecord } from '../ground/record-file'
import { randomBytes } from 'node:crypto'
import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { LoamError } from '../../shared/errors'
import { createSerial } from '../../shared/serial'
import {
  claimMemoryFolder,
  createMemoryFile,
  readMemoryFile,
  renameMemoryFile,
} from '../memory-store/memory-folder'
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
const memoriesOfAsks = (dataPath: string): Promise<ReadonlySet<string>> =>
  getNamedSet(join(dataPath, 'asks'), 'ask.jsonl')

/** Memories that runs of a data folder learned in. */
const memoriesOfRuns = (dataPath: string): Promise<ReadonlySet<string>> =>
  getNamedSet(join(dataPath, 'runs'), 'run.json')

/** What My memory is called when it is made. */
const NAME = 'My memory'
/** Earlier versions kept asks in a memory of this name, and what programs share in one of that. */
const ASKS_BEFORE = 'My work'
const PROGRAMS_BEFORE = 'Agent KB'

const recordSchema = z.object({
  format: z.literal(1),
  /** Id of My memory. */
  mine: z.string().min(1),
  /** False from when it is decided until its folder is made and named. */
  ready: z.boolean(),
  /** Memories of which a person has to say whether one is theirs; empty once it is decided. */
  candidates: z.array(z.string()),
  /** Id of the memory that was My memory and whose folder is gone; null in general. */
  lost: z.string().nullable(),
  /** Whether what asks in folders have taught was put into projects of these names, which earlier versions had not. */
  scoped: z.boolean(),
  /** Memories that a person is offered to take into My memory. */
  offers: z.array(z.string()),
})
export type MyMemoryRecord = z.infer<typeof recordSchema>

/** Which memory is a person's lasting one: decided once, kept in `my-memory.json` of the data folder. */
export type MyMemory = Awaited<ReturnType<typeof openMyMemory>>

/** A new id of a memory. */
export const newMemoryId = (): string => `space-${randomBytes(5).toString('hex')}`

/**
 * Reads the record of a locked data folder. Where there is none it is decided: "My work" becomes My memory, else a new one is made; what it
 * cannot know it leaves for the person to decide.
 * Decided anew where the record and its copy are damaged.
 */
export async function openMyMemory(dataPath: string, now: () => Date) {
  const path = join(dataPath, 'my-memory.json')
  const serial = createSerial()
  const before = await readRecord(path, recordSchema.nullable(), null)
  const isThere =
    before !== null && (!before.ready || (await isFolder(join(dataPath, 'spaces', before.mine))))
  let record = isThere ? before : await firstRecord(dataPath, before?.mine ?? null)
  const write = async (next: MyMemoryRecord): Promise<void> => {
    await writeRecord(path, next)
    record = next
  }
  if (!record.ready) {
    // Written first, so that a Loam that is killed meanwhile makes the same one and no second.
    await write(record)
    await makeMine(join(dataPath, 'spaces', record.mine), record.mine, now())
    await write({ ...record, ready: true })
  }
  return {
    id: (): string => record.mine,
    record: (): MyMemoryRecord => record,
    /** Answers the question which memory is the person's own. @throws LoamError `CONFLICT` where nothing is to be decided, `BAD_INPUT` for another memory */
    decide: (id: string): Promise<void> =>
      serial(async () => {
        if (record.candidates.length === 0)
          throw new LoamError('CONFLICT', 'My memory is decided.', {
            suggestion: 'Take what you want of another memory into it.',
          })
        if (id !== record.mine && !record.candidates.includes(id))
          throw new LoamError('BAD_INPUT', `${id} is none of the memories in question.`, {
            suggestion: `They are ${[...record.candidates, record.mine].join(', ')}.`,
          })
        await write({ ...record, mine: id, candidates: [], lost: null })
      }),
    /** Notes that what asks in folders have taught is in projects now. */
    markScoped: (): Promise<void> => serial(() => write({ ...record, scoped: true })),
    /** Offers a memory no longer. */
    dropOffer: (id: string): Promise<void> =>
      serial(() => write({ ...record, offers: record.offers.filter((offer) => offer !== id) })),
  }
}

/** What is decided where nothing is written down yet. `lost`: the memory whose folder is gone. */
async function firstRecord(dataPath: string, loss: string | null): Promise<MyMemoryRecord> {
  const items = await memoriesIn(dataPath)
  const getReferences = (name: string): string[] =>
    items.flatMap((one) => (one.name === name ? [one.id] : []))
  const offers = getReferences(PROGRAMS_BEFORE)
  const [asks, ...more] = getReferences(ASKS_BEFORE)
  const scoped = (await namesIn(join(dataPath, 'asks'))).length === 0
  const shared = { format: 1 as const, ready: false, lost: loss, offers, scoped }
  if (asks !== undefined && more.length === 0) return { ...shared, mine: asks, candidates: [] }
  return { ...shared, mine: newMemoryId(), candidates: await candidatesAmong(dataPath, items, offers) }
}

/** Memories that may be a person's own: those that asks are kept in, and those that no run has made. */
async function candidatesAmong(
  dataPath: string,
  items: readonly { readonly id: string }[],
  offers: readonly string[],
): Promise<string[]> {
  const askedSet = await memoriesOfAsks(dataPath)
  const run = await memoriesOfRuns(dataPath)
  return items.map(({ id }) => id).filter((id) => !offers.includes(id) && (askedSet.has(id) || !run.has(id)))
}

/** The memories of the data folder; the name of a damaged one is empty. */
async function memoriesIn(dataPath: string): Promise<{ id: string; name: string }[]> {
  const folder = join(dataPath, 'spaces')
  const items: { id: string; name: string }[] = []
  for (const id of await namesIn(folder)) {
    const text = await readFile(join(folder, id, 'space.json'), 'utf8').catch(() => null)
    if (text === null) continue
    const file = await readMemoryFile(join(folder, id)).catch(() => null)
    items.push({ id, name: file?.name ?? '' })
  }
  return items
}

async function makeMine(folder: string, id: string, now: Date): Promise<void> {
  await claimMemoryFolder(folder)
  const file = await readMemoryFile(folder)
  if (!file) await createMemoryFile(folder, { id, name: NAME, createdAt: now.toISOString() })
  else if (file.name === ASKS_BEFORE) await renameMemoryFile(folder, NAME)
}

const isFolder = async (path: string): Promise<boolean> =>
  (await stat(path).catch(() => null))?.isDirectory() === true
