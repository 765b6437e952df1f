import type { Task } from '../../../shared/domain/task'
import type { Finish } from '../../../shared/domain/trajectory'
import type { Episode, ReadCall, StepOutcome } from '../environment'
import type { ToolInfo } from '../tools'
import type { ActionForm } from './held-form'
import type { ReaderOptions, Replies } from './reply-reader'

/** What an environment is made with whose agent acts by its replies. */
export interface ReplyOptions {
  readonly systemPrompt: string
  /** Replies of one attempt. Default: as many as the environment usually grants. */
  readonly rounds?: number
  /** Default `any`. */
  readonly replies?: Replies
}

/** How the replies to an environment are read. `tools` are those that count as actions; default: all that can be done in the task. */
export type ReplyForms = Omit<ReaderOptions, 'tools'> & Partial<Pick<ReaderOptions, 'tools'>>

/** What an environment says of itself whose agent acts by its replies. */
export interface ReplyWorld {
  readonly id: string
  /** Replies that an attempt usually takes at the most. */
  readonly usual: number
  /** What can be done, as tools; where that differs from task to task, what can be done in one. */
  readonly tools: readonly ToolInfo[] | ((task: Task) => readonly ToolInfo[])
  /** A call of one in the text form, which is how it is remembered. */
  write(name: string, args: Readonly<Record<string, unknown>>): string
  readonly forms: ReplyForms | ((task: Task, replies: Replies) => ReplyForms)
  /** What more is known of the form of its actions, for replies that are held to it. Default: nothing. */
  readonly held?: Pick<ActionForm, 'texts' | 'opening' | 'closing'>
}

/** How an attempt ended. */
export type End = Extract<StepOutcome, { done: true }>

/** One attempt, action by action. */
export interface ReplyEpisode extends Omit<Episode, 'step'> {
  /** Makes ready what the first action needs; says how the attempt ends where that fails. Asked before every action. Default: nothing is needed. */
  ready?(): Promise<End | null>
  /** Carries out an action; the attempt has to end with the last one. */
  act(call: ReadCall, last: boolean): StepOutcome | Promise<StepOutcome>
  /** Ends it where a reply was no action. */
  end(action: End['action'], finish: Finish): End | Promise<End>
}
