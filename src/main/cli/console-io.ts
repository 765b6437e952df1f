import { createInterface } from 'node:readline/promises'
import { leftCount, leftLines, readingWords, type ReadingReport } from '../../shared/domain/reading'
import { terminalText } from './terminal-text'

/** Where a command writes, and how it learns that it should stop. */
export type ConsoleIo = ReturnType<typeof openConsole>

/** Milliseconds between two progress lines where lines cannot be replaced. */
const PLAIN_STATUS_EVERY = 10_000

/** The real terminal. */
export function openConsole(signal: AbortSignal) {
  const { stdin, stdout, stderr } = process
  // A reader that has seen enough (`| head`) is no reason to break off: the work goes on unread.
  for (const stream of [stdout, stderr])
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error
    })
  let isShown = false
  let last = 0
  const clear = (): void => {
    if (isShown) stderr.write('\r\u001b[2K')
    isShown = false
  }
  const ask = async (question: string, stop?: AbortSignal): Promise<string> => {
    clear()
    const lines = createInterface({ input: stdin, output: stderr })
    try {
      return await lines.question(terminalText(question), {
        signal: stop ? AbortSignal.any([signal, stop]) : signal,
      })
    } finally {
      lines.close()
    }
  }
  return {
    /** Fires on Ctrl-C. */
    signal,
    /** Asks the person and answers their line; null where nobody sits at the terminal. */
    ask: stdin.isTTY && stderr.isTTY ? ask : null,
    color: stdout.isTTY && process.env.NO_COLOR === undefined,
    /** Results. */
    out(line: string) {
      clear()
      // What goes on to a file or a program stays as it is.
      stdout.write(`${stdout.isTTY ? terminalText(line) : line}\n`)
    },
    /** Writes a part of a line that goes on, on a terminal; null elsewhere. */
    type: stdout.isTTY
      ? (text: string): void => {
          clear()
          stdout.write(terminalText(text))
        }
      : null,
    /** What another program waits for while the command goes on; also with --json. */
    tell(line: string) {
      stdout.write(`${line}\n`)
    },
    /** Everything else: progress, hints, errors. */
    note(line: string) {
      clear()
      stderr.write(`${terminalText(line)}\n`)
    },
    /** Replaces the line shown last by `status`, on a terminal; prints now and then where there is none. */
    status(status: string) {
      const line = terminalText(status)
      if (stderr.isTTY) {
        stderr.write(`\r\u001b[2K${line.slice(0, Math.max(20, stderr.columns - 1))}`)
        isShown = true
      } else if (Date.now() - last >= PLAIN_STATUS_EVERY) {
        last = Date.now()
        stderr.write(`${line}\n`)
      }
    },
    /** Ends the line of `status`. */
    endStatus: clear,
  }
}

/** 3 h 5 min, 4 min 10 s, 12 s. */
export function duration(ms: number): string {
  const seconds = Math.round(ms / 1000)
  if (seconds < 60) return `${seconds} s`
  const minutes = Math.floor(seconds / 60)
  return minutes < 60
    ? `${minutes} min ${seconds % 60} s`
    : `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}

/** A size of a file in words. */
export const fileSize = (bytes: number): string =>
  bytes >= 1e9 ? `${(bytes / 1e9).toFixed(1)} GB` : `${(bytes / 1e6).toFixed(1)} MB`

export const percent = (rate: number): string => `${Math.round(rate * 100)}%`

/** Rows left out that are named in the terminal; --json has them all. */
const MOST_LINES = 20

/** Says what was left out of a file, and nothing when everything was read. */
export function tellReading(report: ReadingReport, io: Pick<ConsoleIo, 'note'>): void {
  if (leftCount(report) > 0) io.note(`${readingWords(report)}:`)
  for (const line of leftLines(report, MOST_LINES)) io.note(line)
}
