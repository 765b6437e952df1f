import { Bash, InMemoryFs } from 'just-bash'
import { SCRIPT_LIMITS } from '../../../ground/script-limits'
import type { Work } from '../../../ground/isolate/protocol'
import { cutValue, folderFull, type CodeReply, type CodeRequest, type FileChanges } from './code'

/** Where the task's folder is, seen from the shell; every script begins there. */
const FOLDER = '/task'
/** Files in it that are looked at after a call. */
const MOST_FILES = 2000

/** A simulated shell, the one of simulated operating systems: the common commands over files in memory, and nothing else of the computer. */
export function openShell(): Work<CodeRequest, CodeReply> {
  const folder = new ShellFolder()
  const shell = new Bash({
    fs: folder.fs,
    cwd: FOLDER,
    env: { HOME: FOLDER, USER: 'task', PATH: '/usr/bin:/bin' },
    executionLimits: SCRIPT_LIMITS,
    // What it would guard against is walled off already.
    defenseInDepth: false,
  })
  return async ({ code, files, folderBytes, timeMs }) => {
    await folder.receive(files)
    const { stdout, stderr, exitCode } = await shell.exec(code, {
      cwd: FOLDER,
      signal: AbortSignal.timeout(timeMs),
      rawScript: true,
    })
    const changes = await folder.changes(folderBytes)
    return {
      printed: cutValue(stdout + stderr),
      value: null,
      error: exitCode === 0 ? null : `It ended with exit code ${exitCode}.`,
      files: changes,
    }
  }
}

/** The task's folder in the shell's in-memory file system. */
class ShellFolder {
  readonly fs = new InMemoryFs()
  #known = new Map<string, Buffer>()

  async receive({ changed, removed }: FileChanges): Promise<void> {
    await this.fs.mkdir(FOLDER, { recursive: true })
    for (const path of removed) {
      if (this.#known.delete(path)) await this.fs.rm(`${FOLDER}/${path}`, { force: true })
    }
    for (const [path, bytes] of changed) {
      const full = `${FOLDER}/${path}`
      await this.fs.mkdir(full.slice(0, full.lastIndexOf('/')), { recursive: true })
      await this.fs.writeFile(full, bytes)
      this.#known.set(path, Buffer.from(bytes))
    }
  }

  /** What differs since the last call. @throws Error when the folder holds too much */
  async changes(limit: number): Promise<FileChanges> {
    const bytesMap = await this.#walk('')
    const total = [...bytesMap.values()].reduce((sum, bytes) => sum + bytes.length, 0)
    if (total > limit) throw folderFull(total, limit)
    const changes = [...bytesMap].filter(([path, bytes]) => this.#known.get(path)?.equals(bytes) !== true)
    const removals = [...this.#known.keys()].filter((path) => !bytesMap.has(path))
    this.#known = bytesMap
    return { changed: changes, removed: removals }
  }

  async #walk(folder: string, bytesMap = new Map<string, Buffer>()): Promise<Map<string, Buffer>> {
    for (const name of await this.fs.readdir(`${FOLDER}/${folder}`)) {
      const path = folder === '' ? name : `${folder}/${name}`
      const info = await this.fs.lstat(`${FOLDER}/${path}`)
      if (info.isDirectory) await this.#walk(path, bytesMap)
      else if (info.isFile) bytesMap.set(path, Buffer.from(await this.fs.readFileBuffer(`${FOLDER}/${path}`)))
      if (bytesMap.size > MOST_FILES)
        throw new Error(`The task's folder would hold more than ${MOST_FILES} files.`)
    }
    return bytesMap
  }
}
