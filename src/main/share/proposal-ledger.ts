import { readRecord, writeRecord } from '../ground/record-file'
import { mkdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { z } from 'zod'
import { parseMemoryEvent, type MemoryEvent } from '../../core/memory/events'
import { proposalSchema } from '../../shared/domain/sharing'
import { LoamError } from '../../shared/errors'
import { withFileLock } from '../ground/file-lock'

/** The same as it is kept, with what is committed when a held one is kept; empty afterwards. */
const writeSchema = proposalSchema.extend({ events: z.array(z.unknown()) })
export type Proposal = z.infer<typeof writeSchema>

const fileSchema = z.object({ format: z.literal(1), writes: z.array(writeSchema) })

/** The newest writes are remembered; older ones can only be undone item by item. */
const MOST_WRITES = 5000

/** The ledger of the memory in a folder. */
export function openProposalLedger(folder: string) {
  const path = join(folder, 'shared', 'writes.json')
  const read = async (): Promise<Proposal[]> => {
    const none = { format: 1 as const, writes: [] }
    return (await readRecord(path, fileSchema, none)).writes
  }
  const change = async (next: (writes: Proposal[]) => Proposal[]): Promise<void> => {
    await mkdir(dirname(path), { recursive: true })
    // Several servers of one memory keep a ledger each.
    await withFileLock(path, async () => {
      const writes = next(await read())
      await writeRecord(path, { format: 1, writes: writes.slice(-MOST_WRITES) })
    })
  }
  const find = (writes: readonly Proposal[], id: string): Proposal => {
    const match = writes.find((write) => write.id === id)
    if (match) return match
    throw new LoamError('NOT_FOUND', `There is no write ${id} in this memory.`, {
      suggestion: 'List the writes to see their ids.',
    })
  }
  return {
    list: read,
    /** @throws LoamError `NOT_FOUND` */
    get: async (id: string): Promise<Proposal> => find(await read(), id),
    add: (write: Proposal) => change((writes) => [...writes, write]),
    /** @throws LoamError `NOT_FOUND` */
    async settle(id: string, state: Proposal['state']): Promise<Proposal> {
      await change((writes) => {
        const match = find(writes, id)
        return writes.map((write) => (write === match ? { ...write, state, events: [] } : write))
      })
      return find(await read(), id)
    },
  }
}

/** The events of a held write, checked again. @throws LoamError `BAD_INPUT` */
export const eventsOf = ({ events }: Proposal): MemoryEvent[] => events.map(parseMemoryEvent)
