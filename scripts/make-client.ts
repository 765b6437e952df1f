import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { clientPackage } from './client-package'

// Writes the package `loam-client` into a folder: node --import tsx scripts/make-client.ts FOLDER
const [, , folder] = process.argv
if (folder === undefined) throw new Error('Name the folder that it is written to.')
const source = await readFile(resolve(import.meta.dirname, '../packages/loam-client/src/client.ts'), 'utf8')
await rm(folder, { recursive: true, force: true })
await mkdir(folder, { recursive: true })
for (const [name, text] of Object.entries(await clientPackage(source)))
  await writeFile(join(folder, name), text)
