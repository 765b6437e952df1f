import type { Accounts } from './accounts'
import { dayOf, Failure, type Run } from './command'
import { withName } from './options'

const DAY = 86_400_000

/** `Jan 05, 2027`, as chage writes days since 1970. */
const dateOf = (days: string): string => {
  const date = new Date(Number(days) * DAY)
  const month = date.toLocaleString('en-US', { month: 'short', timeZone: 'UTC' })
  return `${month} ${String(date.getUTCDate()).padStart(2, '0')}, ${date.getUTCFullYear()}`
}

/** What stands in each place of a line of /etc/shadow, by the option that changes it. */
const PLACES = { d: 2, m: 3, M: 4, W: 5, I: 6, E: 7 } as const
const LONG = {
  d: 'lastday',
  m: 'mindays',
  M: 'maxdays',
  W: 'warndays',
  I: 'inactive',
  E: 'expiredate',
} as const

/** How long passwords and accounts last. */
export function chage(accounts: Accounts): Run {
  const valued = [...Object.keys(PLACES), ...Object.values(LONG)].join(' ')
  return withName('l list i', valued, async (options, name) => {
    const line = await accounts.shadow(name)
    if (!line) throw new Failure(`chage: user '${name}' does not exist in /etc/passwd`, 1)
    if (options.has('l', 'list')) return listing(line)
    const next = [...line]
    for (const letter of Object.keys(PLACES) as (keyof typeof PLACES)[]) {
      const value = options.value(letter, LONG[letter])
      if (value === null) continue
      next[PLACES[letter]] = letter === 'd' || letter === 'E' ? dayOf(value) : value === '-1' ? '' : value
    }
    await accounts.putShadow(next)
    return ''
  })
}

function listing([
  ,
  ,
  last = '',
  min = '',
  max = '',
  warn = '',
  inactive = '',
  expires = '',
]: string[]): string {
  const forced = last === '0'
  const ends = last === '' || max === '' || Number(max) >= 99_999
  const must = 'password must be changed'
  const lastChange = forced ? must : last === '' ? 'never' : dateOf(last)
  const passwordEnds = forced ? must : ends ? 'never' : dateOf(String(Number(last) + Number(max)))
  const rest =
    ends || inactive === '' ? 'never' : dateOf(String(Number(last) + Number(max) + Number(inactive)))
  return [
    `Last password change\t\t\t\t\t: ${lastChange}`,
    `Password expires\t\t\t\t\t: ${passwordEnds}`,
    `Password inactive\t\t\t\t\t: ${forced ? must : rest}`,
    `Account expires\t\t\t\t\t\t: ${expires === '' ? 'never' : dateOf(expires)}`,
    `Minimum number of days between password change\t\t: ${min === '' ? '-1' : min}`,
    `Maximum number of days between password change\t\t: ${max === '' ? '-1' : max}`,
    `Number of days of warning before password expires\t: ${warn === '' ? '-1' : warn}`,
    '',
  ].join('\n')
}
