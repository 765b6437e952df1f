/** A tool that an agent called. */
export interface DialogCall {
  /** Null where answers follow in the order of the calls. */
  readonly id: string | null
  readonly tool: string
  /** As the program wrote them: JSON text, or the value itself. */
  readonly given: unknown
}

/** What a tool answered. */
export interface DialogResult {
  readonly id: string | null
  readonly text: string
  readonly failed: boolean
}

/** A message of a dialog between a person, an agent and its tools, whatever program wrote it down. */
export interface DialogMessage {
  readonly role: 'user' | 'agent' | 'tool' | 'system'
  readonly text: string
  /** What the agent thought before it spoke or called. */
  readonly thought?: string
  readonly calls?: readonly DialogCall[]
  readonly results?: readonly DialogResult[]
  /** ISO time. */
  readonly time?: string | null
  readonly model?: string | null
  readonly promptTokens?: number | null
  readonly completionTokens?: number | null
}
