import spawn from 'cross-spawn'
import { cp, mkdir, mkdtemp, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import { LoamError } from '../../shared/errors'
import type { ModuleManifest } from '../../shared/domain/module'
import { checksumOf } from './module-checksum'
import { checkSpi, readManifest } from './manifest'

/** A module that was copied into the data folder. */
export interface FetchedModule {
  readonly manifest: ModuleManifest
  readonly origin: string
}

/** What is no part of a module: the interface comes from Loam, and versions stay where they are kept. */
const isOwn = (path: string): boolean => {
  const parts = path.split(/[\\/]/)
  return !parts.includes('.git') && parts.slice(-2).join('/') !== 'node_modules/loam-spi'
}

/**
 * Copies a module from a folder, or a package with all that it needs, below `modules`, in place of one of the same name. None of its code
 * runs, install scripts included.
 * @throws LoamError `MODULE`, `NETWORK_OFF`, `NOT_FOUND`, `BAD_INPUT`
 */
export async function fetchModule(
  source: string,
  modules: string,
  networkAllowed: () => boolean,
  signal?: AbortSignal,
): Promise<FetchedModule> {
  await mkdir(modules, { recursive: true })
  const work = await mkdtemp(join(modules, '.adding-'))
  try {
    const stats = await stat(resolve(source)).catch(() => null)
    const isFolder = stats?.isDirectory() === true
    if (!isFolder && stats === null) checkPackage(source, networkAllowed)
    const from = isFolder
      ? resolve(source)
      : await fetchPackage(stats === null ? source : resolve(source), work, signal)
    const manifest = await readManifest(from)
    checkSpi(manifest)
    await checksumOf(from)
    const copy = join(work, 'copy')
    await cp(from, copy, { recursive: true, filter: isOwn })
    const folder = join(modules, manifest.name)
    await rm(folder, { recursive: true, force: true })
    await rename(copy, folder)
    return { manifest, origin: isFolder ? resolve(source) : await originOf(source, from) }
  } finally {
    await rm(work, { recursive: true, force: true })
  }
}

/** The package's name with the version that came; a package file is named by its path. */
async function originOf(source: string, folder: string): Promise<string> {
  const text = await readFile(join(folder, 'package.json'), 'utf8')
  const { name, version } = JSON.parse(text) as { readonly name?: string; readonly version?: string }
  return `package ${name ?? basename(source)}@${version ?? '?'}`
}

function checkPackage(source: string, networkAllowed: () => boolean): void {
  if (!/^(@[a-z0-9][\w.-]*\/)?[a-z0-9][\w.-]*(@[\w.^~<>=*-]+)?$/i.test(source))
    throw new LoamError('BAD_INPUT', `"${source}" is neither a folder nor the name of a package.`, {
      suggestion: 'Name a folder that is there, or a package like my-module or my-module@1.2.',
    })
  if (!networkAllowed())
    throw new LoamError('NETWORK_OFF', `The package ${source} would be downloaded.`, {
      suggestion: 'Turn the network on in Settings, or name a folder.',
    })
}

/** Fetches a package with npm, each dependency inside it; answers its folder. */
async function fetchPackage(spec: string, work: string, signal?: AbortSignal): Promise<string> {
  await writeFile(join(work, 'package.json'), '{ "private": true }\n')
  await npm(
    [
      'install',
      '--ignore-scripts',
      '--legacy-peer-deps',
      '--install-strategy=nested',
      '--no-audit',
      '--no-fund',
      spec,
    ],
    work,
    signal,
  )
  const text = await readFile(join(work, 'package.json'), 'utf8')
  const { dependencies = {} } = JSON.parse(text) as {
    readonly dependencies?: Readonly<Record<string, string>>
  }
  const [name] = Object.keys(dependencies)
  if (name === undefined)
    throw new LoamError('NOT_FOUND', `npm fetched nothing for ${spec}.`, {
      suggestion: 'Check the name of the package.',
    })
  return join(work, 'node_modules', name)
}

const npm = (args: readonly string[], cwd: string, signal?: AbortSignal): Promise<void> =>
  new Promise((getOutcome, reject) => {
    const child = spawn('npm', [...args], {
      cwd,
      stdio: ['ignore', 'ignore', 'pipe'],
      ...(signal && { signal }),
    })
    let message = ''
    child.stderr?.on('data', (piece: Buffer) => (message = `${message}${piece.toString()}`.slice(-2000)))
    child.once('error', (error) =>
      reject(
        (error as NodeJS.ErrnoException).code === 'ENOENT'
          ? new LoamError('NOT_FOUND', 'npm is not on this machine, and packages are fetched with it.', {
              suggestion: 'Install Node.js, or unpack the package and name its folder.',
            })
          : error,
      ),
    )
    child.once('close', (code) =>
      code === 0
        ? getOutcome()
        : reject(
            new LoamError(
              'DOWNLOAD',
              `npm could not fetch the package: ${message.trim().split('\n').at(-1) ?? ''}`,
              {
                suggestion: 'Check the name of the package and the connection, then try again.',
                retryable: true,
              },
            ),
          ),
    )
  })
