import { app } from './app'
import { asks } from './asks'
import { servers } from './servers'
import { softPrompts } from './soft-prompts'
import { curves } from './curves'
import { downloads } from './downloads'
import { files } from './files'
import { engine } from './engine'
import { environments } from './environments'
import { experiments } from './experiments'
import { items } from './items'
import { jobs } from './jobs'
import { guides } from './guides'
import { methods } from './methods'
import { models } from './models'
import { modules } from './modules'
import { runs } from './runs'
import { sharing } from './sharing'
import { memories } from './memories'
import { storage } from './storage'
import { streams } from './streams'
import { tools } from './tools'
import { why } from './why'

/** Its type, area by area: written out, since all of it at once is longer than the compiler writes into a declaration. */
export type Contract = {
  app: typeof app
  asks: typeof asks
  engine: typeof engine
  models: typeof models
  modules: typeof modules
  downloads: typeof downloads
  servers: typeof servers
  streams: typeof streams
  environments: typeof environments
  methods: typeof methods
  memories: typeof memories
  runs: typeof runs
  experiments: typeof experiments
  curves: typeof curves
  why: typeof why
  items: typeof items
  files: typeof files
  sharing: typeof sharing
  storage: typeof storage
  guides: typeof guides
  softPrompts: typeof softPrompts
  tools: typeof tools
  jobs: typeof jobs
}

/** The one contract, an area a file. Window, REST, CLI and tests all derive from it. */
export const contract: Contract = {
  app,
  asks,
  engine,
  models,
  modules,
  downloads,
  servers,
  streams,
  environments,
  methods,
  memories,
  runs,
  experiments,
  curves,
  why,
  items,
  files,
  sharing,
  storage,
  guides,
  softPrompts,
  tools,
  jobs,
}
