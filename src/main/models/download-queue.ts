import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { createSerial } from '../../shared/serial'
import {
  downloadInfoSchema,
  hubFileSchema,
  type DownloadInfo,
  type HubFile,
} from '../../shared/domain/download'
import { formerly } from '../../shared/domain/former-names'
import { LoamError, toErrorShape } from '../../shared/errors'
import { networkOff } from '../model-files/fetch-following'
import { readRecord, writeRecord } from '../ground/record-file'
import { Feed } from '../ground/feed'
import type { JobContext, JobRegistry } from '../ground/jobs'
import { discardPart, Download, type DownloadProgress } from '../model-files/download'

/** What is kept of a download between two starts. */
const storedSchema = downloadInfoSchema.omit({ jobId: true, problem: true }).extend({
  problem: downloadInfoSchema.shape.problem.default(null),
  /** Where each file comes from and goes to. */
  files: z.array(hubFileSchema.extend({ url: z.string(), target: z.string() })).min(1),
})
type Stored = z.infer<typeof storedSchema>
const fileSchema = z.object({
  format: z.literal(1),
  downloads: z.array(formerly({ asEncoder: 'asEmbedder' }, storedSchema)),
})

/** A file to fetch. */
export type QueuedFile = HubFile & { readonly url: string; readonly target: string }

/** What is put into the queue. */
export interface QueuedDownload {
  readonly title: string
  readonly source: string
  readonly license: string | null
  readonly files: readonly QueuedFile[]
  /** The finished file, or the folder of several. */
  readonly target: string
  readonly asEmbedder: boolean
}

export interface DownloadQueueDeps {
  /** Where the queue outlives the program. */
  readonly file: string
  readonly jobs: JobRegistry
  readonly networkAllowed: () => boolean
  /** How many at a time, at least 1. */
  readonly atOnce: () => number
  /** A key for the host of `url`; null for none. */
  readonly keyFor: (url: string) => string | null
  /** What is done with one that is whole and checked. A failure is the download's. */
  readonly onDone: (download: DownloadInfo) => Promise<void>
  /** Milliseconds between attempts. Default: that of `Download`. */
  readonly retryMs?: readonly number[]
}

/** Downloads in their order: some at a time, kept when Loam ends, going on from what is on disk. */
export interface DownloadQueue {
  list(): DownloadInfo[]
  readonly feed: Feed<DownloadInfo[]>
  /** @throws LoamError `NETWORK_OFF`, `CONFLICT` when its target is in the queue already */
  add(download: QueuedDownload): Promise<DownloadInfo>
  /** @throws LoamError `NOT_FOUND` */
  pause(id: string): DownloadInfo
  /** Also for one that failed. @throws LoamError `NOT_FOUND`, `NETWORK_OFF` */
  resume(id: string): DownloadInfo
  /** Takes it out of the queue and throws away what is here of it. @throws LoamError `NOT_FOUND` */
  cancel(id: string): Promise<void>
  /** Works on what waits, as far as the network is on and places are free. */
  go(): void
  /** Downloads that hold a connection right now. */
  open(): number
  /** Lets go of every connection; what is unfinished waits for the next start. */
  close(): Promise<void>
}

interface Entry {
  stored: Stored
  jobId: string | null
  live: Download | null
}

const ACTIVITY: Readonly<Record<DownloadProgress['phase'], string>> = {
  connecting: 'Connecting',
  downloading: 'Downloading',
  checking: 'Checking that the file is right',
  paused: 'Paused',
}

/** Opens the queue as it was left. Nothing connects before `go`. @throws LoamError `DATA_CORRUPT` */
export async function openDownloadQueue(deps: DownloadQueueDeps): Promise<DownloadQueue> {
  const entries: Entry[] = (await load(deps.file)).map((record) => ({
    // What was at work when Loam ended goes on by itself.
    stored: record.status === 'running' ? { ...record, status: 'waiting' } : record,
    ...{ jobId: null, live: null },
  }))
  return new Queue(entries, deps)
}

class Queue implements DownloadQueue {
  readonly feed: DownloadQueue['feed'] = new Feed(() => this.list())
  readonly #entries: Entry[]
  readonly #deps: DownloadQueueDeps
  readonly #serial = createSerial()
  #closing = false

  constructor(entries: Entry[], deps: DownloadQueueDeps) {
    this.#entries = entries
    this.#deps = deps
  }

  list(): DownloadInfo[] {
    return this.#entries.map(infoOf)
  }

  async add(download: QueuedDownload): Promise<DownloadInfo> {
    this.#requireNetwork()
    if (this.#entries.some(({ stored }) => stored.target === download.target))
      throw new LoamError('CONFLICT', `${download.title} is among the downloads already.`, {
        suggestion: 'Let it go on, or cancel it first.',
      })
    const entry: Entry = {
      stored: {
        ...download,
        files: download.files.map((file) => ({ ...file })),
        ...{ id: randomUUID(), status: 'waiting', problem: null, doneBytes: 0 },
        sizeBytes: download.files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0),
      },
      ...{ jobId: null, live: null },
    }
    this.#entries.push(entry)
    await this.#tell()
    this.go()
    return infoOf(entry)
  }

  pause(id: string): DownloadInfo {
    const entry = this.#entry(id)
    this.#change(entry, { status: 'paused', problem: null })
    entry.live?.pause()
    this.go()
    return infoOf(entry)
  }

  resume(id: string): DownloadInfo {
    this.#requireNetwork()
    const entry = this.#entry(id)
    if (entry.stored.status === 'paused' || entry.stored.status === 'failed')
      this.#change(entry, { status: 'waiting', problem: null })
    this.go()
    return infoOf(entry)
  }

  async cancel(id: string): Promise<void> {
    const entry = this.#entry(id)
    if (entry.jobId !== null) await this.#deps.jobs.cancel(entry.jobId)
    await this.#forget(entry)
    this.go()
  }

  go(): void {
    if (this.#closing || !this.#deps.networkAllowed()) return
    const free =
      this.#deps.atOnce() - this.#entries.filter(({ stored }) => stored.status === 'running').length
    for (const entry of this.#entries
      .filter(({ stored }) => stored.status === 'waiting')
      .slice(0, Math.max(0, free))) {
      this.#change(entry, { status: 'running', problem: null })
      if (entry.live) entry.live.resume()
      else if (entry.jobId === null) this.#start(entry)
    }
  }

  open(): number {
    return this.#entries.filter(({ live }) => live?.paused === false).length
  }

  async close(): Promise<void> {
    if (this.#closing) return
    this.#closing = true
    await Promise.all(
      this.#entries.flatMap(({ jobId }) => (jobId === null ? [] : [this.#deps.jobs.cancel(jobId)])),
    )
    await this.#save()
    this.feed.close()
  }

  #start(entry: Entry): void {
    const { title, sizeBytes, target } = entry.stored
    const job = this.#deps.jobs.start(
      'download',
      `Downloading ${title}`,
      (context) => this.#work(entry, context),
      { unit: 'bytes', total: sizeBytes, subject: target },
    )
    entry.jobId = job.id
    void this.#tell()
  }

  async #work(entry: Entry, { signal, progress }: JobContext): Promise<void> {
    const { files } = entry.stored
    try {
      let before = 0
      for (const file of files) {
        const base = before
        entry.live = this.#download(file, ({ phase, doneBytes }) => {
          entry.stored = { ...entry.stored, doneBytes: base + doneBytes }
          progress({ done: base + doneBytes, activity: ACTIVITY[phase] })
        })
        // Paused between two files, or before the first.
        if (entry.stored.status === 'paused') entry.live.pause()
        await entry.live.run(signal)
        before += file.sizeBytes
      }
      progress({ activity: 'Checked, and ready to use' })
      await this.#deps.onDone(infoOf(entry))
      this.#entries.splice(this.#entries.indexOf(entry), 1)
      await this.#tell()
    } catch (error) {
      entry.live = null
      entry.jobId = null
      await this.#ended(entry, error, signal.aborted)
      throw error
    } finally {
      this.go()
    }
  }

  #download(file: QueuedFile, onProgress: (progress: DownloadProgress) => void): Download {
    const { url, target, sizeBytes, sha256, gitSha1 } = file
    return new Download(
      {
        ...{ url, target, sizeBytes, key: this.#deps.keyFor(url) },
        checksum:
          sha256 === null ? { kind: 'git-blob', hex: gitSha1 ?? '' } : { kind: 'sha256', hex: sha256 },
      },
      {
        networkAllowed: this.#deps.networkAllowed,
        onProgress,
        ...(this.#deps.retryMs && { retryMs: this.#deps.retryMs }),
      },
    )
  }

  async #ended(entry: Entry, error: unknown, cancelled: boolean): Promise<void> {
    if (this.#closing) {
      if (entry.stored.status === 'running') entry.stored = { ...entry.stored, status: 'waiting' }
    } else if (cancelled) {
      // A person who cancels does not want the rest; one that failed keeps it and goes on from there.
      await this.#forget(entry)
    } else {
      const problem = toErrorShape(error)
      this.#change(entry, { status: problem.code === 'NETWORK_OFF' ? 'waiting' : 'failed', problem })
    }
  }

  async #forget(entry: Entry): Promise<void> {
    const at = this.#entries.indexOf(entry)
    if (at === -1) return
    this.#entries.splice(at, 1)
    for (const { target } of entry.stored.files) await discardPart(target)
    await this.#tell()
  }

  #change(entry: Entry, change: Partial<Stored>): void {
    entry.stored = { ...entry.stored, ...change }
    void this.#tell()
  }

  #entry(id: string): Entry {
    const entry = this.#entries.find(({ stored }) => stored.id === id)
    if (entry) return entry
    throw new LoamError('NOT_FOUND', 'There is no such download.', {
      suggestion: 'It may be done; look at the list of models.',
    })
  }

  #requireNetwork(): void {
    if (!this.#deps.networkAllowed()) throw networkOff()
  }

  async #tell(): Promise<void> {
    this.feed.changed()
    await this.#save()
  }

  /** A queue that cannot be written is still worked on: what is on disk of each file is what counts. */
  #save(): Promise<void> {
    return this.#serial(() =>
      writeRecord(this.#deps.file, { format: 1, downloads: this.#entries.map(({ stored }) => stored) }),
    ).catch(() => undefined)
  }
}

const infoOf = ({ stored: { files: _files, ...info }, jobId }: Entry): DownloadInfo => ({ ...info, jobId })

const load = async (file: string): Promise<Stored[]> =>
  (await readRecord(file, fileSchema, { format: 1, downloads: [] })).downloads
