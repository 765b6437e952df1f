import { readRecord, writeRecord } from '../ground/record-file'
import { createHash } from 'node:crypto'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { verificationSchema, type Verification } from '../../shared/domain/task'

/** The folder they are kept in, in the data folder. */
export const VERIFIED = 'verified'

/** A verification of all tasks of a stream, as it is kept. */
const keptSchema = z.object({ stream: z.string(), tasks: z.string(), verified: verificationSchema })

const fileOf = (data: string, stream: string): string =>
  join(data, VERIFIED, `${createHash('sha256').update(stream).digest('hex').slice(0, 16)}.json`)

/** Keeps what came of a stream's own solutions in a data folder. `tasks` is the hash of the tasks they are of. */
export async function keepVerification(
  data: string,
  stream: string,
  tasks: string,
  verified: Verification,
): Promise<void> {
  await mkdir(join(data, VERIFIED), { recursive: true })
  await writeRecord(fileOf(data, stream), { stream, tasks, verified })
}

/** The last verification of a stream; null when there was none of these tasks. */
export async function keptVerification(
  data: string,
  stream: string,
  tasks: string,
): Promise<Verification | null> {
  const selection = await readRecord(fileOf(data, stream), keptSchema.nullable(), null)
  return selection?.stream === stream && selection.tasks === tasks ? selection.verified : null
}
