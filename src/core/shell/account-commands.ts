import { dayOf, Failure, type Run } from './command'
import type { Accounts, GroupLine, UserLine } from './accounts'
import type { OwnedFiles } from './owned-files'
import { withName, readOptions } from './options'

const NAME = /^[a-z_][a-z0-9_.-]*\$?$/i

/** useradd, usermod, groupadd and the others that change who there is. */
class AccountCommands {
  constructor(
    private readonly accounts: Accounts,
    private readonly fs: OwnedFiles,
  ) {}

  readonly needUser = async (command: string, name: string, exitCode = 6): Promise<UserLine> => {
    const user = await this.accounts.user(name)
    if (!user) throw new Failure(`${command}: user '${name}' does not exist`, exitCode)
    return user
  }
  readonly needGroup = async (command: string, name: string, exitCode = 6): Promise<GroupLine> => {
    const group = await this.accounts.group(name)
    if (!group) throw new Failure(`${command}: group '${name}' does not exist`, exitCode)
    return group
  }

  readonly makeHome = async (user: UserLine) => {
    if (await this.fs.exists(user[5])) return
    await this.fs.mkdir(user[5], { recursive: true })
    for (const name of await this.fs.readdir('/etc/skel').catch(() => [])) {
      await this.fs.writeFile(`${user[5]}/${name}`, await this.fs.readFile(`/etc/skel/${name}`))
      this.fs.setOwner(`${user[5]}/${name}`, { uid: Number(user[2]), gid: Number(user[3]) })
    }
    this.fs.setOwner(user[5], { uid: Number(user[2]), gid: Number(user[3]) })
  }

  readonly addGroup = (command: string) =>
    withName('f r force system quiet o', 'g gid K p', async (options, name) => {
      if (command === 'addgroup' && options.words.length === 2) {
        await this.accounts.setMember(
          await this.needGroup(command, options.words[1] ?? '', 1),
          (await this.needUser(command, name, 1))[0],
          true,
        )
        return `Adding user \`${name}' to group \`${options.words[1]}' ...\nDone.\n`
      }
      if (!NAME.test(name)) throw new Failure(`${command}: '${name}' is not a valid group name`, 3)
      if ((await this.accounts.groups()).some(([recordText]) => recordText === name)) {
        if (options.has('f', 'force')) return ''
        if (command === 'addgroup') throw new Failure(`addgroup: The group \`${name}' already exists.`, 1)
        throw new Failure(`groupadd: group '${name}' already exists`, 9)
      }
      const gid = options.value('g', 'gid') ?? (await this.accounts.nextId(options.has('r', 'system')))
      if ((await this.accounts.groups()).some((line) => line[2] === gid) && !options.has('o'))
        throw new Failure(`${command}: GID '${gid}' already exists`, 4)
      await this.accounts.putGroup([name, 'x', gid, ''])
      return command === 'addgroup' ? `Adding group \`${name}' (GID ${gid}) ...\nDone.\n` : ''
    })

  readonly useradd = withName(
    'm M N U r o l create-home no-create-home system user-group no-user-group',
    'c d e f g G k K p s u b comment home-dir gid groups shell uid password expiredate',
    async (options, name) => {
      if (!NAME.test(name)) throw new Failure(`useradd: invalid user name '${name}'`, 3)
      if ((await this.accounts.users()).some(([recordText]) => recordText === name))
        throw new Failure(`useradd: user '${name}' already exists`, 9)
      const uid = options.value('u', 'uid') ?? (await this.accounts.nextId(options.has('r', 'system')))
      if ((await this.accounts.users()).some((line) => line[2] === uid) && !options.has('o'))
        throw new Failure(`useradd: UID ${uid} is not unique`, 4)
      const further = (options.value('G', 'groups') ?? '').split(',').filter(Boolean)
      for (const group of further) await this.needGroup('useradd', group)
      const namedName = options.value('g', 'gid')
      let gid = namedName === null ? '100' : (await this.needGroup('useradd', namedName))[2]
      if (namedName === null && !options.has('N', 'no-user-group')) {
        if (await this.accounts.group(name))
          throw new Failure(
            `useradd: group ${name} exists - if you want to add this user to that group, use -g.`,
            9,
          )
        gid = (await this.accounts.group(uid)) ? await this.accounts.nextId() : uid
        await this.accounts.putGroup([name, 'x', gid, ''])
      }
      const home = options.value('d', 'home-dir') ?? `${options.value('b') ?? '/home'}/${name}`
      const user: UserLine = [
        name,
        'x',
        uid,
        gid,
        options.value('c', 'comment') ?? '',
        home,
        options.value('s', 'shell') ?? '/bin/sh',
      ]
      await this.accounts.putUser(user)
      for (const group of further)
        await this.accounts.setMember(await this.needGroup('useradd', group), name, true)
      if (options.has('m', 'create-home')) await this.makeHome(user)
      await this.setExpiry(name, options.value('e', 'expiredate'))
      await this.setPassword(name, options.value('p', 'password'))
      return ''
    },
  )

  readonly setExpiry = async (name: string, date: string | null) => {
    if (date === null) return
    const line = [...((await this.accounts.shadow(name)) ?? [])]
    line[7] = dayOf(date)
    await this.accounts.putShadow(line)
  }

  readonly setPassword = async (name: string, hash: string | null) => {
    if (hash === null) return
    const line = [...((await this.accounts.shadow(name)) ?? [])]
    line[1] = hash
    await this.accounts.putShadow(line)
  }

  readonly usermod = withName(
    'a append m move-home L U lock unlock o r remove',
    'c d e f g G l p s u comment home gid groups login shell uid password expiredate',
    async (options, name) => {
      const before = await this.needUser('usermod', name)
      const groups = options.value('G', 'groups')
      if (groups !== null) {
        const targets = groups.split(',').filter(Boolean)
        for (const group of targets) await this.needGroup('usermod', group)
        for (const line of await this.accounts.groups()) {
          const isNamed = targets.includes(line[0]) || targets.includes(line[2])
          if (isNamed) await this.accounts.setMember(line, before[0], !options.has('r', 'remove'))
          else if (!options.has('a', 'append', 'r', 'remove'))
            await this.accounts.setMember(line, before[0], false)
        }
      }
      const primary = options.value('g', 'gid')
      const after: UserLine = [...before]
      if (primary !== null) after[3] = (await this.needGroup('usermod', primary))[2]
      after[0] = options.value('l', 'login') ?? after[0]
      after[2] = options.value('u', 'uid') ?? after[2]
      after[4] = options.value('c', 'comment') ?? after[4]
      after[5] = options.value('d', 'home') ?? after[5]
      after[6] = options.value('s', 'shell') ?? after[6]
      await this.accounts.putUser(after, before[0])
      if (after[0] !== before[0]) {
        for (const line of await this.accounts.groups()) {
          if (!line[3].split(',').includes(before[0])) continue
          await this.accounts.setMember(line, before[0], false)
          await this.accounts.setMember((await this.accounts.group(line[0])) ?? line, after[0], true)
        }
      }
      if (options.has('m', 'move-home') && (await this.fs.exists(before[5])))
        await this.fs.mv(before[5], after[5])
      const shadow = [...((await this.accounts.shadow(after[0])) ?? [])]
      if (options.has('L', 'lock')) shadow[1] = `!${shadow[1] ?? ''}`
      if (options.has('U', 'unlock')) shadow[1] = (shadow[1] ?? '').replace(/^!/, '')
      await this.accounts.putShadow(shadow)
      await this.setExpiry(after[0], options.value('e', 'expiredate'))
      await this.setPassword(after[0], options.value('p', 'password'))
      return ''
    },
  )

  readonly userdel = (command: string) =>
    withName('r f remove force remove-home quiet', '', async (options, name) => {
      const [, group] = options.words
      if (command === 'deluser' && group !== undefined) {
        await this.accounts.setMember(await this.needGroup(command, group, 3), name, false)
        return `Removing user \`${name}' from group \`${group}' ...\nDone.\n`
      }
      const user = await this.needUser(command, name)
      await this.accounts.removeUser(user[0])
      const own = await this.accounts.group(user[0])
      if (own?.[2] === user[3] && own[3] === '') await this.accounts.removeGroup(own[0])
      if (options.has('r', 'remove', 'remove-home'))
        await this.fs.rm(user[5], { recursive: true, force: true })
      return ''
    })

  readonly groupdel = withName('f quiet only-if-empty', '', async (_options, name) => {
    const group = await this.needGroup('groupdel', name)
    if ((await this.accounts.users()).some((user) => user[3] === group[2]))
      throw new Failure(`groupdel: cannot remove the primary group of user '${name}'`, 8)
    await this.accounts.removeGroup(group[0])
    return ''
  })

  readonly groupmod = withName('o', 'n g new-name gid', async (options, group) => {
    const [name, x, gid, members] = await this.needGroup('groupmod', group)
    await this.accounts.putGroup(
      [options.value('n', 'new-name') ?? name, x, options.value('g', 'gid') ?? gid, members],
      name,
    )
    return ''
  })

  readonly gpasswd = withName('r R', 'a d A M add delete members', async (options, name) => {
    const group = await this.needGroup('gpasswd', name, 3)
    const admins = options.value('A')
    if (admins !== null) {
      for (const admin of admins.split(',').filter(Boolean)) await this.needUser('gpasswd', admin, 3)
      await this.accounts.setAdmins(group, admins)
    }
    const [add, remove, members] = [
      options.value('a', 'add'),
      options.value('d', 'delete'),
      options.value('M', 'members'),
    ]
    if (members !== null) await this.accounts.putGroup([group[0], group[1], group[2], members])
    if (add !== null) {
      await this.needUser('gpasswd', add, 3)
      await this.accounts.setMember(group, add, true)
      return `Adding user ${add} to group ${group[0]}\n`
    }
    if (remove !== null) {
      if (!group[3].split(',').includes(remove))
        throw new Failure(`gpasswd: user '${remove}' is not a member of '${name}'`, 3)
      await this.accounts.setMember(group, remove, false)
      return `Removing user ${remove} from group ${group[0]}\n`
    }
    return ''
  })

  readonly adduser = withName(
    'disabled-password disabled-login system quiet no-create-home group force-badname allow-bad-names',
    'gecos comment home shell uid gid ingroup',
    async (options, name) => {
      const [, group] = options.words
      if (group !== undefined) return this.addGroup('addgroup')([name, group], '')
      const pass = (flag: string, value: string | null) => (value === null ? [] : [flag, value])
      await this.useradd(
        [
          ...(options.has('no-create-home') ? [] : ['-m']),
          ...pass('-c', options.value('gecos', 'comment')),
          ...pass('-d', options.value('home')),
          ...['-s', options.value('shell') ?? '/bin/bash'],
          ...pass('-u', options.value('uid')),
          ...pass('-g', options.value('ingroup', 'gid')),
          name,
        ],
        '',
      )
      return `Adding user \`${name}' ...\n`
    },
  )

  readonly chsh: Run = async (args) => {
    const options = readOptions(args, '', 's shell')
    const user = await this.needUser('chsh', options.words[0] ?? 'root', 1)
    const shell = options.value('s', 'shell')
    if (shell === null) throw new Failure('Password: chsh: PAM: Authentication failure', 1)
    const after: UserLine = [...user]
    after[6] = shell
    await this.accounts.putUser(after)
    return ''
  }
}

/** useradd, usermod, groupadd and the others that change who there is, by their names. */
export function accountCommands(accounts: Accounts, fs: OwnedFiles): Readonly<Record<string, Run>> {
  const { useradd, usermod, groupmod, gpasswd, adduser, chsh, ...more } = new AccountCommands(accounts, fs)
  return {
    ...{
      useradd,
      usermod,
      groupmod,
      gpasswd,
      adduser,
      chsh,
      passwd: passwd(accounts),
      chpasswd: chpasswd(accounts),
    },
    ...{ groupadd: more.addGroup('groupadd'), addgroup: more.addGroup('addgroup') },
    ...{
      userdel: more.userdel('userdel'),
      deluser: more.userdel('deluser'),
      groupdel: more.groupdel,
      delgroup: more.groupdel,
    },
  }
}

/** Passwords are locked, unlocked, deleted and expired; none is kept. */
const passwd =
  (accounts: Accounts): Run =>
  async (args) => {
    const options = readOptions(args, 'l u d e S q lock unlock delete expire status stdin', 'n x w i')
    const name = options.words[0] ?? 'root'
    if (!(await accounts.user(name))) throw new Failure(`passwd: user '${name}' does not exist`, 1)
    const line = [...((await accounts.shadow(name)) ?? [])]
    const hash = line[1] ?? ''
    if (options.has('S', 'status'))
      return `${name} ${hash.startsWith('!') ? 'L' : 'P'} 11/22/2026 0 99999 7 -1\n`
    if (options.has('l', 'lock')) line[1] = `!${hash.replace(/^!/, '')}`
    else if (options.has('u', 'unlock')) line[1] = hash.replace(/^!/, '')
    else if (options.has('d', 'delete')) line[1] = ''
    else if (options.has('e', 'expire')) line[2] = '0'
    else line[1] = '$y$j9T$simulated'
    ;[
      ['n', 3],
      ['x', 4],
      ['w', 5],
      ['i', 6],
    ].forEach(([flag, at]) => {
      const value = options.value(String(flag))
      if (value !== null) line[Number(at)] = value
    })
    await accounts.putShadow(line)
    return 'passwd: password expiry information changed.\n'
  }

/** Lines of `user:password` on standard input. */
const chpasswd =
  (accounts: Accounts): Run =>
  async (_args, input) => {
    for (const inputText of input.split('\n').filter(Boolean)) {
      const name = inputText.split(':')[0] ?? ''
      const line = await accounts.shadow(name)
      if (!line) throw new Failure(`chpasswd: user '${name}' does not exist`, 1)
      await accounts.putShadow([line[0] ?? name, '$y$j9T$simulated', ...line.slice(2)])
    }
    return ''
  }
