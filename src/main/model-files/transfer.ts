import { open, stat } from 'node:fs/promises'
import { LoamError } from '../../shared/errors'
import { rm } from '../ground/steady-files'
import { fetchFollowing } from './fetch-following'

/** No byte for this long counts as a cut connection. */
const STALL_MS = 30_000
const LONGEST_WAIT_S = 120

export interface TransferRequest {
  readonly url: string
  /** The unfinished file; what it already holds is kept and continued. */
  readonly part: string
  /** Bytes the whole file has. */
  readonly sizeBytes: number
  readonly signal: AbortSignal
  /** Called with the bytes on disk so far; may throw to stop. */
  readonly onBytes: (doneCount: number) => void
  /** For the first host alone; redirects do not get it. */
  readonly key: string | null
  /** Milliseconds without a byte before the connection counts as cut. Default 30 s. */
  readonly stallMs?: number
}

/** A transfer that ended early but may go on from where it stopped: cut, stalled, or a server error that may pass. */
export class TransferInterrupted extends Error {
  override readonly name = 'TransferInterrupted'

  constructor(
    message: string,
    /** Milliseconds that the server asked to be left alone for; 0 where it did not. */
    readonly waitMs = 0,
  ) {
    super(message)
  }
}

/**
 * One attempt over HTTP, continuing the part file by a Range request. A server that ignores Range answers from the start,
 * and so does the file. Resolves when the part file is complete. Throws `TransferInterrupted` when another attempt makes
 * sense, `DOWNLOAD` when it does not, `DISK_FULL` and `DISK_WRITE` for the disk, AbortError for the signal.
 */
export async function transfer(request: TransferRequest): Promise<void> {
  const { url, part, sizeBytes } = request
  let have = await stat(part).then(
    (stats) => stats.size,
    () => 0,
  )
  if (have > sizeBytes) {
    await rm(part)
    have = 0
  }
  request.onBytes(have)
  if (have === sizeBytes) {
    if (sizeBytes === 0) await (await open(part, 'w')).close()
    return
  }
  const stall = new AbortController()
  const watch = () => setTimeout(() => stall.abort(), request.stallMs ?? STALL_MS)
  let timer = watch()
  const signal = AbortSignal.any([request.signal, stall.signal])
  try {
    const response = await fetchFollowing(url, {
      headers: { ...(have > 0 && { range: `bytes=${have}-` }), 'accept-encoding': 'identity' },
      key: request.key,
      signal,
    })
    if (response.status === 416) {
      // What is here is longer than what is there: it cannot be a part of it.
      await rm(part, { force: true })
      throw new TransferInterrupted(
        'The server has no more bytes than are here, though the file is not whole.',
      )
    }
    const from = startOf(response, have, sizeBytes, url)
    if (!response.body) throw new TransferInterrupted('The server sent nothing.')
    const file = await open(part, from === 0 ? 'w' : 'r+')
    try {
      let at = from
      for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
        clearTimeout(timer)
        timer = watch()
        if (at + chunk.length > sizeBytes)
          throw refused(url, `it sends more than the ${sizeBytes} bytes it should`)
        await write(file, chunk, at, part)
        at += chunk.length
        request.onBytes(at)
      }
      await file.sync()
      if (at < sizeBytes)
        throw new TransferInterrupted(`The connection ended after ${at} of ${sizeBytes} bytes.`)
    } finally {
      await file.close()
    }
  } catch (error) {
    if (request.signal.aborted) throw abortReason(request.signal)
    if (error instanceof LoamError || error instanceof TransferInterrupted) throw error
    // fetch reports everything that goes wrong on the wire as a TypeError, or as the abort of a stalled connection.
    const stalled = stall.signal.aborted
    if (stalled || error instanceof TypeError)
      throw new TransferInterrupted(stalled ? 'Nothing came for too long.' : networkReason(error as Error))
    throw error
  } finally {
    clearTimeout(timer)
  }
}

/** Where the answer's bytes belong in the file. */
function startOf(response: Response, have: number, sizeBytes: number, url: string): number {
  const { status, headers } = response
  if (status === 429 || status >= 500)
    throw new TransferInterrupted(`The server answered ${status}.`, waitOf(headers))
  if (status === 401 || status === 403) throw getError(url, status)
  if (status === 206) {
    const range = /^bytes (\d+)-\d+\/(\d+|\*)$/.exec(headers.get('content-range') ?? '')
    if (Number(range?.[1]) !== have)
      throw refused(url, 'it answers with another part of the file than was asked for')
    if (range?.[2] !== '*' && Number(range?.[2]) !== sizeBytes)
      throw wrongSize(url, Number(range?.[2]), sizeBytes)
    return have
  }
  if (status !== 200) throw refused(url, `it answers ${status} ${response.statusText}`.trim())
  const length = headers.get('content-length')
  if (length !== null && Number(length) !== sizeBytes) throw wrongSize(url, Number(length), sizeBytes)
  return 0
}

/** What Retry-After asks for, as far as anybody would wait. */
function waitOf(headers: Headers): number {
  const seconds = Number(headers.get('retry-after') ?? '0')
  return Number.isFinite(seconds) ? Math.min(Math.max(seconds, 0), LONGEST_WAIT_S) * 1000 : 0
}

async function write(
  file: { write(data: Uint8Array, offset: number, length: number, position: number): Promise<unknown> },
  chunk: Uint8Array,
  at: number,
  part: string,
): Promise<void> {
  try {
    await file.write(chunk, 0, chunk.length, at)
  } catch (error) {
    const full = (error as NodeJS.ErrnoException).code === 'ENOSPC'
    throw new LoamError(full ? 'DISK_FULL' : 'DISK_WRITE', `${part}: ${String(error)}`, {
      suggestion: full
        ? 'Free some memory, then resume the download.'
        : 'Check the folder, then resume the download.',
      underlying: error,
    })
  }
}

const networkReason = (error: Error): string =>
  error.cause instanceof Error ? error.cause.message : error.message

const abortReason = (signal: AbortSignal): unknown => signal.reason

const wrongSize = (url: string, offered: number, expectedCount: number) =>
  refused(url, `it offers a file of ${offered} bytes, not of ${expectedCount}`)

const refused = (url: string, why: string) =>
  new LoamError('DOWNLOAD', `${url} cannot be downloaded: ${why}.`, {
    suggestion:
      'The list of known models may be out of date; look for a newer Loam, or fetch the file yourself.',
  })

const getError = (url: string, status: number) =>
  new LoamError('DOWNLOAD', `${new URL(url).host} does not hand out ${url} (it answers ${status}).`, {
    suggestion:
      'Its makers may want their terms accepted first: open the page of the model, accept them there, and start Loam with your access token in HF_TOKEN; or fetch the file yourself.',
  })
