import { homedir } from 'node:os'
import { isAbsolute, join, resolve } from 'node:path'

/**
 * The data folder: `chosen` (a flag), else LOAM_DATA, else this user's own: `~/Library/Application Support/Loam`
 * on macOS, `%LOCALAPPDATA%\Loam` on Windows, `$XDG_DATA_HOME/loam` or `~/.local/share/loam` elsewhere.
 */
export function findDataPath(choice: string | undefined): string {
  const { env, platform } = process
  if (choice !== undefined) return resolve(choice)
  if (env.LOAM_DATA) return resolve(env.LOAM_DATA)
  switch (platform) {
    case 'darwin':
      return join(homedir(), 'Library', 'Application Support', 'Loam')
    case 'win32':
      return join(env.LOCALAPPDATA ?? join(homedir(), 'AppData', 'Local'), 'Loam')
    default:
      return join(folderOr(env.XDG_DATA_HOME, join(homedir(), '.local', 'share')), 'loam')
  }
}

/** The folder that a variable names; `usual` where it is not set, empty or no full path: such a one is to be ignored by the XDG Base Directory Specification. */
export const folderOr = (value: string | undefined, usual: string): string =>
  value !== undefined && isAbsolute(value) ? value : usual
