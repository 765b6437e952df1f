import type { CommandResult, Machine } from '../lab-os/machine'
import { quoted } from './commands'

/** Where a repository lies in its system. */
export const REPOSITORY = '/repo'

/** Characters of base64 that one script carries into a system, and that one of its answers can carry out. */
const PIECE_IN = 60_000
const PIECE_OUT = 12_000

/** Longest file that is read or edited, in bytes. */
const LONGEST_FILE = 1_000_000

/** Seconds that putting in or taking out one piece may take. */
const PIECE_SECONDS = 60

/** The path of a file of the repository, from its top; null when it is none. */
export function repositoryPath(path: string): string | null {
  const inner = path.startsWith(`${REPOSITORY}/`) ? path.slice(REPOSITORY.length + 1) : path
  const parts = inner.split('/').filter((part) => part !== '' && part !== '.')
  return inner.startsWith('/') || parts.includes('..') || inner.includes('\0') ? null : parts.join('/')
}

const full = (path: string): string => quoted(`${REPOSITORY}/${path}`)

const toBase64 = (bytes: Uint8Array): string => {
  let text = ''
  for (let at = 0; at < bytes.length; at += 8190)
    text += btoa(String.fromCharCode(...bytes.subarray(at, at + 8190)))
  return text
}

const pieceOf = (path: string, piece: string, first: boolean): string =>
  `base64 -d ${first ? '>' : '>>'} ${full(path)} <<'LOAM'\n${piece}\nLOAM`

/** What one script after another writes: files in pieces, several small ones together. */
function* writing(files: Iterable<readonly [path: string, bytes: Uint8Array]>): Generator<string> {
  let script: string[] = []
  let size = 0
  for (const [path, bytes] of files) {
    const folder = path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : ''
    script.push(`mkdir -p ${full(folder)}`)
    const text = toBase64(bytes)
    for (let at = 0; at === 0 || at < text.length; at += PIECE_IN) {
      const piece = text.slice(at, at + PIECE_IN)
      if (size + piece.length > PIECE_IN && script.length > 0) {
        yield script.join('\n')
        script = []
        size = 0
      }
      script.push(pieceOf(path, piece, at === 0))
      size += piece.length + path.length
    }
  }
  if (script.length > 0) yield script.join('\n')
}

/** A repository in a system of its own. */
export type Workspace = ReturnType<typeof workspaceOn>

/** The repository in a machine. */
export function workspaceOn(machine: Machine) {
  const must = async (script: string): Promise<void> => {
    const { exitCode, output } = await machine.run(script, PIECE_SECONDS)
    if (exitCode !== 0) throw new Error(`The repository could not be put in: ${output.trim().slice(0, 200)}`)
  }
  return {
    /** Puts files in, over those that are there. @throws Error when the system takes none */
    async write(files: Iterable<readonly [path: string, bytes: Uint8Array]>) {
      for (const script of writing(files)) await must(script)
    },
    remove: (path: string) => must(`rm -f ${full(path)}`),
    /** A file as text; null when there is none that can be read. */
    async read(path: string): Promise<string | null> {
      const about = await machine.run(`[ -f ${full(path)} ] && wc -c < ${full(path)}`, PIECE_SECONDS)
      const bytes = Number(about.output.trim())
      if (about.exitCode !== 0 || !Number.isFinite(bytes) || bytes > LONGEST_FILE) return null
      const step = (PIECE_OUT / 4) * 3
      const pieces: Uint8Array[] = []
      for (let at = 0; at < bytes; at += step) {
        const size = Math.min(step, bytes - at)
        const script = `head -c ${at + size} ${full(path)} | tail -c ${size} | base64 -w 0`
        const { exitCode, output } = await machine.run(script, PIECE_SECONDS)
        if (exitCode !== 0) return null
        pieces.push(Uint8Array.from(atob(output.trim()), (char) => char.charCodeAt(0)))
      }
      const whole = new Uint8Array(pieces.reduce((sum, piece) => sum + piece.length, 0))
      pieces.reduce((at, piece) => (whole.set(piece, at), at + piece.length), 0)
      return new TextDecoder().decode(whole)
    },
    /** Runs a script at the top of the repository. */
    run: (script: string, seconds: number): Promise<CommandResult> =>
      machine.run(`cd ${REPOSITORY}\n${script}`, seconds),
  }
}
