import { Bash, defineCommand, type Command, type ResolvedCommandContext } from 'just-bash'
import {
  MAX_OUTPUT_CHARS,
  type CommandResult,
  type Machine,
  type OsDriver,
} from '../../../core/tasks/lab-os/machine'
import { Accounts } from '../../../core/shell/accounts'
import { accountCommands } from '../../../core/shell/account-commands'
import { Failure } from '../../../core/shell/command'
import { chage } from '../../../core/shell/chage'
import { fileCommands } from '../../../core/shell/file-commands'
import { layOut } from '../../../core/shell/layout'
import { amendments, NOTHING, original, type Result } from './amendments'
import { SCRIPT_LIMITS } from '../../ground/script-limits'
import { BadOption } from '../../../core/shell/options'
import { ROOT } from '../../../core/shell/owned-files'
import { MemoryFiles } from './memory-files'
import { vi } from '../../../core/shell/vi'
import { whoCommands } from '../../../core/shell/who-commands'

/** Bytes that all files of a system may hold together. */
const FILE_BYTES = 64 * 2 ** 20

/** What one script may do, and what its files may hold. */
const LIMITS = { ...SCRIPT_LIMITS, maxFileSystemBytes: FILE_BYTES, maxLiveBytes: FILE_BYTES }

/**
 * Systems that are simulated: a shell, files, users, groups and permissions in memory, and nothing else of the computer. Needs nothing, knows less
 * than a real system: no processes that go on, no network, no programs beyond the common ones.
 */
export const createSimulatedDriver = (): Promise<OsDriver> =>
  Promise.resolve({ id: 'simulated', open: () => openMachine() })

async function openMachine(): Promise<Machine> {
  const fs = new MemoryFiles({}, { maxTotalBytes: FILE_BYTES })
  await layOut(fs)
  const accounts = new Accounts(fs)
  const clock = { slept: 0 }
  const shell = new Bash({
    fs,
    cwd: '/',
    env: {
      HOME: '/root',
      USER: 'root',
      PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
    },
    customCommands: commands(accounts, fs),
    executionLimits: LIMITS,
    processInfo: { uid: 0, gid: 0 },
    defenseInDepth: false,
    // Time that is slept away passes at once, and counts.
    sleep: (ms) => {
      clock.slept += ms
      return Promise.resolve()
    },
  })
  let isClosed = false
  return {
    async run(script, seconds): Promise<CommandResult> {
      if (isClosed) return { exitCode: null, output: '' }
      fs.actor = ROOT
      clock.slept = 0
      const since = performance.now()
      const signal = AbortSignal.timeout(seconds * 1000)
      const result = await shell
        .exec(script, { cwd: '/', signal, rawScript: true })
        .catch((error: unknown) => ({
          exitCode: 1,
          stdout: '',
          stderr: `bash: ${error instanceof Error ? error.message : String(error)}\n`,
        }))
      const output = (result.stdout + result.stderr).slice(0, MAX_OUTPUT_CHARS)
      const late = performance.now() - since + clock.slept > seconds * 1000
      return { exitCode: late ? null : result.exitCode, output }
    },
    close() {
      isClosed = true
      return Promise.resolve()
    },
  }
}

/** What a simulated system has beyond the shell's own commands. */
function commands(accounts: Accounts, fs: MemoryFiles): Command[] {
  const files = fileCommands(accounts, fs)
  const { 'ls -l': lsLong, ...plain } = files
  const text = (context: ResolvedCommandContext) => Buffer.from(String(context.stdin), 'latin1').toString()
  const own: Record<string, (args: string[], context: ResolvedCommandContext) => Promise<string>> = {
    chage: (args) => chage(accounts)(args, ''),
    vi: (args, context) => vi(fs, context.cwd, args, text(context)),
    ...plain,
  }
  own['vim'] = own['vi'] as (typeof own)[string]
  for (const [name, run] of Object.entries({
    ...accountCommands(accounts, fs),
    ...whoCommands(accounts, fs),
  }))
    own[name] = (args, context) => run(args, text(context))
  for (const name of ['kill', 'pkill', 'pgrep', 'ps', 'disown', 'sync']) own[name] = () => Promise.resolve('')
  return [
    ...Object.entries(own).map(([name, run]) => command(name, run)),
    // In its long form ls tells owners; in any other it is the shell's own.
    defineCommand('ls', async (args, context) => {
      const isLong = args.some((arg) => /^-[a-zA-Z]*[lgno]/.test(arg))
      return isLong && lsLong ? answer(() => lsLong(args, context)) : original(context, args)
    }),
    ...amendments(fs, accounts),
    defineCommand('nohup', (args, context) => run(context, args)),
    defineCommand('su', (args, context) => switchUser(accounts, fs, args, context)),
    defineCommand('sudo', (args, context) =>
      run(
        context,
        args.filter((arg, i) => !(i === 0 && arg.startsWith('-'))),
      ),
    ),
  ]
}

const command = (
  name: string,
  run: (args: string[], context: ResolvedCommandContext) => Promise<string>,
): Command => defineCommand(name, (args, context) => answer(() => run(args, context), name))

/** A command's answer, its failures as words on standard error. */
async function answer(run: () => Promise<string>, name = 'ls'): Promise<Result> {
  try {
    return { stdout: await run(), stderr: '', exitCode: 0 }
  } catch (error) {
    if (error instanceof Failure)
      return {
        stdout: '',
        stderr: error.message === '' ? '' : `${error.message}\n`,
        exitCode: error.exitCode,
      }
    const message = error instanceof Error ? error.message : String(error)
    return { stdout: '', stderr: `${name}: ${message}\n`, exitCode: error instanceof BadOption ? 2 : 1 }
  }
}

/** Runs a command given by its words. */
async function run(context: ResolvedCommandContext, [name, ...args]: string[]): Promise<Result> {
  if (name === undefined || !context.exec) return NOTHING
  return context.exec(name, { cwd: context.cwd, args, stdin: String(context.stdin), stdinKind: 'bytes' })
}

/** `su [-] USER -c SCRIPT`: the script as somebody else. */
async function switchUser(
  accounts: Accounts,
  fs: MemoryFiles,
  args: readonly string[],
  context: ResolvedCommandContext,
): Promise<Result> {
  const at = args.indexOf('-c')
  const script = at < 0 ? null : (args[at + 1] ?? '')
  const words = args.filter((arg, i) => !arg.startsWith('-') && i !== at + 1)
  const user = await accounts.user((at < 0 ? args.find((arg) => !arg.startsWith('-')) : words[0]) ?? 'root')
  if (!user) return { stdout: '', stderr: 'su: user does not exist\n', exitCode: 1 }
  if (script === null || !context.exec) return NOTHING
  const before = fs.actor
  const groups = (await accounts.groupsOf(user)).map((line) => Number(line[2]))
  fs.actor = { uid: Number(user[2]), gid: Number(user[3]), groups }
  try {
    const isLogin = args.includes('-') || args.includes('-l')
    const cwd = isLogin && (await fs.exists(user[5])) ? user[5] : context.cwd
    return await context.exec(script, { cwd, env: { HOME: user[5], USER: user[0] } })
  } finally {
    fs.actor = before
  }
}
