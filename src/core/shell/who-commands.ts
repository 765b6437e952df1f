import type { Accounts } from './accounts'
import { Failure, type Run } from './command'
import type { OwnedFiles } from './owned-files'
import { readOptions } from './options'

/** id, groups, whoami and getent: who there is, without changing it. */
export function whoCommands(accounts: Accounts, fs: OwnedFiles): Readonly<Record<string, Run>> {
  const userOf = async (command: string, name: string | undefined) => {
    const user = await accounts.user(name ?? String(fs.actor.uid))
    if (!user) throw new Failure(`${command}: '${name}': no such user`)
    return user
  }

  const id: Run = async (args) => {
    const options = readOptions(args, 'u g G n r z user group groups name real', '')
    const user = await userOf('id', options.words[0])
    const groups = await accounts.groupsOf(user)
    const isNamed = options.has('n', 'name')
    if (options.has('u', 'user')) return `${isNamed ? user[0] : user[2]}\n`
    if (options.has('g', 'group')) return `${isNamed ? await accounts.groupName(Number(user[3])) : user[3]}\n`
    if (options.has('G', 'groups'))
      return `${groups.map((line) => (isNamed ? line[0] : line[2])).join(' ')}\n`
    const primary = await accounts.groupName(Number(user[3]))
    const all = groups.map((line) => `${line[2]}(${line[0]})`).join(',')
    return `uid=${user[2]}(${user[0]}) gid=${user[3]}(${primary}) groups=${all}\n`
  }

  const groups: Run = async (args) => {
    const lines: string[] = []
    for (const name of args.length > 0 ? args : [undefined]) {
      const user = await userOf('groups', name)
      const names = (await accounts.groupsOf(user)).map((line) => line[0]).join(' ')
      lines.push(name === undefined ? names : `${name} : ${names}`)
    }
    return `${lines.join('\n')}\n`
  }

  const getent: Run = async ([database = '', ...keys]) => {
    const lines: Readonly<Record<string, () => Promise<readonly (readonly string[])[]>>> = {
      passwd: accounts.users,
      group: accounts.groups,
      shadow: accounts.shadows,
      gshadow: async () =>
        (await fs.readFile('/etc/gshadow'))
          .split('\n')
          .filter(Boolean)
          .map((line) => line.split(':')),
      hosts: () => Promise.resolve([['127.0.0.1       localhost']]),
    }
    const all = lines[database]
    if (!all) throw new Failure(`Unknown database: ${database}`, 1)
    const entries = await all()
    const groupedMatches = keys.map((key) =>
      entries.find((line) => line[0] === key || (/^\d+$/.test(key) && line[2] === key)),
    )
    if (groupedMatches.includes(undefined)) throw new Failure('', 2)
    return (keys.length > 0 ? groupedMatches : entries).map((line) => `${line?.join(':')}\n`).join('')
  }

  return { id, groups, getent, whoami: async () => `${(await userOf('whoami', undefined))[0]}\n` }
}
