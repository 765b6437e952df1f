import { implement } from '@orpc/server'
import { contract } from '../../shared/contract'
import type { App } from '../app'

const os = implement(contract).storage

/** Disk use, names and the trash. */
export const storageRouter = ({ storage }: App) => ({
  use: os.use.handler(() => storage.use()),
  rename: os.rename.handler(({ input: { name, ...place } }) => storage.rename(place, name)),
  remove: os.remove.handler(({ input }) => storage.remove(input)),
  trash: os.trash.handler(() => storage.trash()),
  restore: os.restore.handler(({ input }) => storage.restore(input.trashId)),
  empty: os.empty.handler(({ input }) => storage.empty(input.trashIds)),
  repairMemory: os.repairMemory.handler(({ input }) => storage.repairMemory(input.memoryId)),
})
