import { createSerial } from '../../shared/serial'
import type { SpaceFiles } from '../spaces/space-files'

/** Name of the memory that programs share when they name none. */
const SHARED_KB = 'Agent KB'

/** Finds the shared memory by its name, or makes it when asked to. Answers its id, or null. */
export function sharedKbSpace(
  spaces: Pick<SpaceFiles, 'list' | 'create'>,
): (make: boolean) => Promise<string | null> {
  const serial = createSerial()
  let known: string | null = null
  return (make) =>
    serial(async () => {
      known ??= (await spaces.list()).find(({ name }) => name === SHARED_KB)?.id ?? null
      if (known === null && make) known = (await spaces.create(SHARED_KB)).id
      return known
    })
}
