import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Electron's switches, as they stand in its program: a mark, a version, how many there are, one character each. */
const FUSES = `dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX${String.fromCharCode(1, 8)}${'0'.repeat(8)}`

/**
 * A folder that looks like Electron's for Linux to what packs an app, where Electron itself cannot be had: its program is a script that
 * runs Node in place of Electron's own Node mode.
 */
export function makeUpElectron(folder, version) {
  mkdirSync(join(folder, 'resources'), { recursive: true })
  mkdirSync(join(folder, 'locales'), { recursive: true })
  writeFileSync(join(folder, 'version'), version)
  writeFileSync(join(folder, 'LICENSE'), '')
  writeFileSync(join(folder, 'LICENSES.chromium.html'), '')
  writeFileSync(join(folder, 'locales', 'en-US.pak'), '')
  writeFileSync(join(folder, 'chrome-sandbox'), '')
  const program = join(folder, 'electron')
  writeFileSync(program, `#!/bin/sh\nexec "${process.execPath}" "$@"\n# ${FUSES}\n`, 'latin1')
  chmodSync(program, 0o755)
}
