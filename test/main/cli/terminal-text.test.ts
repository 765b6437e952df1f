import { afterEach, expect, it, vi } from 'vitest'
import { openConsole } from '../../../src/main/cli/console-io'

const HOSTILE = 'Pay.\u001b]0;owned\u0007\u001b[2J\u001b[8mhidden\u009b1A\u202eback\rover\u2066'
const SHOWN = 'Pay.�]0;owned��[2J�[8mhidden�1A�back�over�'
const writes: string[] = []

afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
  writes.length = 0
})

/** A console on a terminal, or on a pipe. */
function consoleOn(isTTY: boolean) {
  const write = (text: unknown): boolean => writes.push(String(text)) > 0
  const stream = { isTTY, columns: 200, on: () => undefined, write }
  vi.spyOn(process, 'stdout', 'get').mockReturnValue(stream as never)
  vi.spyOn(process, 'stderr', 'get').mockReturnValue(stream as never)
  return openConsole(new AbortController().signal)
}

it('text of others cannot steer a terminal', () => {
  const io = consoleOn(true)
  io.out(HOSTILE)
  io.note(HOSTILE)
  io.type?.(HOSTILE)
  io.status(HOSTILE)
  expect(writes).toEqual([`${SHOWN}\n`, `${SHOWN}\n`, SHOWN, `\r\u001b[2K${SHOWN}`])
})

it('lines, tabs and colours of commands stay, and so does what goes on to a file', () => {
  consoleOn(true).out('a\tb\r\nc \u001b[38;5;12mblue\u001b[0m é 你')
  consoleOn(false).out(HOSTILE)
  expect(writes).toEqual(['a\tb\nc \u001b[38;5;12mblue\u001b[0m é 你\n', `${HOSTILE}\n`])
})
