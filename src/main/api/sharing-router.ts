import { implement } from '@orpc/server'
import { contract } from '../../shared/contract'
import type { ServedNowInfo } from '../../shared/domain/sharing'
import type { App } from '../app'
import { createAgentMemory } from '../share/agent-memory'
import type { Proposal } from '../share/proposal-ledger'
import type { ServedNow } from '../share/serving'
import { serveMemory, writtenInto, type ServeMemoryInput } from './serve-memory'
import { createKey, readKeys, removeKey } from './program-keys'
import { serveKb, type ServeKbInput } from './serve-kb'
import { existingMemory } from './serve-one-memory'
import { serveProxy, type ServeProxyInput } from './serve-proxy'

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
  signers: os.signers.handler(() => app.signers.list()),
  knowSigner: os.knowSigner.handler(({ input }) => app.signers.know(input.fingerprint, input.name)),
  revokeSigner: os.revokeSigner.handler(({ input }) => app.signers.revoke(input.fingerprint)),
  rotateKey: os.rotateKey.handler(() => app.signers.rotate()),
  removeKey: os.removeKey.handler(({ input }) => removeKey(app.data.path, input.name)),
  clients: os.clients.handler(() => app.clients.list()),
  previewClient: os.previewClient.handler(({ input }) => app.clients.preview(input.id)),
  connectClient: os.connectClient.handler(({ input }) => app.clients.connect(input.id, input.digest)),
  disconnectClient: os.disconnectClient.handler(async ({ input: { id } }) => {
    const outcome = await app.clients.disconnect(id)
    if ((await readKeys(app.data.path)).some(({ name }) => name === id)) await removeKey(app.data.path, id)
    return outcome
  }),
  causes: os.causes.handler(async ({ input: { memoryId, project }, signal }) => {
    const memory = await existingMemory(app, memoryId)
    const causes = await createAgentMemory(memory, app, { project }).causes(signal)
    return causes.map(({ words, ...cause }) => ({ ...cause, words: [...words] }))
  }),
  serveMemory: os.serveMemory.handler(({ input, signal }) => serveMemory(app, input, signal)),
  serveKb: os.serveKb.handler(({ input, signal }) => serveKb(app, input, signal)),
  serveProxy: os.serveProxy.handler(({ input, signal }) => serveProxy(app, input, signal)),
})

/** The newest requests that are shown of each. */
const MOST_REQUESTS = 50

/** Something that is served, as the window shows it. */
const servedInfo = ({ id, what, since, said: { url, key, memory }, requests }: ServedNow): ServedNowInfo => ({
  id,
  what,
  since,
  url,
  key,
  memory,
  requests: requests().slice(0, MOST_REQUESTS),
})

/** What a person starts in the window. */
type ServingInput = ServeMemoryInput &
  ServeKbInput &
  Pick<ServeProxyInput, 'model'> & { readonly what: 'memory' | 'proxy' | 'experiences' }

/** Serves a memory until it is stopped or Loam closes. */
async function startServing(
  app: App,
  { what, ...input }: Omit<ServingInput, 'client' | 'project' | 'calls'>,
): Promise<ServedNowInfo> {
  const givenInput = { ...input, client: null, project: null, calls: 'loam' as const }
  const now = await app.serving.start((signal) =>
    what === 'memory'
      ? serveMemory(app, givenInput, signal)
      : what === 'experiences'
        ? serveKb(app, givenInput, signal)
        : serveProxy(
            app,
            {
              ...givenInput,
              upstream: null,
              upstreamDialect: null,
              contextSize: null,
              terms: {},
              clients: {},
            },
            signal,
          ),
  )
  return servedInfo(now)
}
