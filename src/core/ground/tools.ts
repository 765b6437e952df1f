/** A tool as an agent is told of it. */
export interface ToolInfo {
  /** Unique within a tool box: the tool's own name, or `server.name` where two servers clash. */
  readonly name: string
  readonly server: string
  readonly description: string
  /** JSON schema of the arguments. */
  readonly inputSchema: Readonly<Record<string, unknown>>
  /** Whether it may change something outside the attempt's own folder. Default: it may. */
  readonly changes?: boolean
}

/** What a call gave back. A tool that fails, hangs, is refused or loses its server reports so here and never throws. */
export interface ToolResult {
  readonly text: string
  readonly failed: boolean
  /** The call was not made: what is known of such calls is told instead. Default: it was. */
  readonly isHeld?: true
  /** What is known that was told, by id. Default: nothing. */
  readonly heldBy?: readonly string[]
  /** Names of files the call left in the task's folder. */
  readonly files: readonly string[]
  readonly wallMs: number
}

/** The tools of one run, over all servers. */
export interface ToolBox {
  list(): readonly ToolInfo[]
  /** Rejects only when `signal` aborts. */
  call(
    name: string,
    args: Readonly<Record<string, unknown>>,
    options?: {
      readonly signal?: AbortSignal
      /** Where the text is from that nobody checked and that the attempt has read. Default: none. */
      readonly read?: readonly string[]
    },
  ): Promise<ToolResult>
}
