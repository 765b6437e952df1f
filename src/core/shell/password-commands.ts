import type { Accounts } from './accounts'
import { Failure, type Run } from './command'
import { readOptions } from './options'

/** Passwords are locked, unlocked, deleted and expired; none is kept. */
export const passwd =
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
export const chpasswd =
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
