import {
  copyFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'
import { root } from '../build-if-needed.mjs'

/** Packages that an installed Loam does without, each with the reason. */
const WITHOUT = [
  // Fetched when a person with such a card asks for it: they are larger than everything else together.
  /^@node-llama-cpp\/.*-(cuda|cuda-ext|vulkan)$/,
  // Systems that Loam does not run on, and what reads no PDF's text: small packages stand in their place.
  /^@node-llama-cpp\/linux-(armv7l|riscv64)$/,
  /^@napi-rs\/canvas$/,
  // An optional helper of LanceDB that Loam never calls.
  /^openai$/,
  // Types alone.
  /^(@types\/.*|undici-types)$/,
  // For browsers.
  /^onnxruntime-web$/,
]

/** Files of packages that no program reads when it runs. */
const UNREAD = [
  /\.(d\.[cm]?ts|[cm]?ts|map|md|markdown|flow|tsbuildinfo)$/i,
  /^node_modules\/node-llama-cpp\/llama\/(gitRelease\.bundle|addon|cmake|gpuInfo|toolchains|profiles|xpack|patches)/,
  /^node_modules\/node-llama-cpp\/templates\//,
  /^node_modules\/pdfjs-dist\/(build|image_decoders|web|types)\//,
  /^node_modules\/pdfjs-dist\/legacy\/(web|image_decoders)\//,
  /^node_modules\/pdfjs-dist\/.*\.min\.mjs$/,
  /^node_modules\/sql\.js\/dist\/(?!$|sql-wasm\.(js|wasm)$)/,
  /^node_modules\/@huggingface\/transformers\/(src|types|dist\/(?!$|transformers\.node\.))/,
  /^node_modules\/mathjs\/lib\/(browser|esm)\//,
  /\/(test|tests|__tests__|docs|examples?|\.github)\//,
  /^node_modules\/@koromix\/koffi-linux-[^/]+\/musl_/,
]

const readJson = (path) => JSON.parse(readFileSync(path, 'utf8'))
const slashed = (path) => path.split(sep).join('/')
const isFor = (list, value) =>
  list === undefined ||
  (list.some((name) => !name.startsWith('!')) ? list.includes(value) : !list.includes(`!${value}`))

/** The packages that the built programs look for when they run, with all that these need, as folders below the repository's root. */
export function packagesNeeded({ platform = process.platform, arch = process.arch } = {}) {
  const { dependencies } = readJson(join(root, 'package.json'))
  const bundled = new Set(readJson(join(root, 'out', 'main', 'packages.json')))
  const folders = new Map()
  const waiting = Object.keys(dependencies)
    .filter((name) => !bundled.has(name))
    .map((name) => ({ name, from: root, needed: true }))
  for (const { name, from, needed } of waiting) {
    if (WITHOUT.some((pattern) => pattern.test(name))) continue
    const folder = findFolder(name, from)
    if (folder === null) {
      if (needed)
        throw new Error(
          `${name} is not installed, which ${relative(root, from) || 'Loam'} needs; run npm ci first.`,
        )
      continue
    }
    if (folders.has(folder)) continue
    const manifest = readJson(join(folder, 'package.json'))
    if (!isFor(manifest.os, platform) || !isFor(manifest.cpu, arch) || (manifest.cpu ?? [arch])[0] !== arch)
      continue
    folders.set(folder, manifest)
    const optional = manifest.optionalDependencies ?? {}
    const peers = Object.keys(manifest.peerDependencies ?? {}).filter(
      (peer) => !manifest.peerDependenciesMeta?.[peer]?.optional,
    )
    const names = new Set([...Object.keys(manifest.dependencies ?? {}), ...Object.keys(optional), ...peers])
    for (const next of names) {
      waiting.push({
        name: next,
        from: folder,
        needed: optional[next] === undefined && !peers.includes(next),
      })
    }
  }
  return folders
}

function findFolder(name, from) {
  for (let folder = from; folder.startsWith(root); folder = dirname(folder)) {
    const candidate = join(folder, 'node_modules', name)
    if (existsSync(join(candidate, 'package.json'))) return candidate
  }
  return null
}

/** Puts what is packed into `folder`: programs, packages, licences and a list of everything inside. Answers the packages' names. */
export function stage(folder, target = {}) {
  const { platform = process.platform, arch = process.arch } = target
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const manifest = readJson(join(root, 'package.json'))
  const { name, version, description, license, type, main } = manifest
  const own = {
    name,
    productName: 'Loam',
    version,
    description,
    license,
    type,
    main,
    author: 'Loam',
    desktopName: 'loam.desktop',
  }
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(own, null, 2)}\n`)
  copyTree(join(root, 'out'), join(folder, 'out'), (path) => !path.endsWith('.map') && path !== '.built')
  const packages = packagesNeeded(target)
  for (const from of packages.keys()) {
    const place = slashed(relative(root, from))
    copyTree(from, join(folder, place), (path) => {
      const inside = `${place}/${path}`
      // Packages inside a package are packages of their own.
      if (path === 'node_modules' || path.startsWith('node_modules/')) return false
      if (/onnxruntime-node\/bin\/napi-v\d+\/./.test(inside)) {
        const [, system, processor] = /napi-v\d+\/([^/]+)(?:\/([^/]+))?/.exec(inside)
        if (system !== platform || (processor !== undefined && processor !== arch)) return false
      }
      return !UNREAD.some((pattern) => pattern.test(inside))
    })
  }
  const all = new Map([...packages, ...bundledPackages()])
  const inside = [...new Map([...all.values()].map((one) => [`${one.name} ${one.version}`, one])).values()]
  writeFileSync(join(folder, 'licences.txt'), `${licenceTexts(inside, all)}${drawings()}`)
  writeFileSync(join(folder, 'sbom.json'), `${JSON.stringify(bill(manifest, inside), null, 2)}\n`)
  return inside.map((one) => one.name)
}

/** Manifests of the packages that are inside the bundles of host and window, by their folders. */
function bundledPackages() {
  const names = ['main', 'renderer'].flatMap((part) => readJson(join(root, 'out', part, 'packages.json')))
  return new Map(
    [...new Set(names)].map((name) => {
      const folder = join(root, 'node_modules', name)
      return [folder, readJson(join(folder, 'package.json'))]
    }),
  )
}

/** Copies the files below a folder that `isWanted` (their path from there, with slashes); linked where one file system holds both. */
function copyTree(from, to, isWanted, inside = '') {
  for (const entry of readdirSync(join(from, inside), { withFileTypes: true })) {
    const path = inside === '' ? entry.name : `${inside}/${entry.name}`
    if (!isWanted(entry.isDirectory() ? `${path}/` : path) || (entry.isDirectory() && !isWanted(path)))
      continue
    if (entry.isDirectory()) copyTree(from, to, isWanted, path)
    else if (entry.isFile()) {
      mkdirSync(dirname(join(to, path)), { recursive: true })
      try {
        linkSync(join(from, path), join(to, path))
      } catch {
        copyFileSync(join(from, path), join(to, path))
      }
    }
  }
}

/** What is drawn by others in the window's own source. */
const drawings = () => {
  const text = readFileSync(join(root, 'resources', 'licences', 'lucide.txt'), 'utf8').trim()
  return `\n${'-'.repeat(100)}\n\nIcons of Lucide: ISC\n\n${text}\n`
}

const licenceName = ({ license, licenses }) =>
  typeof license === 'string'
    ? license
    : (license?.type ?? licenses?.map(({ type }) => type).join(' OR ') ?? 'not named')

function licenceTexts(manifests, folders) {
  const places = new Map([...folders].map(([folder, manifest]) => [manifest, folder]))
  const parts = [...manifests]
    .sort((a, b) => a.name.localeCompare(b.name))
    .map((manifest) => {
      const folder = places.get(manifest)
      const file = readdirSync(folder).find((name) => /^(licen[cs]e|copying|notice)/i.test(name))
      const text = file === undefined ? '' : `\n\n${readFileSync(join(folder, file), 'utf8').trim()}`
      return `${manifest.name} ${manifest.version}: ${licenceName(manifest)}${text}`
    })
  const own = readFileSync(join(root, 'LICENSE'), 'utf8').trim()
  return `${[`Loam\n\n${own}`, ...parts].join(`\n\n${'-'.repeat(100)}\n\n`)}\n`
}

/** A bill of materials as CycloneDX 1.6 describes it. */
function bill({ version, license }, manifests) {
  const component = (name, itsVersion, itsLicence) => ({
    type: 'library',
    name,
    version: itsVersion,
    purl: `pkg:npm/${name.replace('@', '%40')}@${itsVersion}`,
    licenses: [
      / (OR|AND) /.test(itsLicence) ? { expression: itsLicence } : { license: { name: itsLicence } },
    ],
  })
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: {
      component: { type: 'application', name: 'loam', version, licenses: [{ license: { id: license } }] },
    },
    components: [...manifests]
      .sort((a, b) => a.name.localeCompare(b.name))
      .map((manifest) => component(manifest.name, manifest.version, licenceName(manifest))),
  }
}
