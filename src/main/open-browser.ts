import { spawn } from 'node:child_process'

type Environment = Readonly<Record<string, string | undefined>>

/** Whether there is likely to be a person in front of a browser on this machine. */
export function canOpenBrowser(
  platform: NodeJS.Platform = process.platform,
  env: Environment = process.env,
  isTerminal: boolean = process.stdout.isTTY,
): boolean {
  if (!isTerminal || env['CI'] || env['SSH_CONNECTION']) return false
  return platform === 'darwin' || platform === 'win32' || Boolean(env['DISPLAY'] ?? env['WAYLAND_DISPLAY'])
}

/** The program that opens an address in the person's browser. */
export function browserCommand(
  url: string,
  platform: NodeJS.Platform = process.platform,
): [string, string[]] {
  if (platform === 'darwin') return ['open', [url]]
  if (platform === 'win32') return ['rundll32', ['url.dll,FileProtocolHandler', url]]
  return ['xdg-open', [url]]
}

/** Opens an address in the person's browser. When that does not work nothing happens: the address is printed anyway. */
export function openBrowser(url: string): void {
  const [command, args] = browserCommand(url)
  const child = spawn(command, args, { stdio: 'ignore', detached: true })
  child.on('error', () => undefined)
  child.unref()
}
