import type { Finish, Round } from '../../shared/domain/trajectory'
import type { Task } from '../../shared/domain/task'

/** What the environment makes of one reply. `done` attempts carry their reward; others an observation for the next round. */
export type StepOutcome =
  | {
      readonly done: false
      readonly action: Round['action']
      readonly observation: string
      /** The environment reported an error, whatever the task's answer is. Default false. */
      readonly failed?: boolean
    }
  | {
      readonly done: true
      readonly action: Round['action']
      readonly observation: string | null
      readonly finish: Finish
      readonly reward: 0 | 1
      /** Why the attempt could not be judged; its reward is then 0. Default: it was. */
      readonly ungraded?: string
    }

/** One attempt at one task. */
export interface Episode {
  /** What is shown with the instruction: for a database, its tables. */
  readonly context: string
  /** Reads the agent's reply, acts, and answers. Never throws for anything the agent wrote. */
  step(completion: string): StepOutcome
  /** Frees what the attempt held; safe to call twice. */
  close(): void
}

/** A world that tasks act in. The rules live here, never in a method. */
export interface Environment {
  readonly id: string
  /** Rounds an attempt may take; the last one has to answer. */
  readonly maxRounds: number
  /** The rules of the world, told to the agent first. */
  readonly systemPrompt: string
  open(task: Task): Episode
}
