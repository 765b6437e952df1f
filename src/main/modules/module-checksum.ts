import { createHash } from 'node:crypto'
import { lstat, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { LoamError } from '../../shared/errors'

const MOST_FILES = 5000
const MOST_BYTES = 100 * 1024 * 1024

/** Every file below a folder, in order. @throws LoamError `MODULE` for links, and for more than a module may bring */
async function filesOf(folder: string): Promise<{ readonly name: string; readonly path: string }[]> {
  const files: { name: string; path: string }[] = []
  let bytes = 0
  const visit = async (below: string): Promise<void> => {
    for (const entry of (await readdir(join(folder, below), { withFileTypes: true })).sort((a, b) =>
      a.name < b.name ? -1 : 1,
    )) {
      const name = below === '' ? entry.name : `${below}/${entry.name}`
      const path = join(folder, name)
      if (entry.isDirectory()) await visit(name)
      else if (entry.isFile()) {
        bytes += (await lstat(path)).size
        files.push({ name, path })
        if (files.length > MOST_FILES || bytes > MOST_BYTES)
          throw new LoamError('MODULE', `${folder} holds more than ${MOST_FILES} files or 100 MiB.`, {
            suggestion: 'Name the folder of the module alone.',
          })
      } else
        throw new LoamError('MODULE', `${path} is a link.`, {
          suggestion: 'Put the file itself in its place, and add the module again.',
        })
    }
  }
  await visit('')
  return files
}

/** SHA-256 of every file of a module, names included. @throws LoamError `MODULE` */
export async function checksumOf(folder: string): Promise<string> {
  const hash = createHash('sha256')
  for (const { name, path } of await filesOf(folder)) {
    const bytes = await readFile(path)
    hash.update(`${name}\n${bytes.length}\n`).update(bytes)
  }
  return hash.digest('hex')
}
