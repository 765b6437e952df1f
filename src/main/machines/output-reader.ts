import type { Readable } from 'node:stream'
import { MAX_OUTPUT_CHARS, type CommandResult } from '../../core/tasks/lab-os/machine'

/** Reads what a shell writes, a command at a time. */
export type OutputReader = ReturnType<typeof createOutputReader>

/** Characters that are kept while looking for a mark. */
const KEPT = 2 * MAX_OUTPUT_CHARS

/** Reads several streams as they come; they are over when the first one is. */
export function createOutputReader(streams: readonly Readable[]) {
  let report: ((text: string | null) => void) | null = null
  let over = false
  for (const stream of streams) {
    stream.setEncoding('utf8')
    stream.on('data', (text: string) => report?.(text))
    stream.on('close', () => {
      over = true
      report?.(null)
    })
  }
  return {
    /**
     * What comes until a line `<mark> <exit code>`, without it. `exitCode` is null when the streams ended or `ms` went by before that. One at a
     * time; what comes while nobody waits is dropped.
     */
    until: (mark: string, ms: number): Promise<CommandResult> =>
      new Promise((resolve) => {
        let text = ''
        let dropped = false
        const finish = (exitCode: number | null, output: string) => {
          clearTimeout(timer)
          report = null
          resolve({ exitCode, output: cut(output, dropped) })
        }
        const timer = setTimeout(() => finish(null, text), ms)
        const end = new RegExp(`\\n?${mark} (\\d+)\\n`)
        report = (more) => {
          if (more === null) return finish(null, text)
          text += more
          const match = end.exec(text)
          if (match) return finish(Number(match[1]), text.slice(0, match.index))
          if (text.length > KEPT) {
            // The head is what is shown; the tail may hold half a mark.
            text = text.slice(0, MAX_OUTPUT_CHARS) + text.slice(-100)
            dropped = true
          }
        }
        if (over) finish(null, '')
      }),
  }
}

const cut = (text: string, dropped: boolean): string =>
  dropped || text.length > MAX_OUTPUT_CHARS
    ? `${text.slice(0, MAX_OUTPUT_CHARS)}\n[truncated because the output is too long]`
    : text
