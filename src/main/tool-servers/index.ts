import { moduleList } from '../../core/ground/module-list'
import { captions } from './captions'
import { code } from './code'
import { crawl } from './crawl'
import { documents } from './documents'
import { math } from './math'
import type { AnyToolServer } from './module'
import { search } from './search'

/** The servers that come with Loam, in the order in which people see them. What they work with is loaded when one is opened. */
export const TOOL_SERVERS = moduleList<AnyToolServer>([code, math, documents, search, crawl, captions])

/** Undefined when none has that name. */
export const toolServerOf = (id: string): AnyToolServer | undefined =>
  TOOL_SERVERS.find((server) => server.id === id)
