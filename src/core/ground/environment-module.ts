import type { z } from 'zod'
import type { AnswerCheck } from '../../shared/domain/answer-check'
import type { ReadingReport } from '../../shared/domain/reading'
import type { SettingChanges } from '../../shared/domain/setting'
import type { Task } from '../../shared/domain/task'
import type { Round, Score } from '../../shared/domain/trajectory'
import { LoamError } from '../../shared/errors'
import type { Environment } from './environment'
import type { QuestionEnvironment } from './question-environment'
import type { SettingGroup } from './settings'
import type { ToolInfo } from './tools'

/** Names something of the outside world that environments work with, and says of what type it is. */
export interface PortKey<T> {
  readonly name: string
  /** Only there for the type checker. */
  readonly type?: T
}

/** A port's key: the environment that needs it declares one, and main/streams/ports.ts says what fulfils it. */
export const portKey = <T>(name: string): PortKey<T> => ({ name })

/** The folder of the files of a stream's tasks, as it is when the stream is opened. All reject with the system's error (`code`). */
export interface TaskFolder {
  /** Names in a folder below it. */
  names(path: string): Promise<string[]>
  /** Every file in a folder below it, at any depth, without what tools put there (`.git`, `node_modules`): paths from the top, in order; null when there are more than `most`. */
  files(path: string, most: number): Promise<string[] | null>
  /** SHA-256 of files (paths with forward slashes), a line break between them. */
  digest(paths: readonly string[]): Promise<string>
}

/** What an environment finds outside: engines, prompt texts and the files of its tasks. */
export interface World {
  /** Made at its first use, then shared. */
  port<T>(key: PortKey<T>): Promise<T>
  /** A template of resources/prompts, without its front matter. */
  prompt(name: string): Promise<string>
  /**
   * Files of a stream that was opened, by their digest then.
   * @throws LoamError `TASK_STREAM` when one is gone or changed since
   */
  files(source: string, paths: readonly string[], digest: string): readonly Uint8Array[]
}

/** Where an entry stands, and what its stream says of all entries. */
export interface EntryPlace {
  readonly index: number
  /** The stream's id: a bundled name or an absolute path. */
  readonly source: string
  /** The domain that the stream's header names. */
  readonly domain?: string | undefined
  /** Who plays the user, when the stream's header says so. */
  readonly user?: 'script' | 'model' | undefined
  /** How answers are checked, when the stream's header says so. */
  readonly check?: AnswerCheck | undefined
}

export type ReadEntry = Pick<Task, 'id' | 'instruction' | 'skills' | 'payload'> | { readonly reason: string }

/** Whether a task's own solution solves it here; `unknown` when it has none or nobody can tell. */
export type Verdict = {
  /** What it is made of, where there are parts; the command line tells their means. */
  readonly scores?: readonly Score[]
} & ({ readonly kind: 'agrees' } | { readonly kind: 'disagrees' | 'unknown'; readonly why: string })

/** What recorded attempts came to when they were graded again. */
export interface RegradeReport {
  readonly total: number
  readonly agree: number
  /** The sessions whose reward comes out differently, in file order: `<line>:<task id>`, and what is known of the reason. */
  readonly disagreements: readonly { readonly id: string; readonly why: string }[]
  /** Observations that came out word for word as recorded, out of all that were compared. */
  readonly observations: { readonly total: number; readonly agree: number }
  readonly reading: ReadingReport
}

/** What people are told of an environment. */
export interface EnvironmentWords {
  /** As a heading: `Databases`. */
  readonly title: string
  /** What its tasks are called, in the plural: `database tasks`. */
  readonly tasks: string
  /** One sentence: what the agent does. */
  readonly about: string
  /** One sentence: when a task counts as solved. */
  readonly solved: string
  /** Where its tasks come from, and in which files. */
  readonly source: string
  /** The field of work that experiences are filed under. */
  readonly domain: string
}

/**
 * An environment: everything there is to it, in one folder below core/tasks and one line of its list. Its prompts are templates
 * of resources/prompts; besides those in `prompts`, methods that write ask for `evosc-error-<id>`, `evosc-success-<id>` and
 * `rubrics-<id>`.
 */
export interface EnvironmentModule {
  /** On tasks, trajectories, streams and settings; never changed once there are any. */
  readonly id: string
  readonly words: EnvironmentWords
  /** The place of its colour in the window's palette, from 1 to 8. */
  readonly colour: number
  /** Whether tasks are acted in round by round, or answered by planner and executor with tools. */
  readonly play: 'acting' | 'questions'
  /** Whether a model may play a user whom the agent talks to. Default: nobody does. */
  readonly playsUser?: true
  /** Tasks that documents about it are first learned from, where published figures rest on another number than usual. Default: they do not. */
  readonly learnsFrom?: number
  /** The templates of its own that `open` reads. */
  readonly prompts: readonly string[]
  readonly settings: SettingGroup
  /** A bundled stream that shows what it is about. */
  readonly sample: string
  /** The forms its files come in, for telling people which is nearest to a file that is in none. Default: none is told. */
  readonly forms?: readonly { readonly name: string; readonly fields: readonly string[] }[]
  /** Whether an entry looks like this environment's, so that it is read (and refused) as one. */
  recognises(entry: object): boolean
  /** Makes a task of an entry, or says what is wrong with it. Never throws. */
  read(entry: unknown, place: EntryPlace): ReadEntry
  /** Whether nothing can say if an attempt at a task was right. Default: something can. */
  ungraded?(task: Task): boolean
  /**
   * A line of a stream: the task in other words, solved by what an attempt did. Null: what it did cannot be a solution. Default: tasks
   * of this environment are not made of attempts.
   */
  entryFrom?(task: Task, id: string, rounds: readonly Round[]): object | null
  /** Finds what lies beside the stream, so that a run notices when it changes. Default: nothing does. */
  attach?(
    task: Task,
    folder: TaskFolder,
  ): Promise<{ readonly payload: unknown } | { readonly reason: string }>
  /** Makes it ready for attempts with these settings. */
  open(world: World, settings: SettingChanges): Promise<Environment | QuestionEnvironment>
  /** Makes it ready for playing the solutions that tasks bring along, with these settings. Default: its own. */
  verifier(world: World, settings?: SettingChanges): Promise<(task: Task) => Promise<Verdict>>
  /** What would solve a task, as people read it, with what it comes to in its last line. Default: nobody is told. */
  solution?(world: World, settings?: SettingChanges): Promise<(task: Task) => Promise<string | null>>
  /** What an agent can do in a task, as tools (JSON schemas) for models that call tools. */
  actions(task: Task): readonly ToolInfo[]
  /** A call of such a tool in the text form of the paper, which `step` reads. */
  writeAction(name: string, args: Readonly<Record<string, unknown>>): string
}

/** Attempts of another agent that a memory starts with, as far as they are not tasks. */
export interface ForeignReplies {
  /** The name of the agent or framework whose they are. */
  readonly by: string
  /** What it replied in each, round by round; `{observation}` stands for what it was last answered. */
  readonly replies: readonly (readonly string[])[]
}

/** A stream that is made from its name. */
export interface NamedStream {
  /** The name, spelt in full. */
  readonly id: string
  /** As a stream file has it. */
  readonly text: string
  /** What the memory starts with, its tasks as rows of a stream file; null for nothing. */
  readonly given: (ForeignReplies & { readonly text: string }) | null
}

/** Kinds of streams of whole lifetimes, in one family of worlds. */
export interface Lifetimes {
  readonly kinds: readonly {
    /** Unique among all families. */
    readonly id: string
    readonly title: string
    readonly about: string
    /** Only there to compare another kind with. */
    readonly companion: boolean
    /** Whether its world changes between stages, unannounced. */
    readonly changes: boolean
    /** The kind with the same tasks and nothing wrong; null for none. */
    readonly clean: string | null
  }[]
  /** One of these, under the name `id`. */
  open(
    life: { readonly kind: string; readonly world: number; readonly order: number },
    id: string,
  ): NamedStream
}

/** Streams that have names instead of files: the same name always gives the same tasks. */
export interface NamedStreams extends Pick<Lifetimes, 'kinds'> {
  nameOf(kind: string, world: number, order: number): string
  /** What a name says. @throws LoamError `BAD_INPUT` */
  partsOf(name: string): { readonly kind: string; readonly world: number; readonly order: number }
  /** Whether a text is meant as such a name. */
  isName(text: string): boolean
  /** @throws LoamError `BAD_INPUT` for a name that is none */
  open(name: string): NamedStream
}

/** A source of streams without end, made from numbers: one line of core/tasks/generators.ts. */
export interface StreamGenerator {
  readonly id: string
  /** `title` heads the form, `world` is what a number stands for, `about` says what is generated. */
  readonly words: { readonly title: string; readonly world: string; readonly about: string }
  /** A bundled stream of it; that of the first source is the first-start demo. */
  readonly demo: string
  /** Lines of a stream file, one task each. The same numbers always give the same tasks. */
  generate(world: number, tasks: number): readonly object[]
  /** Names and texts of the files that its tasks name. Default: they name none. */
  files?(world: number): ReadonlyMap<string, string>
  /** The streams that come with Loam, as files. */
  bundled(): { readonly fileName: string; readonly text: string }[]
  /** Whether a task was drawn from here and the demo model is made for such tasks. */
  drew(task: Task): boolean
  /** Its streams of whole lifetimes. Default: none. */
  readonly lifelong?: Lifetimes
}

/** The first thing wrong, with where it is: `table_info.row_list.3 has 4 cells for 5 columns`. */
export function describeIssues(error: z.ZodError): string {
  const [issue] = error.issues
  if (issue === undefined) return 'not a task'
  const path = issue.path.map(String).join('.')
  const more = error.issues.length > 1 ? ` (and ${error.issues.length - 1} more)` : ''
  return `${path === '' ? 'entry' : path}: ${issue.message}${more}`
}

/** A task's payload as its environment reads it. @throws LoamError `TASK_STREAM` when it is of another environment, with what it is not */
export function taskPayload<T>(task: Task, schema: z.ZodType<T>, what: string, streams: string): T {
  const parsed = schema.safeParse(task.payload)
  if (parsed.success) return parsed.data
  throw new LoamError('TASK_STREAM', `Task ${task.id} is not ${what}.`, {
    suggestion: `Check that the stream was made for ${streams}.`,
    underlying: parsed.error,
  })
}

/** Reads entries as LifelongAgentBench writes them: the entry itself is the payload. */
export const lifelongEntries =
  (
    schema: z.ZodType<{
      readonly instruction: string
      readonly skill_list: string[]
      readonly id?: string | undefined
      readonly sample_index?: string | number | undefined
    }>,
  ): EnvironmentModule['read'] =>
  (entry, { index }) => {
    const parsed = schema.safeParse(entry)
    if (!parsed.success) return { reason: describeIssues(parsed.error) }
    const { id, sample_index, instruction, skill_list } = parsed.data
    return { id: id ?? String(sample_index ?? index), instruction, skills: skill_list, payload: parsed.data }
  }

/** The system's word for why a file cannot be read (`ENOENT`). @throws the error itself when it is of another kind */
export function whyUnreadable(error: unknown): string {
  if (error instanceof Error && 'code' in error && typeof error.code === 'string') return error.code
  throw error
}
