import { readFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { z } from 'zod'
import { readForeignText } from '../../ground/isolate/foreign-text'
import type { LeftOutFile } from '../../../shared/domain/model'
import { findGgufFiles } from '../gguf-files'
import { type ModelStore, listOrNothing, nameBelow } from './store'
import { folderOr } from '../../ground/data-path'

const MANIFEST = /^manifest=([^=]+)=([^=]+)=([^=]+)\.json$/
const manifestSchema = z.object({ ggufFile: z.object({ rfilename: z.string() }) })

/** llama.cpp's own downloads (`-hf`): OWNER_REPO_FILE.gguf, with manifest=OWNER=REPO=TAG.json that says which file a tag is. */
export const llamaCache: ModelStore = {
  id: 'llama-cpp-cache',
  title: 'llama.cpp',
  folders: ({ env, home, platform }) => {
    const name = env['LLAMA_CACHE']
    const usual = {
      darwin: join(home, 'Library', 'Caches', 'llama.cpp'),
      win32: join(env['LOCALAPPDATA'] ?? join(home, 'AppData', 'Local'), 'llama.cpp'),
    }
    const other = join(folderOr(env['XDG_CACHE_HOME'], join(home, '.cache')), 'llama.cpp')
    const folder = platform === 'darwin' || platform === 'win32' ? usual[platform] : other
    return name === undefined || name === '' ? [folder] : [...new Set([name, folder])]
  },
  async read(folder, signal) {
    const { files, left } = await findGgufFiles(folder, signal)
    const { tags, missing } = await readManifests(folder, new Set(files.map(({ path }) => basename(path))))
    return {
      models: files.map((file) => ({
        ...file,
        name: (dirname(file.path) === folder && tags.get(basename(file.path))) || nameBelow(folder, file),
      })),
      left: [...left, ...missing],
    }
  },
}

async function readManifests(folder: string, present: ReadonlySet<string>) {
  const tags = new Map<string, string>()
  const gaps: LeftOutFile[] = []
  for (const name of await listOrNothing(folder)) {
    const [, owner, repo, tag] = MANIFEST.exec(name) ?? []
    if (owner === undefined || repo === undefined || tag === undefined) continue
    const path = join(folder, name)
    try {
      const { ggufFile } = manifestSchema.parse(
        await readForeignText(await readFile(path, 'utf8'), path, 'json'),
      )
      const file = `${owner}_${repo}_${ggufFile.rfilename}`.replaceAll('/', '_')
      if (present.has(file)) tags.set(file, `${owner}/${repo}:${tag}`)
      else gaps.push({ path, why: `It names ${file}, which is not here.` })
    } catch {
      gaps.push({ path, why: 'It is not a list of files as llama.cpp writes it.' })
    }
  }
  return { tags, missing: gaps }
}
