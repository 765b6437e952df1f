import { execFileSync } from 'node:child_process'
import { cp, mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join, relative, resolve } from 'node:path'
import { build } from 'vite'

const here = import.meta.dirname
const root = resolve(here, '../..')
const entry = join(root, 'src/main/modules/spi.ts')
const dist = join(here, 'dist')
const { dependencies } = JSON.parse(await readFile(join(here, 'package.json'), 'utf8'))
const isOutside = (id) =>
  id.startsWith('node:') || Object.keys(dependencies).some((name) => id === name || id.startsWith(`${name}/`))

await rm(dist, { recursive: true, force: true })
await build({
  configFile: false,
  root: here,
  logLevel: 'warn',
  build: {
    outDir: dist,
    minify: false,
    lib: { entry, formats: ['es'], fileName: () => 'index.js' },
    rollupOptions: { external: isOutside },
  },
})

// The declarations, as the type check of the repository writes them, with whatever they import.
execFileSync(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-b', join(root, 'src/main')])
const declarations = join(root, '.cache/tsc')
const isFile = (path) =>
  stat(path).then(
    (found) => found.isFile(),
    () => false,
  )
const seen = new Set()

async function copyDeclaration(path) {
  if (seen.has(path)) return
  seen.add(path)
  const text = await readFile(path, 'utf8')
  const names = [...text.matchAll(/(?:from |import\()['"](\.[^'"]+)['"]/g)].map(([, name]) => name)
  let written = text
  for (const name of new Set(names)) {
    const base = resolve(dirname(path), name)
    const isFolder = !(await isFile(`${base}.d.ts`))
    await copyDeclaration(isFolder ? join(base, 'index.d.ts') : `${base}.d.ts`)
    for (const quote of [`'`, `"`])
      written = written.replaceAll(
        `${quote}${name}${quote}`,
        `${quote}${name}${isFolder ? '/index' : ''}.js${quote}`,
      )
  }
  const target = join(dist, 'types', relative(declarations, path))
  await mkdir(dirname(target), { recursive: true })
  await writeFile(target, written)
}
await copyDeclaration(join(declarations, 'main/modules/spi.d.ts'))
await cp(join(root, 'LICENSE'), join(dist, 'LICENSE'))
process.stdout.write(`loam-spi: ${seen.size} declarations\n`)
