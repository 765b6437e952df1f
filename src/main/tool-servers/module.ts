import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import type { z } from 'zod'
import type { ToolSettings } from '../../shared/domain/tool'

/** A built-in server, ready to be connected. */
export interface ToolServer {
  readonly mcp: McpServer
  /** Ends the processes it works with. */
  close(): void
}

/** What Loam starts a server with for one run. */
export interface RunConditions {
  readonly tools: ToolSettings
  /** Whether the person turned the network on. */
  readonly network: boolean
  /** The task's own folder. */
  readonly folder: string
  /** Where libraries for Python lie. */
  readonly libraries: string
  /** Seconds a call may take; a little less than its client waits, so that the reason arrives. */
  readonly seconds: number
}

/** A tool of a server. */
export interface ToolOfServer {
  readonly name: string
  /** What a person agrees to when the tool is asked for, beginning with a verb: "runs code over the task's files". */
  readonly needs: string
  /** A good call: with `files` in its folder and the network off, its answer holds these words. */
  readonly example: { readonly args: Readonly<Record<string, unknown>>; readonly answers: string }
  /** Whether it may change something outside the task's own folder, or send it elsewhere. Default: it may not. */
  readonly changes?: boolean
  /** A call that is answered as failed, in words; null where there is none, since nothing is asked for. */
  readonly wrong: Readonly<Record<string, unknown>> | null
}

/** What is asked of an agent, as far as tools are chosen by it: words, and names of the files that come with them. */
export interface ToolNeed {
  readonly text: string
  readonly files: readonly string[]
}

/** A need that shows in the words of what is asked. */
export const wordsMatch =
  (...forms: readonly RegExp[]) =>
  ({ text }: ToolNeed): boolean =>
    forms.some((form) => form.test(text))

/** A need that shows in the endings of files. */
export const filesEndIn =
  (ending: RegExp) =>
  ({ files }: ToolNeed): boolean =>
    files.some((name) => ending.test(name))

/**
 * A tool server that comes with Loam. Everything of its own is in its folder; the list in index.ts has one line for it, and no other
 * file names its id. All of them go through test/main/tool-servers/conformance.
 */
export interface ToolServerModule<Shape extends z.ZodRawShape = z.ZodRawShape> {
  /** Small letters, digits and dashes: the command line's name for it, and what its tools are told apart by. */
  readonly id: string
  /** Default: the id with a capital letter. */
  readonly title?: string
  /** One line about what it is for. */
  readonly about: string
  readonly tools: readonly ToolOfServer[]
  /** Whether something that is asked cannot well be done without it. Default: it is used where somebody chooses it. */
  readonly isNeeded?: (need: ToolNeed) => boolean
  /** Files that the examples speak of, by name. Default none. */
  readonly files?: Readonly<Record<string, string>>
  /**
   * What it can be started with: each option has a default and, in `.meta`, title, help and unit. `--kebab-case` options of the command
   * line, their bounds and the documentation are read off it.
   */
  readonly options: z.ZodObject<Shape, z.core.$strict>
  /** The options that a run sets; the others keep their defaults. */
  readonly forRun: (run: RunConditions) => Partial<z.output<z.ZodObject<Shape, z.core.$strict>>>
  /** Loads what it works with and makes it. `version` is Loam's. */
  readonly open: (
    options: z.output<z.ZodObject<Shape, z.core.$strict>>,
    version: string,
  ) => Promise<ToolServer>
}

/** A module of the list, whatever its options: they are only ever read with its own schema. */
export type AnyToolServer = Omit<ToolServerModule, 'title' | 'forRun' | 'open'> & {
  readonly title: string
  /** Where a module from outside lies. Default: it comes with Loam. */
  readonly folder?: string
  forRun(run: RunConditions): Readonly<Record<string, unknown>>
  open(options: Readonly<Record<string, unknown>>, version: string): Promise<ToolServer>
}

/** Declares a server; its options are typed inside. */
export const toolServer = <Shape extends z.ZodRawShape>(module: ToolServerModule<Shape>): AnyToolServer =>
  ({
    title: `${module.id.slice(0, 1).toUpperCase()}${module.id.slice(1)}`,
    ...module,
  }) as unknown as AnyToolServer

/** Tools that a person agrees to in the same words: each with a good call and words of its answer, and a wrong call. */
export const toolThat =
  (needs: string) =>
  (
    name: string,
    good: ToolOfServer['example']['args'],
    answers: string,
    wrong: ToolOfServer['wrong'],
  ): ToolOfServer => ({ name, needs, example: { args: good, answers }, wrong })
