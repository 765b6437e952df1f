import { existsSync, lstatSync, readdirSync, rmSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { pathToFileURL } from 'node:url'
import { root } from './build-if-needed.mjs'

const HELP = `npm run slim -- [--dry-run] [--at-most N]

  Takes out of node_modules what this machine cannot use: runtimes for other systems and processors, and maps of packages' own sources.
  --dry-run  only says what it would take out
  --at-most N  fails where more than N MiB are there afterwards

npm ci brings everything back.
`

/** Files that no program here opens: maps for debugging other people's packages, and builds for browsers and for debugging. */
const UNUSED = [
  /\.map$/,
  /^sql\.js\/dist\/(?!$|sql-wasm\.(js|wasm)$)/,
  /^pdfjs-dist\/(build|web|image_decoders)\/.*\.(mjs|js)$/,
  /^mathjs\/lib\/browser\//,
]

const slashed = (path) => path.split(sep).join('/')

/**
 * What of a folder of packages this machine does not use, as paths below it with slashes, each with the reason.
 */
export function surplusOf(modules, { platform = process.platform, arch = process.arch } = {}) {
  const surplus = []
  const add = (path, why) => surplus.push({ path: slashed(relative(modules, path)), why })
  const namesIn = (folder) => (existsSync(folder) ? readdirSync(folder) : [])

  // llama.cpp comes as a package for every system, of which some say that they can be used from others.
  for (const name of namesIn(join(modules, '@node-llama-cpp'))) {
    const [system, processor] = name.split('-')
    const own = { linux: 'linux', darwin: 'mac', win32: 'win' }[platform]
    const path = join(modules, '@node-llama-cpp', name)
    if (system !== own || processor !== arch) add(path, 'for another system or processor')
  }
  // ONNX's runtime comes with all systems in one package.
  for (const version of namesIn(join(modules, 'onnxruntime-node', 'bin'))) {
    const folder = join(modules, 'onnxruntime-node', 'bin', version)
    for (const system of namesIn(folder)) {
      if (system !== platform) add(join(folder, system), 'for another system')
      else
        for (const processor of namesIn(join(folder, system)))
          if (processor !== arch) add(join(folder, system, processor), 'for another processor')
    }
  }
  const gone = surplus.map(({ path }) => `${path}/`)
  for (const entry of readdirSync(modules, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue
    const path = slashed(relative(modules, join(entry.parentPath, entry.name)))
    if (UNUSED.some((pattern) => pattern.test(path)) && !gone.some((folder) => path.startsWith(folder)))
      surplus.push({ path, why: 'read by no program here' })
  }
  return surplus
}

/** Bytes of a file, or of all files below a folder. */
export function bytesOf(path) {
  const info = lstatSync(path)
  if (!info.isDirectory()) return info.size
  return readdirSync(path).reduce((sum, name) => sum + bytesOf(join(path, name)), 0)
}

const mebibytes = (bytes) => `${Math.round(bytes / 1_048_576)} MiB`

function main(args) {
  if (args.includes('--help')) return process.stdout.write(HELP)
  const modules = join(root, 'node_modules')
  const surplus = surplusOf(modules)
  const sums = new Map()
  for (const { path, why } of surplus) {
    const whole = join(modules, path)
    sums.set(why, (sums.get(why) ?? 0) + bytesOf(whole))
    if (!args.includes('--dry-run')) rmSync(whole, { recursive: true, force: true })
  }
  for (const [why, bytes] of sums) process.stdout.write(`${mebibytes(bytes)} ${why}\n`)
  const rest = bytesOf(modules)
  process.stdout.write(`node_modules has ${mebibytes(rest)}.\n`)
  const at = args.indexOf('--at-most')
  const limit = at < 0 ? Infinity : Number(args[at + 1])
  if (!(rest <= limit * 1_048_576)) {
    process.stderr.write(`That is more than ${limit} MiB.\n`)
    process.exitCode = 1
  }
  return undefined
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) main(process.argv.slice(2))
