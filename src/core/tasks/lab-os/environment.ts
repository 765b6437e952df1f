import type { Task } from '../../../shared/domain/task'
import type { Environment } from '../../ground/environment'
import { taskPayload } from '../../ground/environment-module'
import { labOsEntrySchema, type LabOsEntry } from './entry'
import { endingWith, notReady, replyEnvironment } from '../../ground/replies/reply-environment'
import type { ReplyEpisode, ReplyOptions, ReplyWorld } from '../../ground/replies/reply-episode'
import { ACTIONS, writeAction } from './actions'
import { parseLabOsAction, readPublished } from './grammar'
import { openedOnce, type Machine, type OsDriver } from './machine'

/** The environment's id on tasks, trajectories and streams. */
export const LAB_OS = 'lab-os'

/** Rounds of one attempt in the benchmark. */
export const LAB_OS_MAX_ROUNDS = 5

/** Seconds a command may take in the benchmark. */
export const LAB_OS_SECONDS = 20

export interface LabOsOptions extends ReplyOptions {
  readonly driver: OsDriver
  /** For each command, the preparing and the grading one too. */
  readonly seconds: number
}

/** Reads a task's payload. @throws LoamError `TASK_STREAM` when it is no task of this environment */
export const readLabOsTask = (task: Task): LabOsEntry =>
  taskPayload(task, labOsEntrySchema, 'an operating system task', 'the operating system environment')

/**
 * LifelongAgentBench's operating system environment on any `OsDriver`. Whatever ends the attempt (finish, a reply in no known form, a command
 * in the last round), the system as it then is is graded by the exit code of the evaluation script.
 */
export const createLabOsEnvironment = (options: LabOsOptions): Environment =>
  replyEnvironment(WORLD, options, (task) => openEpisode(readLabOsTask(task), options))

/** Why the system could not be made ready for a task; null when it was. */
export async function prepare(machine: Machine, entry: LabOsEntry, seconds: number): Promise<string | null> {
  const { exitCode, output } = await machine.run(entry.initialization_command_item.script, seconds)
  if (exitCode === 0) return null
  const how = exitCode === null ? 'took too long' : `ended with ${exitCode}`
  return `preparing the system ${how}: ${output.trim().slice(0, 200)}`
}

/** Whether the evaluation script is content with a system. */
export async function grade(machine: Machine, entry: LabOsEntry, seconds: number): Promise<0 | 1> {
  const { exitCode } = await machine.run(entry.evaluation_info.evaluation_command_item.script, seconds)
  return exitCode === 0 ? 1 : 0
}

/** What the agent is told after a command, in the benchmark's words. */
const getNotice = (output: string | null, seconds: number): string => {
  if (output === null)
    return `The output of the OS:\n\nThe command is marked as timeout since it did not finish within ${seconds} seconds.`
  return output === '' ? 'The output of the OS is empty.' : `The output of the OS:\n\n${output}`
}

const WORLD: ReplyWorld = {
  id: LAB_OS,
  usual: LAB_OS_MAX_ROUNDS,
  tools: ACTIONS,
  write: writeAction,
  forms: {
    words: { bash: 'bash', finish: 'finish' },
    code: 'bash',
    codeForm: { languages: ['bash', 'sh', 'shell', 'zsh', 'console'] },
    pick: 'first',
    published: readPublished,
    parse: parseLabOsAction,
    textForm: 'Reply with "Act: bash" and a script in a ```bash block, or with "Act: finish".',
  },
  held: { opening: ['bash'] },
}

function openEpisode(entry: LabOsEntry, { driver, seconds }: LabOsOptions): ReplyEpisode {
  const machine = openedOnce(driver)
  let ready: Promise<string | null> | null = null
  const end = endingWith(async () => ({ reward: await grade(await machine.open(), entry, seconds) }))
  return {
    context: '',
    async ready() {
      const system = await machine.open()
      const problem = await (ready ??= prepare(system, entry, seconds))
      return problem === null ? null : notReady(problem)
    },
    async act({ name, args }, last) {
      if (name === 'finish') return end({ kind: 'answer', content: 'finish' }, 'completed')
      const action = { kind: 'operation', content: String(args['script'] ?? '') } as const
      const { exitCode, output } = await (await machine.open()).run(action.content, seconds)
      const observation = getNotice(exitCode === null ? null : output, seconds)
      const isError = exitCode !== 0
      if (last) return end(action, 'round-limit', observation, isError)
      return { done: false, action, observation, failed: isError, from: 'environment' }
    },
    end,
    close: () => machine.close(),
  }
}
