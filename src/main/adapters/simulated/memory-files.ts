import { InMemoryFs, type FileContent, type MkdirOptions } from 'just-bash'
import { ROOT, type Actor, type OwnedFiles, type Owner } from '../../../core/shell/owned-files'

const parentOf = (path: string): string => path.replace(/\/[^/]*$/, '') || '/'

const denied = (path: string): Error => new Error(`EACCES: permission denied, '${path}'`)

/** Files in memory with owners, groups that folders hand down, and permissions that hold for everybody but root. */
export class MemoryFiles extends InMemoryFs implements OwnedFiles {
  actor: Actor = ROOT
  readonly #owners = new Map<string, Owner>()

  /** Of the entry itself, links not followed. */
  ownerOf = (path: string): Owner => this.#owners.get(this.resolvePath('/', path)) ?? ROOT

  setOwner(path: string, owner: Owner): void {
    this.#owners.set(this.resolvePath('/', path), owner)
  }

  async #real(path: string): Promise<string> {
    return this.realpath(path).catch(() => this.resolvePath('/', path))
  }

  /** @throws an error in the system's words when the actor may not: 4 reads, 2 writes, 1 enters */
  async #check(path: string, bit: number): Promise<void> {
    if (this.actor.uid === 0) return
    const real = await this.#real(path)
    if (real !== '/') await this.#check(parentOf(real), 1)
    const { mode } = await this.stat(real)
    const { uid, gid } = this.ownerOf(real)
    const shift = uid === this.actor.uid ? 6 : this.actor.groups.includes(gid) ? 3 : 0
    if (((mode >> shift) & bit) !== bit) throw denied(path)
  }

  /** Does what makes an entry, and notes to whom it belongs when it is new. */
  async #making<T>(path: string, make: () => Promise<T>): Promise<T> {
    const at = this.resolvePath('/', path)
    const isThere = await this.lstat(at).then(
      () => true,
      () => false,
    )
    const parent = await this.#real(parentOf(at))
    await (isThere ? this.#check(at, 2) : this.#check(parent, 3)).catch((error: Error) => {
      if (error.message.startsWith('EACCES')) throw error
    })
    const before = isThere ? await this.stat(at).catch(() => null) : null
    const product = await make()
    // Files in memory come out with fresh permissions when they are written again.
    if (before?.isFile === true) await super.chmod(at, before.mode)
    if (!isThere) {
      const { mode } = await this.stat(parent)
      const handsDown = (mode & 0o2000) !== 0
      const gid = handsDown ? this.ownerOf(parent).gid : this.actor.gid
      this.setOwner(`${parent === '/' ? '' : parent}/${at.split('/').at(-1) ?? ''}`, {
        uid: this.actor.uid,
        gid,
      })
      const entry = await this.lstat(at)
      if (handsDown && entry.isDirectory) await super.chmod(at, entry.mode | 0o2000)
    }
    return product
  }

  override async readFile(path: string, options?: Parameters<InMemoryFs['readFile']>[1]): Promise<string> {
    await this.#check(path, 4)
    return super.readFile(path, options)
  }

  override async readFileBytes(path: string): ReturnType<InMemoryFs['readFileBytes']> {
    await this.#check(path, 4)
    return super.readFileBytes(path)
  }

  override async readFileBuffer(path: string): Promise<Uint8Array> {
    await this.#check(path, 4)
    return super.readFileBuffer(path)
  }

  override async readdir(path: string): Promise<string[]> {
    await this.#check(path, 4)
    return super.readdir(path)
  }

  override writeFile(path: string, content: FileContent, options?: Parameters<InMemoryFs['writeFile']>[2]) {
    return this.#making(path, () => super.writeFile(path, content, options))
  }

  override appendFile(path: string, content: FileContent, options?: Parameters<InMemoryFs['appendFile']>[2]) {
    return this.#making(path, () => super.appendFile(path, content, options))
  }

  override async mkdir(path: string, options?: MkdirOptions): Promise<void> {
    const at = this.resolvePath('/', path)
    if (options?.recursive === true && at !== '/' && !(await this.exists(parentOf(at))))
      await this.mkdir(parentOf(at), options)
    return this.#making(path, () => super.mkdir(path, options))
  }

  override symlink(target: string, path: string): Promise<void> {
    return this.#making(path, () => super.symlink(target, path))
  }

  override async link(existing: string, path: string): Promise<void> {
    await this.#making(path, () => super.link(existing, path))
    this.setOwner(path, this.ownerOf(await this.#real(existing)))
  }

  override async rm(path: string, options?: Parameters<InMemoryFs['rm']>[1]): Promise<void> {
    const at = this.resolvePath('/', path)
    await this.#check(parentOf(at), 3)
    await super.rm(path, options)
    this.#forget(at)
  }

  override async mv(from: string, to: string): Promise<void> {
    const [source, target] = [this.resolvePath('/', from), this.resolvePath('/', to)]
    await this.#check(parentOf(source), 3)
    await this.#check(parentOf(target), 3)
    const moves = [...this.#owners].filter(([path]) => path === source || path.startsWith(`${source}/`))
    await super.mv(from, to)
    for (const [path, owner] of moves) this.#owners.set(target + path.slice(source.length), owner)
    if (source !== target) this.#forget(source)
  }

  override async chmod(path: string, mode: number): Promise<void> {
    if (this.actor.uid !== 0 && this.ownerOf(await this.#real(path)).uid !== this.actor.uid)
      throw denied(path)
    return super.chmod(path, mode)
  }

  #forget(path: string): void {
    for (const recordText of this.#owners.keys()) {
      if (recordText === path || recordText.startsWith(`${path}/`)) this.#owners.delete(recordText)
    }
  }
}
