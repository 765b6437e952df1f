import type { Task } from '../../../shared/domain/task'
import type { Finish } from '../../../shared/domain/trajectory'
import type { Environment, Episode, StepOutcome } from '../../ground/environment'
import { taskPayload } from '../../ground/environment-module'
import { labOsEntrySchema, type LabOsEntry } from './entry'
import { replyReader, toldOutcome, type Replies } from '../../ground/replies/reply-reader'
import { ACTIONS, writeAction } from './actions'
import { parseLabOsAction, readPublished } from './grammar'
import { openedOnce, type Machine, type OsDriver } from './machine'

/** The environment's id on tasks, trajectories and streams. */
export const LAB_OS = 'lab-os'

/** Rounds of one attempt in the benchmark. */
export const LAB_OS_MAX_ROUNDS = 5

/** Seconds a command may take in the benchmark. */
export const LAB_OS_SECONDS = 20

export interface LabOsOptions {
  readonly systemPrompt: string
  readonly driver: OsDriver
  readonly rounds: number
  /** Default `any`. */
  readonly replies?: Replies
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
export function createLabOsEnvironment(options: LabOsOptions): Environment {
  const { rounds, systemPrompt } = options
  return {
    id: LAB_OS,
    maxRounds: rounds,
    systemPrompt,
    ...(options.replies === 'tools' && { native: { tools: () => ACTIONS, write: writeAction } }),
    open: (task) => openEpisode(readLabOsTask(task), options),
  }
}

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
const told = (output: string | null, seconds: number): string => {
  if (output === null)
    return `The output of the OS:\n\nThe command is marked as timeout since it did not finish within ${seconds} seconds.`
  return output === '' ? 'The output of the OS is empty.' : `The output of the OS:\n\n${output}`
}

const TEXT_FORM = 'Reply with "Act: bash" and a script in a ```bash block, or with "Act: finish".'

const readerOf = (replies: Replies) =>
  replyReader(
    {
      tools: ACTIONS,
      words: { bash: 'bash', finish: 'finish' },
      code: 'bash',
      pick: 'first',
      published: readPublished,
      parse: parseLabOsAction,
      textForm: TEXT_FORM,
    },
    replies,
  )

function openEpisode(entry: LabOsEntry, { driver, rounds, seconds, replies }: LabOsOptions): Episode {
  const machine = openedOnce(driver)
  let ready: Promise<string | null> | null = null
  const understand = readerOf(replies ?? 'any')
  let round = 0

  const end = async (
    action: StepOutcome['action'],
    finish: Finish,
    observation: string | null,
  ): Promise<StepOutcome> => ({
    done: true,
    ...{ action, observation, finish },
    reward: await grade(await machine.open(), entry, seconds),
  })

  return {
    context: '',
    async step(reply) {
      const call = understand(reply)
      round++
      if (call.kind === 'told' && round < rounds) return toldOutcome(call)
      const system = await machine.open()
      const problem = await (ready ??= prepare(system, entry, seconds))
      if (problem !== null) {
        const action = { kind: 'operation', content: '' } as const
        return { done: true, action, observation: null, finish: 'completed', reward: 0, ungraded: problem }
      }
      if (call.kind !== 'call') return end({ kind: 'invalid', reason: call.why }, 'invalid-action', null)
      if (call.name === 'finish')
        return { ...(await end({ kind: 'answer', content: 'finish' }, 'completed', null)), call }
      const action = { kind: 'operation', content: String(call.args['script'] ?? '') } as const
      const { exitCode, output } = await system.run(action.content, seconds)
      const observation = told(exitCode === null ? null : output, seconds)
      if (round >= rounds) return { ...(await end(action, 'round-limit', observation)), call }
      return { done: false, action, observation, failed: exitCode !== 0, from: 'environment', call }
    },
    close: () => machine.close(),
  }
}
