import { implement } from '@orpc/server'
import { contract } from '../../shared/contract'
import type { App } from '../app'

const os = implement(contract).documents

/** A person's own files as memory. */
export const documentsRouter = ({ documents }: App) => ({
  list: os.list.handler(({ input }) => documents.list(input.spaceId)),
  add: os.add.handler(({ input }) => documents.add(input.spaceId, input.path)),
  sync: os.sync.handler(({ input }) => documents.sync(input.spaceId, input.folderId)),
  lastSync: os.lastSync.handler(({ input }) => documents.lastSync(input.folderId)),
  remove: os.remove.handler(({ input }) => documents.remove(input.spaceId, input.folderId)),
  open: os.open.handler(({ input }) => documents.open(input.spaceId, input.passageId)),
})
