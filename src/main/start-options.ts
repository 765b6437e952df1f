import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs, type ParseArgsConfig } from 'node:util'
import { isLoamLink, readLoamLink, type LoamLink } from '../shared/domain/desktop'
import { LoamError } from '../shared/errors'

/** What may be said when Loam is started with a window or a browser page. */
export interface StartOptions {
  /** The data folder as given; undefined takes the usual one. */
  readonly data: string | undefined
  /** Port of the browser page; 0 (default) takes any free one. */
  readonly port: number
  /** Whether to open the browser. Default true. */
  readonly open: boolean
  /** Whether the browser is opened without a terminal too, and the host ends once nobody has the page open. Default false. */
  readonly untilLeft: boolean
  /** Why there is no desktop window. */
  readonly why: string
  /** A file with what Electron's program said before it ended without a window. */
  readonly said: string | undefined
  /** Whether the window begins with an empty ask. Default false. */
  readonly newAsk: boolean
  /** Files to open, as full paths; given as paths or `file:` addresses. */
  readonly files: readonly string[]
  /** What `loam://` links among them ask for. */
  readonly links: readonly LoamLink[]
}

/** Switches of Chromium, Electron and macOS that a desktop window may be started with beside our own. */
const FOREIGN_SWITCH =
  /^(--(no-sandbox|disable-gpu|disable-gpu-compositing|disable-dev-shm-usage|enable-logging|force-renderer-accessibility|((enable|disable)-features|force-device-scale-factor|high-dpi-support|lang|ozone-platform|ozone-platform-hint|password-store|use-gl|inspect|inspect-brk|remote-debugging-port|v)=.*)|-psn_\w+)$/

/** Reads the arguments of `npm start`; unknown ones are `BAD_INPUT`. In the desktop window some of Chromium's own pass. */
export function readStartOptions(args: readonly string[], mode: 'page' | 'window' = 'page'): StartOptions {
  const { values, positionals } =
    mode === 'window'
      ? parse(
          args.filter((arg) => !FOREIGN_SWITCH.test(arg)),
          { 'new-ask': { type: 'boolean' } },
        )
      : parse(args)
  const port = Number(values['port'] ?? 0)
  if (!Number.isInteger(port) || port < 0 || port > 65_535) {
    throw badInput(`${String(values['port'])} is not a port.`)
  }
  const text = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined)
  return {
    data: text(values['data']),
    port,
    open: values['no-open'] !== true,
    untilLeft: values['until-left'] === true,
    why: text(values['why']) ?? 'the browser interface was started directly',
    said: text(values['said']),
    newAsk: values['new-ask'] === true,
    files: positionals.filter((text) => !isLoamLink(text)).map(fileAt),
    links: positionals.filter(isLoamLink).map(readLoamLink),
  }
}

/** A file as it was given: by its path, or as desktops on Linux give it, by its address. */
function fileAt(text: string): string {
  const path = /^file:\/\//i.test(text) ? pathOf(text) : text
  if (existsSync(path)) return resolve(path)
  throw badInput(`${path} is neither an option nor a file.`)
}

function pathOf(address: string): string {
  try {
    return fileURLToPath(address)
  } catch {
    return address
  }
}

function parse(
  args: readonly string[],
  more: NonNullable<ParseArgsConfig['options']> = {},
): {
  readonly values: Record<string, unknown>
  readonly positionals: readonly string[]
} {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        data: { type: 'string' },
        port: { type: 'string' },
        'no-open': { type: 'boolean' },
        headless: { type: 'boolean' },
        'until-left': { type: 'boolean' },
        why: { type: 'string' },
        said: { type: 'string' },
        ...more,
      },
    })
  } catch (error) {
    throw badInput(error instanceof Error ? error.message : String(error))
  }
}

function badInput(cause: string): LoamError {
  return new LoamError('BAD_INPUT', cause, { suggestion: 'npm start -- --help lists what can be said.' })
}
