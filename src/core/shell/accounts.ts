import type { OwnedFiles } from './owned-files'

/** A line of /etc/passwd: name, x, uid, gid, comment, home, shell. */
export type UserLine = [string, string, string, string, string, string, string]
/** A line of /etc/group: name, x, gid, members with commas between. */
export type GroupLine = [string, string, string, string]

const FILES = { passwd: 7, group: 4, shadow: 9, gshadow: 4 } as const
type FileName = keyof typeof FILES

/** The accounts of a system as they stand in its files, which commands may also change by hand. */
export class Accounts {
  constructor(private readonly fs: OwnedFiles) {}

  async #lines(name: FileName): Promise<string[][]> {
    const text = await this.fs.readFile(`/etc/${name}`).catch(() => '')
    const fill = (line: string) => [...line.split(':'), ...Array<string>(9).fill('')].slice(0, FILES[name])
    return text.split('\n').filter(Boolean).map(fill)
  }

  async #write(name: FileName, lines: readonly (readonly string[])[]): Promise<void> {
    await this.fs.writeFile(`/etc/${name}`, lines.map((line) => `${line.join(':')}\n`).join(''))
  }

  users = () => this.#lines('passwd') as Promise<UserLine[]>
  groups = () => this.#lines('group') as Promise<GroupLine[]>
  shadows = () => this.#lines('shadow')

  user = async (name: string) => (await this.users()).find((line) => line[0] === name || line[2] === name)
  group = async (name: string) => (await this.groups()).find((line) => line[0] === name || line[2] === name)
  shadow = async (name: string) => (await this.shadows()).find(([user]) => user === name)

  /** Adds the line, or puts it in the place of the one with its first field. */
  async #put(name: FileName, line: readonly string[], replaces = line[0]): Promise<void> {
    const lines = await this.#lines(name)
    const at = lines.findIndex(([first]) => first === replaces)
    if (at < 0) lines.push([...line])
    else lines[at] = [...line]
    await this.#write(name, lines)
  }

  async #remove(file: FileName, name: string): Promise<void> {
    await this.#write(
      file,
      (await this.#lines(file)).filter(([first]) => first !== name),
    )
  }

  async putUser(line: UserLine, replaces?: string): Promise<void> {
    await this.#put('passwd', line, replaces)
    const shadow = await this.shadow(replaces ?? line[0])
    const fresh = [line[0], '!', String(Math.floor(Date.now() / 86_400_000)), '0', '99999', '7', '', '', '']
    await this.#put('shadow', shadow ? [line[0], ...shadow.slice(1)] : fresh, replaces)
  }

  putShadow = (line: readonly string[]) => this.#put('shadow', line)

  async putGroup(line: GroupLine, replaces?: string): Promise<void> {
    await this.#put('group', line, replaces)
    const admins = (await this.#lines('gshadow')).find(([name]) => name === (replaces ?? line[0]))?.[2] ?? ''
    await this.#put('gshadow', [line[0], '!', admins, line[3]], replaces)
  }

  /** Names who may change a group's members. */
  async setAdmins([name, , , members]: GroupLine, admins: string): Promise<void> {
    await this.#put('gshadow', [name, '!', admins, members])
  }

  async removeUser(name: string): Promise<void> {
    await this.#remove('passwd', name)
    await this.#remove('shadow', name)
    for (const line of await this.groups()) await this.setMember(line, name, false)
  }

  async removeGroup(name: string): Promise<void> {
    await this.#remove('group', name)
    await this.#remove('gshadow', name)
  }

  /** Makes a user a member of a group, or no longer. */
  async setMember([name, x, gid, members]: GroupLine, user: string, member: boolean): Promise<void> {
    const others = members.split(',').filter((other) => other !== '' && other !== user)
    const next = (member ? [...others, user] : others).join(',')
    if (next !== members) await this.putGroup([name, x, gid, next])
  }

  /** Groups of a user, the primary one first. */
  async groupsOf([name, , , primary]: UserLine): Promise<GroupLine[]> {
    const all = await this.groups()
    const own = all.filter(([, , gid]) => gid === primary)
    return [
      ...own,
      ...all.filter(([, , gid, members]) => gid !== primary && members.split(',').includes(name)),
    ]
  }

  /** The next free number: from 1000 for people, counted down from 999 for a system's own. */
  async nextId(system = false): Promise<string> {
    const takenSet = new Set(
      [...(await this.users()), ...(await this.groups())].map((line) => Number(line[2])),
    )
    let id = system ? 999 : 1000
    while (takenSet.has(id)) id += system ? -1 : 1
    return String(id)
  }

  userName = async (uid: number) => (await this.user(String(uid)))?.[0] ?? String(uid)
  groupName = async (gid: number) => (await this.group(String(gid)))?.[0] ?? String(gid)
}
