import { implement } from '@orpc/server'
import { contract } from '../../shared/contract'
import type { App } from '../app'
import type { Proposal } from '../share/proposal-ledger'
import { serveMemory, writtenInto } from './serve-memory'
import { createKey, readKeys, removeKey } from './program-keys'
import { servedInfo, startServing } from './window-sharing'
import { serveKb } from './serve-kb'
import { serveProxy } from './serve-proxy'

const os = implement(contract).sharing

const getView = ({ events: _, ...write }: Proposal) => write

/** A memory as programs outside use it. */
export const sharingRouter = (app: App) => ({
  writes: os.writes.handler(async ({ input }) =>
    (await (await writtenInto(app, input.memoryId)).writes()).map(getView),
  ),
  decide: os.decide.handler(async ({ input: { memoryId, proposalId, keep } }) =>
    getView(await (await writtenInto(app, memoryId)).decide(proposalId, keep)),
  ),
  undo: os.undo.handler(async ({ input: { memoryId, proposalId } }) =>
    getView(await (await writtenInto(app, memoryId)).undo(proposalId, null)),
  ),
  served: os.served.handler(() => app.serving.list().map(servedInfo)),
  start: os.start.handler(({ input }) => startServing(app, input)),
  stop: os.stop.handler(({ input }) => app.serving.stop(input.id)),
  keys: os.keys.handler(async () => (await readKeys(app.data.path)).map(({ sha256: _, ...info }) => info)),
  createKey: os.createKey.handler(async ({ input }) => ({
    key: await createKey(app.data.path, input, app.clock.now()),
  })),
  removeKey: os.removeKey.handler(({ input }) => removeKey(app.data.path, input.name)),
  serveMemory: os.serveMemory.handler(({ input, signal }) => serveMemory(app, input, signal)),
  serveKb: os.serveKb.handler(({ input, signal }) => serveKb(app, input, signal)),
  serveProxy: os.serveProxy.handler(({ input, signal }) => serveProxy(app, input, signal)),
})
