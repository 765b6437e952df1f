import type { ToolInfo } from '../ground/tools'

/** What a person may answer when a tool is about to be used: this once, for all of this run, or not. */
export type PermissionAnswer = 'once' | 'run' | 'no'

/** A tool that is about to be used, with what it would be given. */
export interface PermissionRequest {
  readonly tool: ToolInfo
  readonly args: Readonly<Record<string, unknown>>
  /** Where the text is from that nobody checked and that was read before; empty where what was agreed to before does. */
  readonly read: readonly string[]
}

/** Asks the person. Rejects when `signal` aborts. */
export type AskPermission = (request: PermissionRequest, signal?: AbortSignal) => Promise<PermissionAnswer>

/**
 * Whether a list of names lets a tool be used without asking: by its name, by `server.name`, or by the name of its server.
 */
export const isAllowed = (tool: ToolInfo, own: string, allowed: readonly string[] | 'all'): boolean =>
  allowed === 'all' ||
  [tool.name, `${tool.server}.${own}`, tool.server].some((name) => allowed.includes(name))
