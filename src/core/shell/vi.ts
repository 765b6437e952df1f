import { RE2JS } from 're2js'
import { Failure } from './command'
import type { OwnedFiles } from './owned-files'

const getName = (text: string): string => text.replace(/\\e|\x1b/g, '')

/**
 * The little of vi that scripts use: `-c` and `+` commands and ex commands on standard input: insert and append by `normal i|a|o|O|A|I|G`,
 * `a` and `i` with lines up to a full stop, substitution, deletion, `w`, `q`, `x`. @throws Failure for anything else
 */
export async function vi(
  fs: OwnedFiles,
  cwd: string,
  args: readonly string[],
  input: string,
): Promise<string> {
  const commands: string[] = []
  const files: string[] = []
  for (let i = 0; i < args.length; i++) {
    const arg = args[i] ?? ''
    if (arg === '-c' || arg === '-S' || arg === '--cmd') commands.push(args[++i] ?? '')
    else if (arg.startsWith('+')) commands.push(arg.slice(1) || '$')
    else if (!arg.startsWith('-')) files.push(arg)
  }
  const isEx = args.some((arg) => /^-(e|E|s|es|Es)$/.test(arg))
  commands.push(...(isEx ? exLines(input) : keysIn(input)))
  const [file] = files
  if (file === undefined) return ''
  const path = fs.resolvePath(cwd, file)
  const text = await fs.readFile(path).catch(() => '')
  const buffer = { lines: text === '' ? [] : text.replace(/\n$/, '').split('\n'), at: 0 }
  for (const command of commands) {
    for (const each of /^norm|^[ai]\n|^s|%s/.test(command) ? [command] : command.split('|')) {
      const write = edit(buffer, each.trimStart().replace(/^:/, ''))
      if (write) await fs.writeFile(path, buffer.lines.map((line) => `${line}\n`).join(''))
    }
  }
  return ''
}

/** Ex commands, a line each; `a` and `i` take the lines up to a full stop. */
function exLines(input: string): string[] {
  const commands: string[] = []
  const lines = input.split('\n')
  while (lines.length > 0) {
    const line = (lines.shift() ?? '').trim()
    if (!/^:?(\d*|\$)[ai]$/.test(line)) {
      commands.push(line)
      continue
    }
    const end = lines.indexOf('.')
    const additions = lines.splice(0, end < 0 ? lines.length : end + 1)
    commands.push([line.replace(/^:/, ''), ...(end < 0 ? additions : additions.slice(0, -1))].join('\n'))
  }
  return commands
}

/** Keys typed: a letter that starts to insert and what follows up to Escape, or a colon and the rest of its line. */
function keysIn(input: string): string[] {
  const commands: string[] = []
  for (let rest = input; rest !== '';) {
    const insert = /^[iIaAoO]([^\x1b]*)\x1b?/.exec(rest)
    const ex = /^:([^\n]*)\n?/.exec(rest)
    if (insert) commands.push(`normal ${insert[0].replace('\x1b', '')}`)
    else if (ex) commands.push(ex[1] ?? '')
    else if (rest.startsWith('G')) commands.push('$')
    else if (rest.startsWith('ZZ')) commands.push('wq')
    else if (rest.startsWith('dd')) commands.push('normal dd')
    const claim = insert?.[0] ?? ex?.[0] ?? (/^(ZZ|dd)/.exec(rest)?.[0] || rest[0] || '')
    rest = rest.slice(claim.length)
  }
  return commands
}

interface Buffer {
  lines: string[]
  at: number
}

/** Does one command; whether the file is to be written. */
function edit(buffer: Buffer, command: string): boolean {
  if (/^(w|wq|x|wqa|xa|ZZ)!?$/.test(command)) return true
  if (/^(qa?!?|q|set .*|startinsert|e!?)$/.test(command) || command === '') return false
  if (/^\d+$/.test(command)) buffer.at = Math.max(0, Number(command) - 1)
  else if (command === '$') buffer.at = Math.max(0, buffer.lines.length - 1)
  else if (/^(%|\d+|\$)?d$/.test(command)) remove(buffer, command.slice(0, -1))
  else if (/^(\d*|\$)[ai]\n/.test(command)) insertLines(buffer, command)
  else if (/^norm(al)?!? /.test(command)) normal(buffer, getName(command.replace(/^norm(al)?!? /, '')))
  else if (/^call append\(/.test(command)) callAppend(buffer, command)
  else if (/^(%|\d+|\$)?s(.)/.test(command)) substitute(buffer, command)
  else throw new Failure(`vi: E492: Not an editor command: ${command}`)
  return false
}

function remove(buffer: Buffer, range: string): void {
  if (range === '%') buffer.lines = []
  else
    buffer.lines.splice(
      range === '$' ? buffer.lines.length - 1 : range === '' ? buffer.at : Number(range) - 1,
      1,
    )
}

function insertLines(buffer: Buffer, command: string): void {
  const [head = '', ...lines] = command.split('\n')
  const where = head.slice(0, -1)
  const at = where === '$' ? buffer.lines.length - 1 : where === '' ? buffer.at : Number(where) - 1
  buffer.lines.splice(Math.min(buffer.lines.length, at + (head.endsWith('a') ? 1 : 0)), 0, ...lines)
}

function normal(buffer: Buffer, keys: string): void {
  const key = keys[0] ?? ''
  if (key === 'G') {
    buffer.at = Math.max(0, buffer.lines.length - 1)
    return normal(buffer, keys.slice(1))
  }
  if (key === '' || keys.startsWith('gg')) return
  const texts = keys.slice(1).split(/\r|\n/)
  if (key === 'o' || key === 'O') {
    buffer.at = buffer.lines.length === 0 ? 0 : buffer.at + (key === 'o' ? 1 : 0)
    if (buffer.lines.length === 0) buffer.lines.push('')
    buffer.lines.splice(key === 'o' ? Math.max(1, buffer.at) : buffer.at, 0, ...texts)
  } else if ('iIaA'.includes(key)) {
    const line = buffer.lines[buffer.at] ?? ''
    const at = key === 'A' ? line.length : key === 'a' ? Math.min(1, line.length) : 0
    const joined = (line.slice(0, at) + texts.join('\n') + line.slice(at)).split('\n')
    buffer.lines.splice(buffer.at, 1, ...joined)
    buffer.at += joined.length - 1
  } else if (keys === 'dd') remove(buffer, '')
  else throw new Failure(`vi: normal mode has no ${key} here`)
}

function callAppend(buffer: Buffer, command: string): void {
  const match = /^call append\(\s*(\d+|line\('\$'\)|'\$')\s*,\s*["'](.*)["']\s*\)$/.exec(command)
  if (!match) throw new Failure(`vi: E15: Invalid expression: ${command}`)
  const at = /^\d/.test(match[1] ?? '') ? Number(match[1]) : buffer.lines.length
  buffer.lines.splice(at, 0, match[2] ?? '')
}

function substitute(buffer: Buffer, command: string): void {
  const match = /^(%|\d+|\$)?s(.)(.*)$/s.exec(command)
  const mark = match?.[2] ?? '/'
  const [from = '', to = '', flags = ''] = (match?.[3] ?? '').split(mark)
  const pattern = compile(from)
  const range = match?.[1]
  buffer.lines = buffer.lines.map((line, i) => {
    const isMeant =
      range === '%' ||
      (range === '$' ? i === buffer.lines.length - 1 : i === (range ? Number(range) - 1 : buffer.at))
    if (!isMeant) return line
    const matcher = pattern.matcher(line)
    return flags.includes('g') ? matcher.replaceAll(to) : matcher.replaceFirst(to)
  })
}

/** In linear time, since the pattern is a model's: no references back and no looking around. */
function compile(pattern: string): RE2JS {
  try {
    return RE2JS.compile(pattern)
  } catch {
    throw new Failure(`vi: E383: Invalid search string: ${pattern}`)
  }
}
