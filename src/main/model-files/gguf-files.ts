import { readdir, realpath, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { LeftOutFile } from '../../shared/domain/model'
import { partsOf } from '../gguf/gguf-parts'
import { errnoOf } from '../ground/errno'

const DEEPEST = 6
const MOST_FILES = 5000
const IS_GGUF = /\.gguf$/i
/** Files that a hub's cache has many of, as links: following each of them would take most of the time. */
const OTHER_KIND =
  /\.(?:json|jsonl|txt|md|safetensors|bin|model|py|png|jpg|msgpack|h5|onnx|pt|pth|ckpt|tflite|ya?ml|gitattributes)$/i
/** How programs call what they have not downloaded to the end. */
const UNFINISHED = /\.(?:part|incomplete|downloadInProgress|crdownload|aria2)$|^(?:incomplete-|downloading_)/i

/** A model on disk: one GGUF, or several that are its parts. */
export interface GgufFile {
  /** Absolute path of the file, of the first part where there are several. */
  readonly path: string
  /** All of its files in order, also those that are missing; one where it is whole. */
  readonly parts: readonly string[]
}

/** What was found below a folder, and what was not taken with its reason. */
export interface FoundFiles {
  readonly files: readonly GgufFile[]
  readonly left: readonly LeftOutFile[]
}

/**
 * GGUF files in a folder and below, six levels deep; parts of one model are one file. Links are followed, never in circles. Broken links,
 * folders that cannot be read and unfinished downloads are named in `left`. A folder that is not there holds nothing.
 */
export async function findGgufFiles(folder: string, signal?: AbortSignal): Promise<FoundFiles> {
  const match: Found = { paths: new Map(), left: [], seen: new Set(), full: false }
  await collect(folder, 0, match, signal)
  if (match.full)
    match.left.push({
      path: folder,
      why: `It holds more than ${MOST_FILES} GGUF files; the rest was not looked at.`,
    })
  return { files: [...match.paths.values()], left: match.left }
}

interface Found {
  readonly paths: Map<string, GgufFile>
  readonly left: LeftOutFile[]
  readonly seen: Set<string>
  full: boolean
}

async function collect(folder: string, depth: number, match: Found, signal?: AbortSignal): Promise<void> {
  signal?.throwIfAborted()
  const real = await realpath(folder).catch(() => null)
  // Links may lead in circles.
  if (real === null || match.seen.has(real)) return
  match.seen.add(real)
  const entries = await readdir(folder, { withFileTypes: true }).catch((error: unknown) => {
    if (errnoOf(error) !== 'ENOENT') match.left.push({ path: folder, why: unreadable(error) })
    return []
  })
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const { name } = entry
    if (OTHER_KIND.test(name)) continue
    const path = join(folder, name)
    const kind = entry.isSymbolicLink() ? await stat(path).catch(() => null) : entry
    if (kind === null) {
      if (IS_GGUF.test(name) || !name.includes('.'))
        match.left.push({ path, why: 'It is a link that leads to nothing.' })
    } else if (kind.isDirectory()) {
      if (depth < DEEPEST && !name.startsWith('.') && name !== 'node_modules')
        await collect(path, depth + 1, match, signal)
    } else if (kind.isFile()) take(path, name, match)
  }
}

function take(path: string, name: string, match: Found): void {
  if (UNFINISHED.test(name)) {
    if (/gguf/i.test(name)) match.left.push({ path, why: 'It is a download that was not finished.' })
    return
  }
  if (!IS_GGUF.test(name)) return
  if (match.paths.size >= MOST_FILES) {
    match.full = true
    return
  }
  const parts = partsOf(path)
  const first = parts[0] ?? path
  match.paths.set(first, { path: first, parts })
}

/** Why a folder or file could not be read. */
export function unreadable(error: unknown): string {
  const code = errnoOf(error)
  if (code === 'EACCES' || code === 'EPERM') return 'It may not be read: the system says permission denied.'
  return `It cannot be read: ${error instanceof Error ? error.message : String(error)}`
}
