import type { Accounts } from './accounts'
import { Failure, type Run } from './command'
import type { OwnedFiles } from './owned-files'
import { readOptions } from './options'

/** What a command of files is run with besides its arguments. */
export interface Place {
  readonly cwd: string
}
export type RunAt = (args: string[], place: Place) => Promise<string>

const KINDS = { '-': 'regular file', d: 'directory', l: 'symbolic link' } as const

/** `drwxr-s---`. */
function modeText(kind: keyof typeof KINDS, mode: number): string {
  const triple = (bits: number, special: boolean, letter: string) => {
    const last = (bits & 1) !== 0
    const x = special ? (last ? letter : letter.toUpperCase()) : last ? 'x' : '-'
    return `${bits & 4 ? 'r' : '-'}${bits & 2 ? 'w' : '-'}${x}`
  }
  const parts = [
    triple((mode >> 6) & 7, (mode & 0o4000) !== 0, 's'),
    triple((mode >> 3) & 7, (mode & 0o2000) !== 0, 's'),
    triple(mode & 7, (mode & 0o1000) !== 0, 't'),
  ]
  return `${kind}${parts.join('')}`
}

interface Entry {
  readonly path: string
  readonly kind: keyof typeof KINDS
  readonly mode: number
  readonly size: number
  readonly mtime: Date
  readonly uid: number
  readonly gid: number
  readonly target: string | null
}

/** chown, chgrp, stat and ls with owners. */
class FileCommands {
  constructor(
    private readonly accounts: Accounts,
    private readonly fs: OwnedFiles,
  ) {}

  readonly entryAt = async (path: string, follow: boolean): Promise<Entry> => {
    const real = follow ? await this.fs.realpath(path) : path
    const stat = await this.fs.lstat(real)
    const kind = stat.isSymbolicLink ? 'l' : stat.isDirectory ? 'd' : '-'
    const mode = (kind === 'l' ? 0o777 : stat.mode) & 0o7777
    const target = kind === 'l' ? await this.fs.readlink(real) : null
    const size = kind === 'd' ? 4096 : stat.size
    return { path, kind, mode, size, mtime: stat.mtime, target, ...(await this.ownerAt(real)) }
  }
  readonly ownerAt = async (path: string) => {
    const parent = await this.fs.realpath(path.replace(/\/[^/]*$/, '') || '/').catch(() => '/')
    return this.fs.ownerOf(`${parent === '/' ? '' : parent}/${path.split('/').at(-1) ?? ''}`)
  }

  readonly below = async (path: string): Promise<string[]> => {
    const stat = await this.fs.lstat(path)
    if (!stat.isDirectory) return [path]
    const names = await this.fs.readdir(path)
    const inner = await Promise.all(names.map((name) => this.below(`${path === '/' ? '' : path}/${name}`)))
    return [path, ...inner.flat()]
  }

  readonly numberOf = async (command: string, kind: 'user' | 'group', name: string): Promise<number> => {
    const match = await this.accounts[kind](name)
    if (match) return Number(match[2])
    if (/^\d+$/.test(name)) return Number(name)
    throw new Failure(`${command}: invalid ${kind}: '${name}'`)
  }

  readonly changeOwner =
    (command: 'chown' | 'chgrp'): RunAt =>
    async (args, { cwd }) => {
      const options = readOptions(
        args,
        'R h v c f L P H recursive no-dereference verbose changes silent quiet',
        'reference from',
      )
      const reference = options.value('reference')
      const [spec = '', ...references] = reference === null ? options.words : ['', ...options.words]
      if (references.length === 0) throw new Failure(`${command}: missing operand`)
      let uid: number | null = null
      let gid: number | null = null
      if (reference !== null) {
        const like = await this.entryAt(this.fs.resolvePath(cwd, reference), true)
        ;({ uid, gid } = like)
      } else if (command === 'chgrp') {
        gid = await this.numberOf(command, 'group', spec)
      } else {
        const [user = '', group] = spec.split(/[:.]/)
        if (user !== '') uid = await this.numberOf(command, 'user', user)
        if (group === '' && user !== '') gid = Number((await this.accounts.user(user))?.[3] ?? 0)
        else if (group) gid = await this.numberOf(command, 'group', group)
      }
      const gaps: string[] = []
      for (const word of references) {
        const path = this.fs.resolvePath(cwd, word)
        if (
          !(await this.fs.lstat(path).then(
            () => true,
            () => false,
          ))
        ) {
          gaps.push(`${command}: cannot access '${word}': No such file or directory`)
          continue
        }
        for (const each of options.has('R', 'recursive') ? await this.below(path) : [path]) {
          const at = options.has('h', 'no-dereference', 'R', 'recursive')
            ? each
            : await this.fs.realpath(each)
          const before = this.fs.ownerOf(at)
          if (this.fs.actor.uid !== 0 && (uid !== null || before.uid !== this.fs.actor.uid))
            throw new Failure(`${command}: changing ownership of '${word}': Operation not permitted`)
          this.fs.setOwner(at, { uid: uid ?? before.uid, gid: gid ?? before.gid })
        }
      }
      if (gaps.length > 0) throw new Failure(gaps.join('\n'))
      return ''
    }

  readonly stat: RunAt = async (args, { cwd }) => {
    const options = readOptions(args, 'L t dereference terse', 'c format printf')
    const format = options.value('c', 'format', 'printf')
    let text = ''
    for (const word of options.words) {
      const path = this.fs.resolvePath(cwd, word)
      const entry = await this.entryAt(path, options.has('L', 'dereference')).catch(() => {
        throw new Failure(`stat: cannot statx '${word}': No such file or directory`)
      })
      text += await this.formatted(format ?? DEFAULT_FORMAT, entry, word)
      if (options.value('printf') === null) text += '\n'
    }
    return text
  }

  readonly formatted = async (format: string, entry: Entry, word: string): Promise<string> => {
    const { uid, gid, mode, kind, size, mtime, target } = entry
    const time = `${mtime.toISOString().replace('T', ' ').replace('Z', '')}000000 +0000`
    const values: Readonly<Record<string, string>> = {
      a: mode.toString(8),
      A: modeText(kind, mode),
      f: ((kind === 'd' ? 0o40000 : kind === 'l' ? 0o120000 : 0o100000) | mode).toString(16),
      F: size === 0 && kind === '-' ? 'regular empty file' : KINDS[kind],
      g: String(gid),
      G: await this.accounts.groupName(gid),
      h: '1',
      i: '1',
      n: word,
      N: target === null ? `'${word}'` : `'${word}' -> '${target}'`,
      s: String(target?.length ?? size),
      u: String(uid),
      U: await this.accounts.userName(uid),
      ...Object.fromEntries(['x', 'y', 'z', 'w'].map((letter) => [letter, time])),
      ...Object.fromEntries(
        ['X', 'Y', 'Z', 'W'].map((letter) => [letter, String(Math.floor(mtime.getTime() / 1000))]),
      ),
    }
    return format
      .replace(/%0?(\d*)([a-zA-Z%])/g, (_, width: string, letter: string) =>
        letter === '%' ? '%' : (values[letter] ?? '?').padStart(Number(width || 0), '0'),
      )
      .replaceAll('\\n', '\n')
  }

  readonly longLine = async (entry: Entry, name: string, numeric: boolean): Promise<string> => {
    const { uid, gid, kind, mode, mtime, target, size } = entry
    const owner = numeric ? String(uid) : await this.accounts.userName(uid)
    const group = numeric ? String(gid) : await this.accounts.groupName(gid)
    const month = mtime.toLocaleString('en-US', { month: 'short', timeZone: 'UTC' })
    const when = `${month} ${String(mtime.getUTCDate()).padStart(2)} ${mtime.toISOString().slice(11, 16)}`
    const arrow = target === null ? '' : ` -> ${target}`
    return `${modeText(kind, mode)} 1 ${owner} ${group} ${String(target?.length ?? size).padStart(5)} ${when} ${name}${arrow}\n`
  }

  /** The long form only; the rest is the shell's own. */
  readonly lsLong: RunAt = async (args, { cwd }) => {
    const letters = args.filter((arg) => /^-[^-]/.test(arg)).join('')
    const words = args.filter((arg) => !arg.startsWith('-'))
    const numeric = letters.includes('n')
    let text = ''
    const gaps: string[] = []
    for (const word of words.length > 0 ? words : ['.']) {
      const path = this.fs.resolvePath(cwd, word)
      const entry = await this.entryAt(path, false).catch(() => null)
      if (entry === null) {
        gaps.push(`ls: cannot access '${word}': No such file or directory`)
        continue
      }
      if (entry.kind !== 'd' || letters.includes('d')) {
        text += await this.longLine(entry, word, numeric)
        continue
      }
      const folders = letters.includes('R') ? (await this.below(path)).filter((each) => each !== '') : [path]
      for (const folder of folders) {
        if (!(await this.fs.lstat(folder)).isDirectory) continue
        const names = (await this.fs.readdir(folder))
          .sort()
          .filter((name) => /a|A/.test(letters) || !name.startsWith('.'))
        if (folders.length > 1 || words.length > 1) text += `${folder === path ? word : folder}:\n`
        text += `total ${names.length * 4}\n`
        const views = letters.includes('a') ? ['.', '..', ...names] : names
        for (const name of views) {
          const at = this.fs.resolvePath(folder, name)
          text += await this.longLine(await this.entryAt(at, false), name, numeric)
        }
      }
    }
    if (gaps.length > 0 && text === '') throw new Failure(gaps.join('\n'), 2)
    return text
  }

  /** Whether an entry belongs to somebody: `find -user` and `-group` by another name. */
  readonly owned: RunAt = async ([kind = '', name = '', path = ''], { cwd }) => {
    const entry = await this.entryAt(this.fs.resolvePath(cwd, path), false)
    const isOwned =
      kind === '-user'
        ? entry.uid === (await this.numberOf('find', 'user', name))
        : entry.gid === (await this.numberOf('find', 'group', name))
    if (!isOwned) throw new Failure('')
    return ''
  }
}

/** chown, chgrp, stat, and `ls -l`, with owners, by their names. */
export function fileCommands(accounts: Accounts, fs: OwnedFiles): Readonly<Record<string, RunAt>> {
  const commands = new FileCommands(accounts, fs)
  return {
    chown: commands.changeOwner('chown'),
    chgrp: commands.changeOwner('chgrp'),
    stat: commands.stat,
    'ls -l': commands.lsLong,
  }
}

const DEFAULT_FORMAT = `  File: %N
  Size: %s\tBlocks: 8\tIO Block: 4096\t%F
Device: 0,1\tInode: %i\tLinks: %h
Access: (%04a/%A)  Uid: (%u/%U)   Gid: (%g/%G)
Modify: %y`

export type { Run }
