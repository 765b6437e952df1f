import { lstat, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { walkFolder } from '../../ground/walk-folder'
import type { FileChanges } from '../../adapters/isolate/work/code'

/** Most files of a task's folder. */
const MOST_FILES = 2000

interface Seen {
  readonly bytes: number
  readonly modifiedMs: number
}

/** What one interpreter knows of the folder. */
export type FolderView = Map<string, Seen>

/**
 * The one folder that code works in. Interpreters never touch it: they are sent what changed and send back what they
 * changed, and only plain files below it are read or written.
 */
export class TaskFolder {
  constructor(
    readonly path: string,
    /** Most bytes of all its files. */
    readonly mostBytes: number,
  ) {}

  /** What is new to `view`, which then knows it. @throws Error when the folder is too full to be handed over */
  async changesFor(view: FolderView): Promise<FileChanges> {
    const { files, more } = await walkFolder(this.path, MOST_FILES)
    const total = files.reduce((sum, { bytes }) => sum + bytes, 0)
    if (more || total > this.mostBytes) {
      throw new Error(
        `The task's folder is too full for code to work in: at most ${MOST_FILES} files and ${this.mostBytes} bytes are allowed.`,
      )
    }
    const changes: [string, Uint8Array][] = []
    for (const file of files) {
      const record = view.get(file.name)
      if (record?.bytes === file.bytes && record.modifiedMs === file.modifiedMs) continue
      changes.push([file.name, await readFile(file.path)])
      view.set(file.name, file)
    }
    const names = new Set(files.map(({ name }) => name))
    const removals = [...view.keys()].filter((name) => !names.has(name))
    for (const name of removals) view.delete(name)
    return { changed: changes, removed: removals }
  }

  /** Takes over what an interpreter changed. Answers the names of the files it wrote. @throws Error for a path that leaves the folder */
  async apply({ changed, removed }: FileChanges, view: FolderView): Promise<string[]> {
    for (const [name] of changed) await this.#place(name)
    for (const [name, bytes] of changed) {
      const path = await this.#place(name)
      await mkdir(dirname(path), { recursive: true })
      await writeFile(path, bytes)
      const { size, mtimeMs } = await lstat(path)
      view.set(name, { bytes: size, modifiedMs: mtimeMs })
    }
    for (const name of removed) {
      await rm(await this.#place(name), { force: true })
      view.delete(name)
    }
    return changed.map(([name]) => name)
  }

  /** Where a name in the folder is. No part of the way may be a link. */
  async #place(name: string): Promise<string> {
    const parts = name.split('/')
    const bad = parts.some((part) => part === '' || part === '.' || part === '..' || /[\\:\0]/.test(part))
    if (bad) throw new Error(`"${name}" is not a name for a file in the task's folder.`)
    for (let depth = 1; depth <= parts.length; depth++) {
      const info = await lstat(join(this.path, ...parts.slice(0, depth))).catch(() => null)
      if (info?.isSymbolicLink() === true)
        throw new Error(`"${name}" is reached through a link, which is not followed.`)
    }
    return join(this.path, ...parts)
  }
}
