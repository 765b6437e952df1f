/** Answers the sandbox's calls; what it throws is thrown in the sandbox. */
export type SandboxHost = (operation: string, args: readonly unknown[]) => unknown

export interface SandboxRun {
  readonly printed: string
  /** Why the code ended early; null when it did not. */
  readonly error: string | null
}

/** JavaScript in QuickJS, in WebAssembly: no files, no network, no clock to wait on, and limits on time and memory. */
export interface Sandbox {
  run(code: string, host: SandboxHost): Promise<SandboxRun>
}
