import { LoamError } from '../../../shared/errors'
import type { Task } from '../../../shared/domain/task'
import type { Environment } from '../../ground/environment'
import { endingWith, notReady, replyEnvironment } from '../../ground/replies/reply-environment'
import type { ReplyEpisode, ReplyOptions, ReplyWorld } from '../../ground/replies/reply-episode'
import { openedOnce, type Machine, type OsDriver } from '../lab-os/machine'
import { parseToolUse, readPublished } from '../tool-use/grammar'
import { ACTIONS, writeAction } from './actions'
import { codeEntrySchema, type CodeEntry } from './entry'
import { gradeRepository, findMissingProgram, type Snapshot } from './grade'
import { runAction } from './tool-actions'
import { REPOSITORY, workspaceOn, type Workspace } from './workspace'

/** The environment's id on tasks, trajectories and streams. */
export const CODE = 'code'

/** Replies of one attempt. */
export const CODE_MAX_ROUNDS = 40

/** Files of a repository that the agent is told of with the task. */
const SHOWN_FILES = 80

export interface CodeOptions extends ReplyOptions {
  readonly driver: OsDriver
  /** For each command of the agent. */
  readonly seconds: number
  /** For the tests that grade. */
  readonly testSeconds: number
  /** The files of a task's repository. @throws LoamError `TASK_STREAM` when they cannot be read or changed since the stream was opened */
  snapshot(entry: CodeEntry): Snapshot
}

/** Reads a task's payload. @throws LoamError `TASK_STREAM` when it is no task of this environment */
export function readCodeTask(task: Task): CodeEntry {
  const parsed = codeEntrySchema.safeParse(task.payload)
  if (parsed.success && parsed.data.snapshot) return parsed.data
  throw new LoamError('TASK_STREAM', `Task ${task.id} is not a code task with a repository.`, {
    suggestion: 'Check that the stream was made for code tasks, and that its repositories lie beside it.',
    underlying: parsed.error,
  })
}

/**
 * Repositories that want mending, in SWE-bench's manner: the agent reads, searches, edits and runs in a system of its own; whatever ends the
 * attempt, the tests are put in over the files as they were and decide. Where the system has not what the tests run with, the attempt is ungraded.
 */
export const createCodeEnvironment = (options: CodeOptions): Environment =>
  replyEnvironment(WORLD, options, (task) => openEpisode(readCodeTask(task), options))

/** A workspace with a repository in it, and why its tests cannot be run there. */
export async function fill(
  machine: Machine,
  entry: CodeEntry,
  files: Snapshot,
  system: string,
): Promise<{ readonly workspace: Workspace; readonly problem: string | null }> {
  const workspace = workspaceOn(machine)
  try {
    await machine.run(`mkdir -p ${REPOSITORY}`, 60)
    await workspace.write(files)
    return { workspace, problem: await findMissingProgram(entry, workspace, system) }
  } catch (error) {
    return { workspace, problem: error instanceof Error ? error.message : String(error) }
  }
}

const WORLD: ReplyWorld = {
  id: CODE,
  usual: CODE_MAX_ROUNDS,
  tools: ACTIONS,
  write: writeAction,
  forms: {
    words: { Tool: null },
    code: 'run',
    codeForm: { languages: ['bash', 'sh', 'shell', 'zsh', 'console'] },
    published(text) {
      const call = readPublished(text)
      return ACTIONS.some(({ name }) => name === call?.name) ? call : null
    },
    parse: parseToolUse,
    textForm:
      'Reply with "Action: Tool" and {"name": "read", "arguments": {...}} in a ```json block; the tools are read, search, edit, run and finish.',
  },
}

function openEpisode(entry: CodeEntry, options: CodeOptions): ReplyEpisode {
  const { driver, seconds, testSeconds } = options
  const files = options.snapshot(entry)
  const machine = openedOnce(driver)
  let filled: ReturnType<typeof fill> | null = null
  const repository = () =>
    (filled ??= machine.open().then((openedMachine) => fill(openedMachine, entry, files, driver.id)))
  const end = endingWith(async () =>
    gradeRepository(entry, (await repository()).workspace, files, testSeconds),
  )
  return {
    context: describe(files, driver.id),
    async ready() {
      const { problem } = await repository()
      return problem === null ? null : notReady(problem)
    },
    async act({ name, args }, last) {
      if (name === 'finish') return end({ kind: 'answer', content: 'finish' }, 'completed')
      const action = { kind: 'operation', content: `${name}(${JSON.stringify(args)})` } as const
      const { text, failed } = await runAction(name, args, (await repository()).workspace, seconds)
      if (last) return end(action, 'round-limit', text, failed)
      return { done: false, action, observation: text, failed, from: 'tool' }
    },
    end,
    close: () => machine.close(),
  }
}

/** What the agent is told of a repository: its files. */
function describe(files: Snapshot, system: string): string {
  const paths = [...files.keys()].sort()
  const more = paths.length > SHOWN_FILES ? `\n... and ${paths.length - SHOWN_FILES} more` : ''
  const about = `The repository lies in ${REPOSITORY} of a ${system} system. Its files:`
  return `${about}\n${paths.slice(0, SHOWN_FILES).join('\n')}${more}`
}
