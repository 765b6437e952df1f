import { execFileSync } from 'node:child_process'
import { cp } from 'node:fs/promises'
import { join, resolve } from 'node:path'

// The types are written from the contract and the tools of the memory server as they are now.
const root = resolve(import.meta.dirname, '../..')
const dist = join(import.meta.dirname, 'dist')
execFileSync(process.execPath, ['--import', 'tsx', join(root, 'scripts/make-client.ts'), dist], {
  cwd: root,
  stdio: 'inherit',
})
await cp(join(root, 'LICENSE'), join(dist, 'LICENSE'))
