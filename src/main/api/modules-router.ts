import { implement } from '@orpc/server'
import { contract } from '../../shared/contract'
import type { App } from '../app'

const os = implement(contract).modules

/** Modules from outside. */
export const modulesRouter = ({ modules }: App) => ({
  list: os.list.handler(() => modules.list()),
  add: os.add.handler(({ input, signal }) => modules.add(input.source, signal)),
  allow: os.allow.handler(({ input }) => modules.allow(input.name)),
  deny: os.deny.handler(({ input }) => modules.deny(input.name)),
  remove: os.remove.handler(({ input }) => modules.remove(input.name)),
})
