import { implement } from '@orpc/server'
import { contract } from '../../shared/contract'
import type { App } from '../app'

const os = implement(contract).files

/** A person's own files as memory. */
export const filesRouter = ({ files }: App) => ({
  list: os.list.handler(({ input }) => files.list(input.memoryId)),
  add: os.add.handler(({ input }) => files.add(input.memoryId, input.path)),
  sync: os.sync.handler(({ input }) => files.sync(input.memoryId, input.folderId)),
  lastSync: os.lastSync.handler(({ input }) => files.lastSync(input.folderId)),
  remove: os.remove.handler(({ input }) => files.remove(input.memoryId, input.folderId)),
  open: os.open.handler(({ input }) => files.open(input.memoryId, input.passageId)),
})
