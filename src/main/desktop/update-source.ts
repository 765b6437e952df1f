import { createHash } from 'node:crypto'
import { copyFileSync, existsSync, readFileSync, renameSync } from 'node:fs'
import { open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { AppUpdater } from 'electron-updater'
import { LoamError } from '../../shared/errors'
import { noUpdates, type NoUpdates, type UpdateSource } from '../host/updates'
import { fetchFollowing } from '../model-files/fetch-following'

/** What an installed Loam tells of itself. */
export interface InstalledLoam {
  readonly isPackaged: boolean
  readonly version: string
  /** Electron's folder with what lies beside the archive; undefined where there is none. */
  readonly resources: string | undefined
  /** Where what is fetched is kept. */
  readonly folder: string
  readonly log: (message: string) => void
  /** Default: those of this process. */
  readonly platform?: NodeJS.Platform
  readonly appImage?: string | undefined
}

/** Newer versions for the desktop window, and what is to be done last of all. */
export interface DesktopUpdates {
  readonly source: UpdateSource | NoUpdates
  /** Installs what a person wanted installed; called once everything is closed, before the program ends with `code`. */
  atExit(code: number): void
}

/** A list of versions is some lines. */
const LONGEST_LIST = 64 * 1024
const LONGEST_NOTES = 4000
/** No package of Loam comes near it. */
const LARGEST_PACKAGE = 2e9

type Kind = 'AppImage' | 'deb' | 'mac' | 'windows'

/** How this Loam was installed; null where that cannot be renewed from inside. */
function kindOf({ resources = '', ...loam }: InstalledLoam): Kind | null {
  const { platform = process.platform, appImage = process.env['APPIMAGE'] } = loam
  if (platform === 'win32') return 'windows'
  if (platform === 'darwin') return 'mac'
  const typeFile = join(resources, 'package-type')
  if (existsSync(typeFile) && readFileSync(typeFile, 'utf8').trim() === 'deb') return 'deb'
  return appImage === undefined || appImage === '' ? null : 'AppImage'
}

/** Opens them; electron-updater is loaded when a person first looks. */
export function openDesktopUpdates(loam: InstalledLoam): DesktopUpdates {
  const nothing = (unavailable: string): DesktopUpdates => ({
    source: { unavailable },
    atExit: () => undefined,
  })
  const list = join(loam.resources ?? '', 'app-update.yml')
  if (!loam.isPackaged || loam.resources === undefined) return nothing(noUpdates.unavailable)
  if (!existsSync(list))
    return nothing('This package does not say where newer versions are, so none are looked for.')
  const kind = kindOf(loam)
  if (kind === null)
    return nothing('Loam renews itself where it was started from its AppImage or installed as a deb package.')
  const address = addressIn(readFileSync(list, 'utf8'))
  if (address === null) return nothing('This package names no usable address for newer versions.')
  const atEnd: ((code: number) => void)[] = []
  let updater: Promise<AppUpdater> | null = null
  const ready = (): Promise<AppUpdater> => (updater ??= makeUpdater(kind, { ...loam, list, atEnd }))
  return {
    source: {
      host: address.host,
      async look() {
        const answer = await (await ready()).checkForUpdates()
        if (answer?.isUpdateAvailable !== true) return null
        const { version, files, releaseNotes } = answer.updateInfo
        const sizes = files.map(({ size }) => size).filter((size) => size !== undefined)
        const notes = typeof releaseNotes === 'string' ? releaseNotes : ''
        return {
          version: version.slice(0, 60),
          sizeBytes: sizes.length === 1 ? (sizes[0] ?? null) : sizeOf(kind, files),
          notes: notes.slice(0, LONGEST_NOTES),
        }
      },
      async fetch(onBytes) {
        const one = await ready()
        const hear = ({ transferred }: { transferred: number }): void => onBytes(transferred)
        one.on('download-progress', hear)
        try {
          await one.downloadUpdate()
        } finally {
          one.off('download-progress', hear)
        }
      },
      async installOnQuit(isWanted) {
        const one = await ready()
        one.autoInstallOnAppQuit = isWanted
        // What is here is handed on to what installs: on a Mac to the system, else at the end.
        if (isWanted) await one.downloadUpdate()
      },
    },
    atExit: (code) => atEnd.forEach((end) => end(code)),
  }
}

/** The address in what electron-builder wrote beside the program; null where it is none that is used. */
function addressIn(text: string): URL | null {
  const [, address = ''] = /^url: *'?([^\s']+)'?$/m.exec(text) ?? []
  return URL.canParse(address) ? new URL(address) : null
}

const ENDINGS: Readonly<Record<Kind, string>> = {
  AppImage: '.AppImage',
  deb: '.deb',
  mac: '.zip',
  windows: '.exe',
}

const sizeOf = (kind: Kind, files: readonly { url: string; size?: number }[]): number | null =>
  files.find(({ url }) => url.endsWith(ENDINGS[kind]))?.size ?? null

interface Made extends InstalledLoam {
  readonly list: string
  readonly atEnd: ((code: number) => void)[]
}

async function makeUpdater(kind: Kind, { version, folder, list, atEnd, log }: Made): Promise<AppUpdater> {
  const { AppImageUpdater, DebUpdater, MacUpdater, NsisUpdater } = await import('electron-updater')
  const adapter = {
    ...{ version, name: 'loam', isPackaged: true, appUpdateConfigPath: list },
    ...{ userDataPath: folder, baseCachePath: folder },
    whenReady: () => Promise.resolve(),
    // Loam is never ended or started for it: what is wanted is installed when a person quits.
    ...{ relaunch: () => undefined, quit: () => undefined },
    onQuit: (end: (code: number) => void) => void atEnd.push(end),
  }
  /** Put beside the old one first: a disk that is full leaves that as it was. */
  class WholeAppImage extends AppImageUpdater {
    protected override doInstall(): boolean {
      const target = process.env['APPIMAGE']
      if (target === undefined || this.installerPath === null) return false
      copyFileSync(this.installerPath, `${target}.new`)
      renameSync(`${target}.new`, target)
      return true
    }
  }
  const Updater = { AppImage: WholeAppImage, deb: DebUpdater, mac: MacUpdater, windows: NsisUpdater }[kind]
  const updater = new Updater(undefined, adapter)
  return Object.assign(updater, {
    ...{ autoDownload: false, autoInstallOnAppQuit: false, autoRunAppAfterInstall: false },
    // Parts of files would be asked for one by one, and who is first asked would be drawn by lot.
    ...{ disableDifferentialDownload: true, disableWebInstaller: true, isUserWithinRollout: () => true },
    logger: { info: () => undefined, debug: () => undefined, warn: log, error: log },
    httpExecutor: encrypted,
  })
}

/** Where electron-updater asks, in its own shape. */
interface RequestPlace {
  readonly protocol?: string | null
  readonly hostname?: string | null
  readonly port?: string | number | null
  readonly path?: string | null
}

interface DownloadChoice {
  readonly sha512?: string | null
  readonly onProgress?: (progress: { transferred: number }) => void
}

/**
 * What asks for electron-updater: encrypted sources alone, no name of this installation, and nothing that came without its sum or with another.
 */
const encrypted = {
  async request({ protocol, hostname, port, path }: RequestPlace): Promise<string> {
    const start = `${protocol ?? 'https:'}//${hostname ?? ''}${port ? `:${port}` : ''}${path ?? '/'}`
    const { body } = await fetchAll(start)
    let text = ''
    const decoder = new TextDecoder()
    for await (const piece of body) {
      text += decoder.decode(piece, { stream: true })
      if (text.length > LONGEST_LIST) throw notUsable('The list of versions is far too long.')
    }
    return text
  },
  async download(url: URL, destination: string, { sha512, onProgress }: DownloadChoice): Promise<string> {
    if (!sha512) throw notUsable('The list of versions has no sum for the file.')
    const { body } = await fetchAll(url.href)
    const sum = createHash('sha512')
    const file = await open(destination, 'w')
    let transferred = 0
    try {
      for await (const piece of body) {
        sum.update(piece)
        await file.write(piece)
        onProgress?.({ transferred: (transferred += piece.length) })
        if (transferred > LARGEST_PACKAGE) throw notUsable('The file is far too large.')
      }
    } finally {
      await file.close()
    }
    if (sum.digest('base64') === sha512) return destination
    await rm(destination, { force: true })
    throw new LoamError('CHECKSUM', `${url.href} is not the file that the list of versions names.`, {
      suggestion: 'It was thrown away. Look again later.',
    })
  },
}

async function fetchAll(start: string): Promise<{ body: AsyncIterable<Uint8Array> }> {
  const response = await fetchFollowing(start, { headers: { accept: '*/*' } })
  if (response.ok && response.body) return { body: response.body }
  await response.body?.cancel()
  throw notUsable(`${start} answered with ${response.status}.`)
}

const notUsable = (why: string): LoamError =>
  new LoamError('DOWNLOAD', why, { suggestion: 'Look again later.', retryable: true })
