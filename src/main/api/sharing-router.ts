import { implement } from '@orpc/server'
import { contract } from '../../shared/contract'
import type { App } from '../app'
import type { AgentWrite } from '../share/write-ledger'
import { serveMemory, writtenInto } from './serve-memory'
import { serveKb } from './serve-kb'
import { serveProxy } from './serve-proxy'

const os = implement(contract).sharing

const shown = ({ events: _, ...write }: AgentWrite) => write

/** A space as programs outside use it. */
export const sharingRouter = (app: App) => ({
  writes: os.writes.handler(async ({ input }) =>
    (await (await writtenInto(app, input.spaceId)).writes()).map(shown),
  ),
  decide: os.decide.handler(async ({ input: { spaceId, writeId, keep } }) =>
    shown(await (await writtenInto(app, spaceId)).decide(writeId, keep)),
  ),
  undo: os.undo.handler(async ({ input: { spaceId, writeId } }) =>
    shown(await (await writtenInto(app, spaceId)).undo(writeId, null)),
  ),
  serveMemory: os.serveMemory.handler(({ input, signal }) => serveMemory(app, input, signal)),
  serveKb: os.serveKb.handler(({ input, signal }) => serveKb(app, input, signal)),
  serveProxy: os.serveProxy.handler(({ input, signal }) => serveProxy(app, input, signal)),
})
