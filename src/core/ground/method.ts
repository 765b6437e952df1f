import type { SettingChanges } from '../../shared/domain/setting'
import type { MethodInfo, MethodWords } from '../../shared/domain/method'
import { methodPresetSchema, type MethodPreset } from '../../shared/domain/preset'
import type { WritingCount } from '../../shared/domain/writing'
import type { CostModule } from '../../shared/domain/cost'
import type { Task } from '../../shared/domain/task'
import type { TrainerBackend } from '../../shared/domain/soft-prompt-training'
import type { KbDecision } from '../../shared/domain/experience'
import {
  NO_USAGE,
  type RecallChoice,
  type RecalledItem,
  type Round,
  type Trajectory,
  type Usage,
} from '../../shared/domain/trajectory'
import type { BuildOutcome } from '../../shared/domain/guide-build'
import type { SameTask } from '../memory/cases/same-task'
import type { CaseSelector, SelectorInput } from '../memory/cases/selector'
import type { PaperNotes } from './paper-notes'
import { groupInfo, type SettingGroup } from './settings'
import type { MemoryStore, Embedder, LanguageModel, PromptTemplates, MemoryEvent } from './ports'
import type { Sampling } from './chat'

/** A recalled piece of text and the record that explains it. `tokens` is filled in by the actor. */
export interface RecalledPart {
  readonly text: string
  readonly item: Omit<RecalledItem, 'tokens'>
}

/**
 * What a method adds to a prompt, kept in EvoSC's order (eq. 7): soft prompt, system prompt,
 * error-prone lessons, success lessons, retrieved trajectories / cases / documents, task.
 */
export interface PromptParts {
  readonly errorLessons: readonly RecalledPart[]
  readonly successLessons: readonly RecalledPart[]
  readonly retrieved: readonly RecalledPart[]
  /** Concept documents, put behind the system prompt. Default: none. */
  readonly documents?: readonly RecalledPart[]
  /** Model calls it took to decide. Default: none. */
  readonly usage?: Usage
  /** The plan the agent was given, for `revise`. Default: none. */
  readonly plan?: string
  /** How it was chosen, recorded on the trajectory. Default: not told. */
  readonly choice?: RecallChoice
  /** False leaves out the soft prompt that is served. Default: it is put first. */
  readonly softPrompt?: boolean
  /** Recorded on the trajectory. Default: none. */
  readonly decisions?: readonly KbDecision[]
}

export const NOTHING_RECALLED: PromptParts = { errorLessons: [], successLessons: [], retrieved: [] }

/** What a method keeps of an attempt, and the model calls it took to write it. */
export interface Learned {
  readonly events: readonly MemoryEvent[]
  readonly usage: Usage
  /** What parts of `usage` went to. Default: not told apart. */
  readonly modules?: NonNullable<Trajectory['learnModules']>
}

/**
 * Whether the agent got to do anything: an attempt whose first prompt did not fit, whose replies were all in no known form, or whose only action is
 * an unsolved answer that was made of text in none, has nothing to learn from.
 */
export const hasActed = ({ rounds, reward }: Pick<Trajectory, 'rounds' | 'reward'>): boolean =>
  rounds.length > 0 &&
  (reward === 1 ||
    rounds.some(
      ({ action, plain }) => action.kind !== 'invalid' && !(action.kind === 'answer' && plain === true),
    ))

export const NOTHING_LEARNED: Learned = { events: [], usage: NO_USAGE }

export interface MethodContext {
  readonly bank: MemoryStore
  readonly embedder: Embedder
  /** The run's, which acts; what is recalled is counted in its tokens. */
  readonly model: LanguageModel
  /** What lessons, summaries and documents are written with. Default: `model`. */
  readonly writer?: LanguageModel
  readonly prompts: PromptTemplates
  /** Read with `readSettings`. */
  readonly settings: SettingChanges
  /** Told how each text that a role was asked for came out. Default: nobody is. */
  readonly wrote?: (count: WritingCount) => void
  /** Items to recall; Memento's K, the "Exp" of EvoSC's tables. */
  readonly k: number
  readonly seed: number
}

export interface RecallInput {
  readonly task: Task
  /** The environment's view of the task: for a database, its tables. */
  readonly context: string
  /** The one place that the task shares with others. Default: none. */
  readonly world?: string | undefined
  /** Names of the tools that the agent can call. Default: it acts in its world's own way. */
  readonly tools?: readonly string[]
  /** The soft prompt that is served unless the method leaves it out. Default: none. */
  readonly softPrompt?: { readonly id: string; readonly title: string; readonly tokens: number } | undefined
  readonly signal?: AbortSignal
}

/** A conversation in which the user has just said something. */
export interface TurnInput extends RecallInput {
  /** What happened so far; the last round's observation is the user's message. */
  readonly rounds: readonly Round[]
  readonly message: string
}

export interface ReviseInput extends RecallInput {
  /** What happened so far; the last round got an observation. */
  readonly rounds: readonly Round[]
  /** The environment reported an error in the last round. Never says whether the task's answer is right. */
  readonly failed: boolean
  /** A planner's cycle has ended without an answer, and the last round is that cycle. Default: rounds are acted in a world. */
  readonly cycle?: true
  /** The plan the agent has; empty when it was given none. */
  readonly plan: string
  /** Earlier revisions of this attempt. */
  readonly revisions: number
}

/** What is known to make a call fail. */
export interface ToldBefore {
  /** As the agent is told it in the place of an answer. */
  readonly text: string
  /** The beliefs it is of, by id. */
  readonly by: readonly string[]
}

/** A call of a tool that an agent has written and that has not been made. */
export interface CallInput {
  readonly environment: string
  readonly tool: string
  /** What it does, as the attempt would keep it. */
  readonly action: string
  readonly signal?: AbortSignal | undefined
}

/** What comes out of a feedback stage. */
export interface Revision {
  /** Put after the last observation; null when nothing is to be said. */
  readonly guidance: string | null
  /** The plan from here on, when there is a new one. */
  readonly plan?: string
  readonly decision?: KbDecision
  readonly usage: Usage
}

/** How far a run has come, between two of its tasks. */
export interface RunProgress {
  /** Of the tasks so far, in order. */
  readonly rewards: readonly (0 | 1)[]
  /** Tasks of the run. */
  readonly total: number
}

/** A soft prompt that is due (EvoSC section 4.2), and how it is trained. */
export interface DistilOrder {
  /** Tasks that were done when it fell due; names it within its run. */
  readonly at: number
  /** Successes shown to the teacher and to the student. */
  readonly teacher: number
  readonly student: number
  /** Tokens of the soft prompt; null: as many as suit the model. */
  readonly length: number | null
  /** Most optimizer steps. */
  readonly steps: number
  /** Whether failed tasks are tried again first, and learned from where they are then solved. */
  readonly retry: boolean
  /** Share of what the model would do by itself in what is learned. */
  readonly caution: number
  /** What computes. */
  readonly backend: TrainerBackend
  /** Share of the tasks that are held out: only looked at while it is trained, and what it is then tried on. */
  readonly holdOut: number
  /** Served only when it does better on held-out tasks than nothing, or whatever it does. */
  readonly serve: 'if-better' | 'always'
  /** What a run does when the training fails: rest until a person resumes it, or go on with what it was served so far. */
  readonly otherwise: 'pause' | 'go-on'
}

/** What a method is given to build its memory from the first tasks of a stream, or to build on with later ones. */
export interface PrepareInput {
  readonly runId: string
  /** Which build of the run, from 0. */
  readonly part: number
  /** The environment's id. */
  readonly environment: string
  /** The first tasks, in order, as many as `split` asked for; later those since the last build. Less those that are held out. */
  readonly tasks: readonly Task[]
  /** All tasks before those. */
  readonly earlier: readonly Task[]
  /** The run's own attempt at one of them. */
  attempted(task: Task): Promise<Trajectory | null>
  readonly play: PlayAttempt
  now(): Date
  readonly signal: AbortSignal
  /** Asked at every checkpoint: whether to stop there, to be taken up later. */
  pauseRequested(): boolean
  /** What it is doing, in plain words. */
  activity(text: string): void
}

/** Plays a task beside the stream, with a method of its own and under an id of its own. Stores nothing. */
export type PlayAttempt = (
  attempt: {
    readonly id: string
    readonly task: Task
    readonly method: Method
    readonly temperature: number
    /** How tokens are drawn where the temperature is above 0. Default: the program's own. */
    readonly sampling?: Sampling
    /** Where its chance begins. Default: as everywhere in the run. */
    readonly seed?: number
  },
  signal: AbortSignal,
) => Promise<Trajectory>

/** What a method is given to make several attempts at a task. */
export interface AttemptsInput {
  /** The id the reported attempt is kept under. */
  readonly id: string
  readonly task: Task
  /** The run's. */
  readonly temperature: number
  /** Plays one of them. The one with the id above is watched live. */
  readonly play: PlayAttempt
  readonly signal: AbortSignal
}

/** A moment between the first tasks of a stream and the rest. */
export interface Preparation {
  /** How many of `count` tasks it takes from the start. Figures of a run leave them out. */
  split(settings: SettingChanges, count: number): number
  /** Tasks after which it builds on from those since the last time, in rising order. Default: never. */
  again?(settings: SettingChanges, count: number): readonly number[]
  /** Begun again after an interruption it goes on where it was; once done it answers at once. */
  run(input: PrepareInput, context: MethodContext): Promise<BuildOutcome | 'paused'>
}

/** A way of learning over a lifetime. Small moments, so that every method fits one runner. */
export interface Method {
  /** Words, colour, and what it keeps and recalls. */
  readonly info: MethodWords
  /** What can be changed about it. Default: nothing. */
  readonly settings?: SettingGroup
  /** It held against its paper: presets, differences, claims. Default: it has no paper. */
  readonly paper?: PaperNotes
  /** What its settings are in an environment unless told otherwise, by group, where that is not their default. Default: nothing. */
  defaultsFor?(environment: string): SettingChanges
  /** The learner it chooses cases with. Default: none. */
  readonly learner?: CaseLearnerSpec
  /** Whether a soft prompt in use in the memory is served (default: yes), and whether runs train their own (default: no). */
  readonly softPrompt?: {
    serves(settings: SettingChanges): boolean
    trains(settings: SettingChanges): boolean
  }
  /** What model calls before the attempt are counted as. Default `recall`. */
  readonly recallCost?: CostModule
  /**
   * Ids of every prompt template it can ask for in an environment, whatever its settings. A run is refused when one is missing.
   * Default: none.
   */
  prompts?(environment: string): readonly string[]
  /** Once, after the first tasks: what is built from them before the rest is attempted. */
  readonly prepare?: Preparation
  /**
   * Several attempts at one task (test-time scaling): plays them and answers with the one that is reported, the others in its `scaling`. Null:
   * one attempt, as everywhere. Runs ask for it; asks and programs outside make one attempt. Default: one.
   */
  attempts?(input: AttemptsInput, context: MethodContext): Promise<Trajectory> | null
  /** Before the attempt: what to remember. */
  recall(input: RecallInput, context: MethodContext): Promise<PromptParts>
  /**
   * After each further message of the user in a conversation (the first one is the task's instruction): what to remember from
   * here on, in place of what was recalled before. Null keeps that. Methods without it recall once.
   */
  recallTurn?(input: TurnInput, context: MethodContext): Promise<PromptParts | null>
  /** Before a call of a tool: what is known to make it fail, null where nothing is. Default: nothing. */
  beforeCall?(input: CallInput, context: MethodContext): Promise<ToldBefore | null>
  /** Between two rounds: what to change. Methods without it leave the agent alone. Null when nothing was looked into. */
  revise?(input: ReviseInput, context: MethodContext): Promise<Revision | null>
  /**
   * After the attempt: what to keep. The runner commits it together with the trajectory, atomically, and notes
   * the usage on the trajectory.
   */
  learn(trajectory: Trajectory, context: MethodContext, signal?: AbortSignal): Promise<Learned>
  /**
   * Between two tasks: the soft prompt that has to be served from here on, the newest one that was due by now; null for none.
   * The runner trains it where it is not there yet. Follows from its arguments alone, so that a resumed run asks for the same.
   */
  distil?(progress: RunProgress, settings: SettingChanges): DistilOrder | null
}

/** A learner of what cases are worth, as a method names it. */
export interface CaseLearnerSpec {
  /** Part of its artifact's name; the id of the method that brought it. */
  readonly id: string
  readonly title: string
  /** One sentence. */
  readonly detail: string
  readonly settings: SettingGroup
  /** Cases considered per task. */
  candidates(settings: SettingChanges): number
  /** Which of several attempts at one task may be recalled. */
  sameTask(settings: SettingChanges): SameTask
  create(settings: SettingChanges): (input: SelectorInput) => CaseSelector
}

const read = new WeakMap<PaperNotes, MethodPreset[]>()

/** The presets of a method, complete; none where it has no paper. */
export function presetsOf({ paper }: Pick<Method, 'paper'>): readonly MethodPreset[] {
  if (!paper) return []
  const records = read.get(paper) ?? methodPresetSchema.array().parse(paper.presets)
  read.set(paper, records)
  return records
}

/** A method as the window, REST and the command line are told of it. */
export const methodInfo = ({ info, settings, paper, learner }: Method): MethodInfo => ({
  ...info,
  settings: settings ? groupInfo(settings) : null,
  presets: [...presetsOf({ paper })],
  learner: learner ? { title: learner.title, detail: learner.detail } : null,
})
