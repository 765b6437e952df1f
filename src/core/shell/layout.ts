import type { OwnedFiles } from './owned-files'

const FOLDERS = ['bin', 'etc/skel', 'home', 'media', 'mnt', 'opt', 'root', 'run', 'sbin', 'srv', 'tmp']
  .concat(['usr/bin', 'usr/sbin', 'usr/lib', 'usr/local/bin', 'usr/local/sbin', 'usr/share', 'var/backups'])
  .concat(['var/cache', 'var/lib', 'var/log', 'var/mail', 'var/spool/cron', 'var/tmp', 'var/www'])

const SYSTEM_USERS: readonly (readonly [string, number])[] = [
  ['daemon', 1],
  ['bin', 2],
  ['sys', 3],
  ['games', 5],
  ['man', 6],
  ['mail', 8],
  ['backup', 34],
  ['www-data', 33],
]

const GROUPS: readonly (readonly [string, number])[] = [
  ['root', 0],
  ...SYSTEM_USERS,
  ['adm', 4],
  ['tty', 5],
  ['sudo', 27],
  ['audio', 29],
  ['shadow', 42],
  ['video', 44],
  ['staff', 50],
  ['users', 100],
  ['nogroup', 65534],
]

/** The shells that can be chosen; they are found, and do nothing of their own. */
const SHELLS = ['sh', 'bash', 'dash', 'rbash', 'zsh']

/** The folders, accounts and shells that every small system starts with. */
export async function layOut(fs: OwnedFiles): Promise<void> {
  for (const folder of FOLDERS) await fs.mkdir(`/${folder}`, { recursive: true })
  await fs.chmod('/tmp', 0o1777)
  await fs.chmod('/var/tmp', 0o1777)
  await fs.chmod('/root', 0o700)
  const users = [
    'root:x:0:0:root:/root:/bin/bash',
    ...SYSTEM_USERS.map(([name, id]) => `${name}:x:${id}:${id}:${name}:/usr/sbin:/usr/sbin/nologin`),
    'nobody:x:65534:65534:nobody:/nonexistent:/usr/sbin/nologin',
  ]
  const today = Math.floor(Date.now() / 86_400_000)
  const text = (lines: readonly string[]) => lines.map((line) => `${line}\n`).join('')
  await fs.writeFile('/etc/passwd', text(users))
  await fs.writeFile(
    '/etc/shadow',
    text(users.map((line) => `${line.split(':')[0]}:*:${today}:0:99999:7:::`)),
  )
  await fs.writeFile('/etc/group', text(GROUPS.map(([name, id]) => `${name}:x:${id}:`)))
  await fs.writeFile('/etc/gshadow', text(GROUPS.map(([name]) => `${name}:*::`)))
  await fs.writeFile('/etc/hostname', 'loam\n')
  await fs.writeFile('/etc/shells', text(SHELLS.flatMap((name) => [`/bin/${name}`, `/usr/bin/${name}`])))
  await fs.writeFile('/etc/skel/.bashrc', '# ~/.bashrc\n')
  for (const name of ['shadow', 'gshadow']) {
    await fs.chmod(`/etc/${name}`, 0o640)
    fs.setOwner(`/etc/${name}`, { uid: 0, gid: 42 })
  }
  for (const name of [...SHELLS, 'nologin']) {
    for (const folder of ['bin', 'usr/bin', 'usr/sbin']) {
      if (name === 'nologin' ? folder !== 'usr/sbin' : folder === 'usr/sbin') continue
      await fs.writeFile(`/${folder}/${name}`, '')
      await fs.chmod(`/${folder}/${name}`, 0o755)
    }
  }
}
