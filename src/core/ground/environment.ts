import type { Finish, Round, Score, Speaker } from '../../shared/domain/trajectory'
import type { Task } from '../../shared/domain/task'
import type { ChatTool } from './chat'
import type { LanguageModel } from './ports'
import type { ActionForm } from './replies/held-form'
import type { AgentReply, ReadAction } from './replies/read-reply'

/** The action of a reply as it was understood. */
export type ReadCall = Omit<Extract<ReadAction, { kind: 'call' }>, 'kind'>

/** What the environment makes of one reply. `done` attempts carry their reward; others an observation for the next round. */
export type StepOutcome = {
  /** What the reply was taken for; absent when it was no action. */
  readonly call?: ReadCall
} & (
  | {
      readonly done: false
      readonly action: Round['action']
      readonly observation: string
      /** The environment reported an error, whatever the task's answer is. Default false. */
      readonly failed?: boolean
      /** It changed something, so that there may be nothing left to do. Default false. */
      readonly changed?: boolean
      /** Whose words the observation is, which says what it is called when it is retold. Default: a database's. */
      readonly from?: Speaker
    }
  | {
      readonly done: true
      readonly action: Round['action']
      readonly observation: string | null
      /** As above. */
      readonly failed?: boolean
      readonly finish: Finish
      readonly reward: 0 | 1
      /** Why the attempt could not be judged; its reward is then 0. Default: it was. */
      readonly ungraded?: string
      /** What the grade is made of. Default: no parts. */
      readonly scores?: readonly Score[]
    }
)

/** One attempt at one task. */
export interface Episode {
  /** What is shown with the instruction: for a database, its tables. */
  readonly context: string
  /** What `context` begins with and every task of its world is shown alike, such as a policy. Default: nothing. */
  readonly lasting?: string | undefined
  /** The one place that the task shares with others, each of which may be shown another part of it. Default: none. */
  readonly world?: string | undefined
  /**
   * Reads the agent's reply, acts, and answers. Never fails for anything the agent wrote; rejects only with what the model
   * of a simulated user failed with.
   */
  step(reply: string | AgentReply): StepOutcome | Promise<StepOutcome>
  /** Frees what the attempt held; safe to call twice. */
  close(): void
}

/** What an attempt lends its environment: a model that plays the user, and one that judges, where a task wants one. */
export interface AttemptPorts {
  readonly model: LanguageModel
  /** Default: nobody judges, and what needs it stays ungraded. */
  readonly judge?: LanguageModel
  readonly seed: number
  readonly signal?: AbortSignal
}

/** A world that tasks act in. The rules live here, never in a method. */
export interface Environment {
  readonly id: string
  /** Rounds an attempt may take; the last one has to answer. */
  readonly maxRounds: number
  /** The rules of the world, told to the agent first. */
  readonly systemPrompt: string
  /** There when its actions are handed to the model as tools; the rules then say nothing of a text form. */
  readonly native?: {
    tools(task: Task): readonly ChatTool[]
    /** An action in the text form, which is how it is remembered. */
    write(name: string, args: Readonly<Record<string, unknown>>): string
  }
  /** The form of its actions in text, for replies that are held to it. Default: replies are free. */
  form?(task: Task): ActionForm
  /**
   * The action that a reply comes to, in the text form and without anything around it; null where it names none. Default: what can be done differs
   * from task to task, and nobody can tell from the reply alone.
   */
  action?(reply: string): string | null
  /** Reads what a task begins with, where that takes an isolate: it has to be over before `open`. Default: nothing has to be read. */
  ready?(task: Task): Promise<void>
  /** `ports` are there whenever an agent plays; a replay of gold actions goes without. */
  open(task: Task, ports?: AttemptPorts): Episode
}

/** Begins an attempt, once what it begins with was read. */
export async function openEpisode(
  environment: Environment,
  task: Task,
  ports?: AttemptPorts,
): Promise<Episode> {
  await environment.ready?.(task)
  return environment.open(task, ports)
}
