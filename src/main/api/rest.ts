import { Hono } from 'hono'
import type { App } from '../app'
import { MY_MEMORY } from '../../shared/domain/memory-info'
import { readKeys } from './program-keys'
import { contractRest } from './contract-rest'
import { kbRest } from './kb-rest'
import { callersWith, createRestGuard } from './rest-guard'
import type { LoamRouter } from './transports'

/** Everything that other programs reach over HTTP, behind one gate: the contract, and Agent KB's own protocol. */
export function createRest(app: App, router: LoamRouter): Hono {
  const guard = createRestGuard({ caller: callersWith(() => readKeys(app.data.path)) })
  const rest = new Hono()
  rest.route('/', kbRest({ kb: app.kb, guard, defaultMemory: () => app.memories.resolve(MY_MEMORY) }))
  rest.route(
    '/',
    contractRest({
      router,
      guard,
      version: app.resources.version,
      onBug: (error, procedure) => app.logger.error('a call failed unexpectedly', { procedure, error }),
    }),
  )
  return rest
}
