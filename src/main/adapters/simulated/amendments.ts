import { defineCommand, type Command, type ResolvedCommandContext } from 'just-bash'
import type { Accounts } from '../../../core/shell/accounts'
import type { MemoryFiles } from './memory-files'

export type Result = Awaited<ReturnType<Command['execute']>>

export const NOTHING: Result = { stdout: '', stderr: '', exitCode: 0 }

/** The shell's own command of a name that was given another meaning. */
export const original = (context: ResolvedCommandContext, args: string[]): Promise<Result> =>
  context.origCommand?.(args) ?? Promise.resolve(NOTHING)

const getExecResult = (stderr: string, exitCode = 1): Result => ({
  stdout: '',
  stderr: `${stderr}\n`,
  exitCode,
})

/** What common options of the shell's own commands need to work: each is written in a way that they know. */
export function amendments(fs: MemoryFiles, accounts: Accounts): Command[] {
  return [
    defineCommand('find', (args, context) => find(fs, accounts, args, context)),
    defineCommand('xargs', (args, context) => xargs(fs, args, context)),
    defineCommand('touch', (args, context) => original(context, withDates(args, ['-d', '--date']))),
    defineCommand('date', (args, context) => original(context, withDates(args, ['-d', '--date']))),
    defineCommand('ln', async (args, context) => original(context, await intoFolder(fs, args, context.cwd))),
    defineCommand('cp', (args, context) => copy(fs, args, context)),
    defineCommand('cmp', (args, context) => compare(fs, args, context.cwd)),
  ]
}

/** Whether `find` shows an entry: who owns it, or that it is a link; with the words that ask for it. */
type Filter = (path: string) => Promise<boolean>

/** `find` with what the shell's own does not know: owners and links. It lists, we choose, and do what is to be done with each. */
async function find(
  fs: MemoryFiles,
  accounts: Accounts,
  args: readonly string[],
  context: ResolvedCommandContext,
): Promise<Result> {
  const at = args.findIndex((arg) => /^-(print0?|delete|exec)$/.test(arg))
  const [tests, action] = at < 0 ? [[...args], []] : [args.slice(0, at), args.slice(at)]
  const plain: string[] = []
  const filters: Filter[] = []
  for (let i = 0; i < tests.length; i++) {
    const [test = '', value = ''] = tests.slice(i, i + 2)
    if (test === '-type' && value === 'l') filters.push(async (path) => (await fs.lstat(path)).isSymbolicLink)
    else if (test === '-user' || test === '-group') {
      const match = await (test === '-user' ? accounts.user(value) : accounts.group(value))
      if (!match) return getExecResult(`find: '${value}' is not the name of a known ${test.slice(1)}`)
      const key = test === '-user' ? 'uid' : 'gid'
      filters.push((path) => Promise.resolve(fs.ownerOf(path)[key] === Number(match[2])))
    } else {
      if (test !== '-quit') plain.push(test)
      continue
    }
    i++
  }
  const rest = action.filter((word) => word !== '-quit')
  if (filters.length === 0) return original(context, [...plain, ...rest])
  const listed = await original(context, plain)
  const paths: string[] = []
  for (const path of listed.stdout.split('\n').filter(Boolean)) {
    const full = fs.resolvePath(context.cwd, path)
    const keptFlags = await Promise.all(filters.map((filter) => filter(full)))
    if (!keptFlags.includes(false)) paths.push(path)
  }
  return { ...(await act(fs, paths, rest, context)), stderr: listed.stderr }
}

/** Does with each path what `find` was told to. */
async function act(
  fs: MemoryFiles,
  paths: readonly string[],
  [kind = '-print', ...words]: readonly string[],
  context: ResolvedCommandContext,
): Promise<Result> {
  if (kind === '-print' || kind === '-print0')
    return { ...NOTHING, stdout: paths.map((path) => `${path}${kind === '-print' ? '\n' : '\0'}`).join('') }
  if (kind === '-delete') {
    for (const path of paths) await fs.rm(fs.resolvePath(context.cwd, path))
    return NOTHING
  }
  const end = words.findIndex((word) => word === ';' || word === '+')
  const [name = 'true', ...inputs] = words.slice(0, end)
  const together = words[end] === '+'
  const fill = (each: readonly string[]) => inputs.flatMap((word) => (word === '{}' ? each : [word]))
  let stdout = ''
  for (const each of together ? [paths] : paths.map((path) => [path]))
    stdout += (await context.exec?.(name, { cwd: context.cwd, args: fill(each) }))?.stdout ?? ''
  return { ...NOTHING, stdout }
}

/** `xargs`: letters with their value attached, and a file instead of standard input. */
async function xargs(
  fs: MemoryFiles,
  args: readonly string[],
  context: ResolvedCommandContext,
): Promise<Result> {
  const words: string[] = []
  let file: string | null = null
  for (let i = 0; i < args.length; i++) {
    const arg = args[i] ?? ''
    const attached = /^-([nPLI])(.+)$/.exec(arg)
    if (attached) words.push(`-${attached[1]}`, attached[2] ?? '')
    else if (arg === '-a') file = args[++i] ?? ''
    else {
      words.push(arg)
      if (!arg.startsWith('-') && !/^-[nPLId]$/.test(args[i - 1] ?? '')) {
        words.push(...args.slice(i + 1))
        break
      }
    }
  }
  if (file === null || !context.exec) return original(context, words)
  const stdin = await fs.readFile(fs.resolvePath(context.cwd, file))
  return context.exec('xargs', { cwd: context.cwd, args: words, stdin })
}

const UNITS: Readonly<Record<string, number>> = {
  second: 1,
  sec: 1,
  minute: 60,
  min: 60,
  hour: 3600,
  day: 86_400,
  week: 604_800,
  month: 2_592_000,
  year: 31_536_000,
}

/** Dates such as `2 days ago` and `+30 days` as dates that are written out. */
function withDates(args: readonly string[], options: readonly string[]): string[] {
  return args.map((arg, i) => {
    const [option = '', ...rest] = arg.split('=')
    if (rest.length > 0 && options.includes(option)) return `${option}=${plainDate(rest.join('='))}`
    return options.includes(args[i - 1] ?? '') ? plainDate(arg) : arg
  })
}

function plainDate(text: string): string {
  const name =
    { yesterday: '-1 day', tomorrow: '+1 day', now: '0 day', today: '0 day' }[text.trim()] ?? text.trim()
  const match = /^([+-]?\d+)\s*([a-z]+?)s?(\s+ago)?$/i.exec(name)
  const seconds = UNITS[match?.[2]?.toLowerCase() ?? '']
  if (!match || seconds === undefined) return text
  const by = Number(match[1]) * seconds * (match[3] === undefined ? 1 : -1)
  return new Date(Date.now() + by * 1000).toISOString().slice(0, 19)
}

/** `ln`: into a folder when the last word is one. */
async function intoFolder(fs: MemoryFiles, args: readonly string[], cwd: string): Promise<string[]> {
  const letters = args.filter((arg) => arg.startsWith('-'))
  const words = args.filter((arg) => !arg.startsWith('-'))
  const last = words.at(-1) ?? ''
  const [target = ''] = words
  if (words.length !== 2 || letters.some((letter) => /[nT]/.test(letter))) return [...args]
  const isFolder = await fs.stat(fs.resolvePath(cwd, last)).then(
    (stat) => stat.isDirectory,
    () => false,
  )
  if (!isFolder) return [...args]
  return [
    ...letters,
    target,
    `${last.replace(/\/$/, '')}/${target.replace(/\/$/, '').split('/').at(-1) ?? ''}`,
  ]
}

/** `cp`: `--parents`, `-t`, and owners where they are to be kept. */
async function copy(
  fs: MemoryFiles,
  args: readonly string[],
  context: ResolvedCommandContext,
): Promise<Result> {
  const keeps = args.some((arg) => /^(-[a-zA-Z]*[pa]|--preserve.*|--archive)/.test(arg))
  const words = args.filter((arg) => !arg.startsWith('-'))
  const rest = args.filter(
    (arg) => arg.startsWith('-') && arg !== '--parents' && !arg.startsWith('--preserve') && arg !== '-t',
  )
  const letters = keeps && !rest.includes('-p') ? [...rest, '-p'] : rest
  const index = args.indexOf('-t')
  const target = index >= 0 ? (args[index + 1] ?? '') : (words.at(-1) ?? '')
  const sources = words.filter((word) => word !== target)
  const to = fs.resolvePath(context.cwd, target)
  const isFolder = await fs.stat(to).then(
    (stat) => stat.isDirectory,
    () => false,
  )
  let all = NOTHING
  for (const source of sources) {
    const parents = args.includes('--parents')
    const folder = parents
      ? `${to}/${source
          .split('/')
          .filter((_part, i, all) => i < all.length - (all.at(-1) === '' ? 2 : 1))
          .join('/')}`
      : to
    if (parents) await fs.mkdir(folder, { recursive: true })
    const one = await original(context, [...letters, source, parents ? folder : target])
    all = {
      stdout: all.stdout + one.stdout,
      stderr: all.stderr + one.stderr,
      exitCode: all.exitCode || one.exitCode,
    }
    const from = fs.resolvePath(context.cwd, source)
    const name = from.split('/').at(-1) ?? ''
    if (keeps && one.exitCode === 0)
      fs.setOwner(isFolder || parents ? `${folder}/${name}` : to, fs.ownerOf(from))
  }
  return sources.length === 0 ? original(context, [...args]) : all
}

/** `cmp`: whether two files are alike. */
async function compare(fs: MemoryFiles, args: readonly string[], cwd: string): Promise<Result> {
  const [one = '', other = ''] = args.filter((arg) => !arg.startsWith('-'))
  const silent = args.some((arg) => /^-(s|-quiet|-silent)$/.test(arg))
  try {
    const [a, b] = await Promise.all([one, other].map((path) => fs.readFileBuffer(fs.resolvePath(cwd, path))))
    if (a && b && Buffer.compare(a, b) === 0) return NOTHING
    return silent
      ? { ...NOTHING, exitCode: 1 }
      : { ...NOTHING, stdout: `${one} ${other} differ\n`, exitCode: 1 }
  } catch {
    return getExecResult(`cmp: ${one} or ${other}: No such file or directory`, 2)
  }
}
