import { quoted } from './commands'
import { REPOSITORY, repositoryPath, type Workspace } from './workspace'

/** What an action came to. */
export interface ActionResult {
  readonly text: string
  readonly failed: boolean
}

const LINES = 200
const MOST_FOUND = 60
/** Longest answer in characters. */
const LONGEST = 12_000
const encoder = new TextEncoder()

const getFailure = (text: string): ActionResult => ({ text, failed: true })
const fine = (text: string): ActionResult => ({
  text: text.length <= LONGEST ? text : `${text.slice(0, LONGEST)}\n[cut after ${LONGEST} characters]`,
  failed: false,
})

type Args = Readonly<Record<string, unknown>>

/** A path of the arguments, from the top of the repository; null when it leads out or names nothing. */
const pathOf = ({ path }: Args): string | null =>
  typeof path === 'string' && path.trim() !== '' ? repositoryPath(path.trim()) : null

async function read(args: Args, workspace: Workspace): Promise<ActionResult> {
  const path = pathOf(args)
  const content = path === null || path === '' ? null : await workspace.read(path)
  if (content === null) return getFailure(`There is no file ${String(args['path'])} that can be read.`)
  const lines = content.split('\n')
  const first = Math.max(1, Number(args['from'] ?? 1) || 1)
  const last = Math.min(lines.length, Number(args['to'] ?? first + LINES - 1) || lines.length)
  const views = lines.slice(first - 1, last).map((line, i) => `${first + i}: ${line}`)
  const more = last < lines.length ? `\n[${lines.length - last} more lines]` : ''
  return fine(`${views.join('\n')}${more}`)
}

async function search(args: Args, workspace: Workspace, seconds: number): Promise<ActionResult> {
  const where = args['path'] === undefined ? '' : pathOf(args)
  if (where === null) return getFailure('That is not a path of the repository.')
  const script = `grep -rnF -e ${quoted(String(args['text']))} ${quoted(where === '' ? '.' : where)} | head -n ${MOST_FOUND}`
  const { exitCode, output } = await workspace.run(script, seconds)
  if (exitCode === null) return getFailure('The search took too long.')
  return fine(output.trim() === '' ? 'Nothing was found.' : output.trimEnd())
}

async function edit(args: Args, workspace: Workspace): Promise<ActionResult> {
  const path = pathOf(args)
  if (path === null || path === '') return getFailure('That is not a path of the repository.')
  const old = String(args['old'] ?? '')
  const now = String(args['new'] ?? '')
  const content = await workspace.read(path)
  if (old === '') {
    if (content !== null && content !== '')
      return getFailure(`${path} is there already; say what to replace.`)
    await workspace.write([[path, encoder.encode(now)]])
    return fine(`${path} is written.`)
  }
  if (content === null) return getFailure(`There is no file ${path} that can be read.`)
  const times = content.split(old).length - 1
  if (times !== 1)
    return getFailure(
      times === 0 ? `The text does not occur in ${path}.` : `The text occurs ${times} times in ${path}.`,
    )
  const at = content.indexOf(old)
  await workspace.write([[path, encoder.encode(content.slice(0, at) + now + content.slice(at + old.length))]])
  return fine(`${path} is changed.`)
}

async function run(args: Args, workspace: Workspace, seconds: number): Promise<ActionResult> {
  const { exitCode, output } = await workspace.run(String(args['script']), seconds)
  const text = output.trim() === '' ? 'It wrote nothing.' : output.trimEnd()
  if (exitCode === null) return getFailure(`${text}\nIt did not end within ${seconds} seconds.`)
  return { ...fine(`${text}\nExit code: ${exitCode}`), failed: exitCode !== 0 }
}

/** Carries out an action of the agent (all but `finish`). Whatever the agent wrote, it is answered. */
export async function runAction(
  name: string,
  args: Args,
  workspace: Workspace,
  seconds: number,
): Promise<ActionResult> {
  switch (name) {
    case 'read':
      return read(args, workspace)
    case 'search':
      return search(args, workspace, seconds)
    case 'edit':
      return edit(args, workspace)
    case 'run':
      return run(args, workspace, seconds)
    default:
      return getFailure(`There is no action "${name.slice(0, 60)}" in ${REPOSITORY}.`)
  }
}
