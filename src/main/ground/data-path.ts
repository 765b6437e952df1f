import { homedir } from 'node:os'
import { join, resolve } from 'node:path'

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
      return join(env.XDG_DATA_HOME ?? join(homedir(), '.local', 'share'), 'loam')
  }
}
