import { serveTools } from '../tool-servers/serve'
import type { AnyToolServer } from '../tool-servers/module'
import { checksumOf } from './module-checksum'
import { importModule } from './module-code'
import { readManifest } from './manifest'
import { SEAM_LISTS } from './seams'

// A tool server from outside in a process of its own: its folder, then what `loam mcp` takes.
const [folder = '', ...argv] = process.argv.slice(2)
const module = await importModule(folder, await readManifest(folder), await checksumOf(folder))
SEAM_LISTS['tool-server'].check(module)
process.exit(await serveTools(argv, [module as AnyToolServer]))
