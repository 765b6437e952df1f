import { mkdir, stat, statfs } from 'node:fs/promises'
import { dirname } from 'node:path'
import { LoamError } from '../../shared/errors'
import { abortError } from '../../core/ground/abort'
import { isSafeSource, networkOff } from './fetch-following'
import { transfer, TransferInterrupted } from './transfer'
import { rename, rm } from '../ground/steady-files'
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'

/** What a file has to be: its SHA-256, or the SHA-1 that git calls its blob by. Lower-case hex. */
type Checksum =
  | { readonly kind: 'sha256'; readonly hex: string }
  | { readonly kind: 'git-blob'; readonly hex: string }

/** Whether a file is what it should be. `onBlock` is called now and then. AbortError when `signal` fires. */
async function matches(
  path: string,
  { kind, hex }: Checksum,
  onBlock: () => void,
  signal?: AbortSignal,
): Promise<boolean> {
  const hash = createHash(kind === 'sha256' ? 'sha256' : 'sha1')
  if (kind === 'git-blob') hash.update(`blob ${(await stat(path)).size}\0`)
  for await (const chunk of createReadStream(path, { highWaterMark: 1 << 20, signal })) {
    hash.update(chunk as Buffer)
    onBlock()
  }
  return hash.digest('hex') === hex
}

/** Memory that must stay free on the disk afterwards. */
const SPARE_BYTES = 64 * 1024 * 1024
/** Attempts in a row that may bring nothing before the download fails. */
const FRUITLESS_ATTEMPTS = 4
const RETRY_MS: readonly number[] = [500, 2000, 5000]

export interface DownloadRequest {
  /** https, or http on this very machine. */
  readonly url: string
  /** Absolute path of the finished file; the unfinished one is `<target>.part`. */
  readonly target: string
  readonly sizeBytes: number
  readonly checksum: Checksum
  /** A key for the source itself; redirects do not get it. Default: none. */
  readonly key?: string | null
}

export interface DownloadProgress {
  readonly phase: 'connecting' | 'downloading' | 'checking' | 'paused'
  readonly doneBytes: number
  readonly totalBytes: number
}

export interface DownloadOptions {
  /** Asked before every connection and while bytes come in; false stops with `NETWORK_OFF`. */
  readonly networkAllowed: () => boolean
  readonly onProgress?: (progress: DownloadProgress) => void
  /** Bytes free in a folder. Default: asks the file system. */
  readonly freeBytes?: (folder: string) => Promise<number>
  /** Milliseconds between attempts. Default 500, 2000, 5000. */
  readonly retryMs?: readonly number[]
  /** Milliseconds without a byte before the connection counts as cut. Default 30 s. */
  readonly stallMs?: number
}

/**
 * One model download that can be paused, resumed and cancelled. The part file outlives all of these and the program itself:
 * the next download of the same target goes on from it. Nothing connects unless the person turned the network on.
 *
 * Node's own fetch with Range, not ipull: ipull keeps its state inside its part file and opens several connections, so that
 * neither a part file from elsewhere nor a server without Range can be continued and checked the way it is needed here.
 */
export class Download {
  #attempt: AbortController | null = null
  #paused: { readonly wait: Promise<void>; readonly go: () => void } | null = null
  #doneBytes = 0

  constructor(
    private readonly request: DownloadRequest,
    private readonly options: DownloadOptions,
  ) {}

  get paused(): boolean {
    return this.#paused !== null
  }

  /** Lets go of the connection; `run` stays pending until `resume`. */
  pause(): void {
    if (this.#paused) return
    let go: () => void = () => undefined
    const wait = new Promise<void>((resolve) => {
      go = resolve
    })
    this.#paused = { wait, go }
    this.#attempt?.abort()
    this.#tell('paused')
  }

  resume(): void {
    this.#paused?.go()
    this.#paused = null
  }

  /**
   * Downloads, checks and moves into place; answers the finished file's path. Rejects with `NETWORK_OFF`, `DISK_FULL`,
   * `DISK_WRITE`, `DOWNLOAD`, `CHECKSUM`, `CONFLICT` (another file is in the way) or, when `signal` fires, an AbortError.
   * Only a wrong checksum removes the part file.
   */
  async run(signal?: AbortSignal): Promise<string> {
    const { target, sizeBytes } = this.request
    const part = `${target}.part`
    const there = await stat(target).catch(() => null)
    if (there) {
      if (there.size === sizeBytes && (await this.#isRight(target, signal))) return target
      throw new LoamError('CONFLICT', `A different file is already at ${target}.`, {
        suggestion: 'Move or delete it first.',
      })
    }
    await mkdir(dirname(target), { recursive: true })
    const cancel = () => {
      this.#attempt?.abort()
      this.resume()
    }
    signal?.addEventListener('abort', cancel, { once: true })
    try {
      await this.#fetchAll(part, signal)
      if (!(await this.#isRight(part, signal))) {
        await rm(part, { force: true })
        throw new LoamError('CHECKSUM', `What came from ${this.request.url} is not the file it should be.`, {
          suggestion: 'Download it again; if it keeps happening, do not trust this source.',
          retryable: true,
        })
      }
      await rename(part, target)
      return target
    } finally {
      signal?.removeEventListener('abort', cancel)
    }
  }

  async #fetchAll(part: string, signal?: AbortSignal): Promise<void> {
    for (let fruitless = 0; ;) {
      if (signal?.aborted) throw abortError()
      if (this.#paused) {
        await this.#paused.wait
        continue
      }
      this.#checkNetwork()
      await this.#checkSpace(part)
      this.#attempt = new AbortController()
      this.#tell('connecting')
      const { size: before } = await stat(part).catch(() => ({ size: 0 }))
      try {
        await transfer({
          url: this.request.url,
          part,
          sizeBytes: this.request.sizeBytes,
          key: this.request.key ?? null,
          signal: this.#attempt.signal,
          ...(this.options.stallMs !== undefined && { stallMs: this.options.stallMs }),
          onBytes: (doneCount) => {
            this.#checkNetwork()
            this.#doneBytes = doneCount
            this.#tell('downloading')
          },
        })
        return
      } catch (error) {
        // Pause and cancel are looked at on the next turn.
        if (this.#attempt.signal.aborted) continue
        if (!(error instanceof TransferInterrupted)) throw error
        fruitless = this.#doneBytes > before ? 0 : fruitless + 1
        if (fruitless >= FRUITLESS_ATTEMPTS)
          throw new LoamError('DOWNLOAD', `${this.request.url}: ${error.message}`, {
            suggestion: 'Check the connection, then download again; it goes on from where it stopped.',
            retryable: true,
            underlying: error,
          })
        await this.#rest(fruitless, error.waitMs)
      } finally {
        this.#attempt = null
      }
    }
  }

  /** Waits between attempts; pause and cancel end the wait. */
  async #rest(fruitless: number, askedCount: number): Promise<void> {
    const retry = this.options.retryMs ?? RETRY_MS
    const ms = Math.max(askedCount, retry[Math.min(fruitless, retry.length - 1)] ?? 0)
    const controller = new AbortController()
    this.#attempt = controller
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms)
      controller.signal.addEventListener('abort', () => {
        clearTimeout(timer)
        resolve()
      })
    })
  }

  #checkNetwork(): void {
    if (!this.options.networkAllowed()) throw networkOff()
    if (!isSafeSource(new URL(this.request.url)))
      throw new LoamError('DOWNLOAD', `${this.request.url} is not an https address.`, {
        suggestion: 'Only encrypted sources are used.',
      })
  }

  async #checkSpace(part: string): Promise<void> {
    const folder = dirname(part)
    const { size: have } = await stat(part).catch(() => ({ size: 0 }))
    const neededCount = this.request.sizeBytes - have + SPARE_BYTES
    const free = await (this.options.freeBytes ?? freeBytes)(folder)
    if (free < neededCount)
      throw new LoamError('DISK_FULL', `${folder} has ${free} bytes free; ${neededCount} are needed.`, {
        suggestion: 'Free some memory or choose another folder.',
      })
  }

  #isRight(path: string, signal?: AbortSignal): Promise<boolean> {
    return matches(path, this.request.checksum, () => this.#tell('checking'), signal)
  }

  #tell(phase: DownloadProgress['phase']): void {
    this.options.onProgress?.({ phase, doneBytes: this.#doneBytes, totalBytes: this.request.sizeBytes })
  }
}

/** Removes what a download left unfinished. */
export async function discardPart(target: string): Promise<void> {
  await rm(`${target}.part`, { force: true })
}

async function freeBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder)
  return bavail * bsize
}
