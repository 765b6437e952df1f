import { readdir } from 'node:fs/promises'
import { isAbsolute, join } from 'node:path'
import type { LeftOutFile } from '../../../shared/domain/model'
import { errnoOf } from '../../ground/errno'
import { findGgufFiles, unreadable } from '../gguf-files'
import { type ModelStore, type StoredModel, type StoreWorld, nameBelow } from './store'
import { folderOr } from '../../ground/data-path'

/** Where the hub's own programs keep what they download: HF_HUB_CACHE, HUGGINGFACE_HUB_CACHE, HF_HOME, XDG_CACHE_HOME, else `~/.cache`. */
export function hubCaches({ env, home }: StoreWorld): readonly string[] {
  const references = [
    env['HF_HUB_CACHE'],
    env['HUGGINGFACE_HUB_CACHE'],
    env['HF_HOME'] && join(env['HF_HOME'], 'hub'),
  ].filter((path): path is string => path !== undefined && isAbsolute(path))
  const usual = join(folderOr(env['XDG_CACHE_HOME'], join(home, '.cache')), 'huggingface', 'hub')
  return [...new Set([...references, usual])]
}

/**
 * The hub's cache: models--OWNER--NAME with snapshots of links into blobs (plain files on Windows). The link's path is kept, since the
 * parts of a model find each other by their names.
 */
export const huggingFace: ModelStore = {
  id: 'hugging-face',
  title: 'Hugging Face',
  folders: hubCaches,
  async read(folder, signal) {
    const models: StoredModel[] = []
    const rest: LeftOutFile[] = []
    const list = (path: string): Promise<string[]> =>
      readdir(path).then(
        (names) => names.sort(),
        (error: unknown) => {
          if (errnoOf(error) !== 'ENOENT') rest.push({ path, why: unreadable(error) })
          return []
        },
      )
    for (const name of await list(folder)) {
      if (!name.startsWith('models--')) continue
      signal?.throwIfAborted()
      const repo = name.slice('models--'.length).replaceAll('--', '/')
      const snapshots = join(folder, name, 'snapshots')
      let foundCount = 0
      for (const revision of await list(snapshots)) {
        const snapshot = join(snapshots, revision)
        const { files, left: others } = await findGgufFiles(snapshot, signal)
        models.push(...files.map((file) => ({ ...file, name: `${repo}/${nameBelow(snapshot, file)}` })))
        rest.push(...others)
        foundCount += files.length
      }
      const blobs = join(folder, name, 'blobs')
      // Of other kinds of models nothing is said: only what may become a GGUF.
      if (foundCount > 0 || /gguf/i.test(repo))
        for (const blob of await list(blobs))
          if (blob.endsWith('.incomplete'))
            rest.push({ path: join(blobs, blob), why: `It is a download of ${repo} that was not finished.` })
    }
    return { models, left: rest }
  },
}
