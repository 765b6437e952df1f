export interface Owner {
  readonly uid: number
  readonly gid: number
}

/** Who runs a command at the moment: root, or whom `su` made it. */
export interface Actor extends Owner {
  readonly groups: readonly number[]
}

export const ROOT: Actor = { uid: 0, gid: 0, groups: [0] }

/** What is told of an entry. */
export interface EntryStat {
  readonly isFile: boolean
  readonly isDirectory: boolean
  readonly isSymbolicLink: boolean
  /** Permission bits. */
  readonly mode: number
  /** Bytes. */
  readonly size: number
  readonly mtime: Date
}

/** Files with owners, groups that folders hand down, and permissions that hold for everybody but root. Failures are errors in the system's words. */
export interface OwnedFiles {
  /** Who acts; what is made belongs to them. */
  actor: Actor
  /** Of the entry itself, links not followed. */
  ownerOf(path: string): Owner
  setOwner(path: string, owner: Owner): void
  resolvePath(from: string, path: string): string
  exists(path: string): Promise<boolean>
  stat(path: string): Promise<EntryStat>
  lstat(path: string): Promise<EntryStat>
  readFile(path: string): Promise<string>
  writeFile(path: string, content: string): Promise<void>
  readdir(path: string): Promise<string[]>
  mkdir(path: string, options?: { readonly recursive?: boolean }): Promise<void>
  chmod(path: string, mode: number): Promise<void>
  mv(from: string, to: string): Promise<void>
  rm(path: string, options?: { readonly recursive?: boolean; readonly force?: boolean }): Promise<void>
  readlink(path: string): Promise<string>
  realpath(path: string): Promise<string>
}
