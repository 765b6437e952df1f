import { formatInfo, FORMATS } from '../../core/formats'
import type { Format } from '../../core/formats/format'
import type { EnvironmentModule } from '../../core/ground/environment-module'
import { methodInfo, type Method } from '../../core/ground/method'
import type { ModuleList } from '../../core/ground/module-list'
import { settingFields } from '../../core/ground/settings'
import { MEMORY_KINDS } from '../../core/memory'
import type { MemoryKindModule } from '../../core/memory/items/kind'
import { METHODS } from '../../core/methods'
import { ENVIRONMENTS } from '../../core/tasks'
import { formatInfoSchema } from '../../shared/domain/format'
import { memoryKindInfoSchema } from '../../shared/domain/item'
import { methodInfoSchema } from '../../shared/domain/method'
import type { Seam } from '../../shared/domain/module'
import { TOOL_SERVERS } from '../tool-servers'
import type { AnyToolServer } from '../tool-servers/module'
import { optionFields } from '../tool-servers/options'
import { PROVIDERS } from '../providers'
import type { ProviderModule } from '../providers/provider'

/** A place where modules are added. */
export interface SeamList {
  /** Ids that are taken. */
  ids(): string[]
  /** The id of a module that has what this seam asks for. @throws Error or ZodError naming what it lacks */
  check(module: object): string
  /** Puts a module that was checked into the list; the function that it answers takes it out. */
  enter(module: object): () => void
}

function seam<T extends object>(
  list: ModuleList<T>,
  calls: readonly (keyof T & string)[],
  idOf: (module: T) => string,
  check: (module: T) => void,
): SeamList {
  return {
    ids: () => list.map(idOf),
    check(module) {
      for (const name of calls)
        if (typeof (module as Record<string, unknown>)[name] !== 'function')
          throw new Error(`it has no function "${name}"`)
      check(module as T)
      return idOf(module as T)
    },
    enter: (module) => list.enter(module as T),
  }
}

const needs = (parts: Readonly<Record<string, unknown>>): void => {
  for (const [name, part] of Object.entries(parts))
    if (part === undefined || part === '') throw new Error(`it has no "${name}"`)
}

/** Every seam, with its list and what its modules must have. */
export const SEAM_LISTS: Readonly<Record<Seam, SeamList>> = {
  method: seam<Method>(
    METHODS,
    ['recall', 'learn'],
    ({ info }) => info.id,
    (method) => void methodInfoSchema.parse(methodInfo(method)),
  ),
  environment: seam<EnvironmentModule>(
    ENVIRONMENTS,
    ['recognises', 'read', 'open', 'verifier', 'actions', 'writeAction'],
    ({ id }) => id,
    ({ id, words, colour, play, prompts, settings, sample }) => {
      needs({ id, words, colour, play, prompts, settings, sample })
      const { title, tasks, about, solved, source, domain } = words
      needs({ title, tasks, about, solved, source, domain })
      settingFields(settings)
    },
  ),
  provider: seam<ProviderModule>(
    PROVIDERS,
    ['owns', 'open'],
    ({ id }) => id,
    ({ id, title, help, settings, can }) => {
      needs({ id, title, help, settings, can })
      settingFields(settings)
    },
  ),
  format: seam<Format>(
    FORMATS,
    [],
    ({ id }) => id,
    (format) => {
      const { writes, reads } = formatInfoSchema.parse(formatInfo(format))
      if (!writes && !reads) throw new Error('it neither reads nor writes')
      if (writes !== (format.fileName !== undefined)) throw new Error('it needs both "write" and "fileName"')
    },
  ),
  'tool-server': seam<AnyToolServer>(
    TOOL_SERVERS,
    ['forRun', 'open'],
    ({ id }) => id,
    (server) => {
      needs({ about: server.about, title: server.title, tools: server.tools, options: server.options })
      optionFields(server)
    },
  ),
  'memory-kind': seam<MemoryKindModule>(
    MEMORY_KINDS,
    ['heads', 'head', 'read', 'features', 'mark', 'edit', 'remove', 'restore', 'toLine', 'fromLine'],
    ({ info }) => info.id,
    ({ info }) => void memoryKindInfoSchema.parse(info),
  ),
}
