/** What one script of a simulated shell may do before it is stopped, so that the program it runs in is never kept long. */
export const SCRIPT_LIMITS = {
  maxCommandCount: 20_000,
  maxLoopIterations: 10_000,
  maxAwkIterations: 50_000,
  maxSedIterations: 10_000,
  maxCallDepth: 50,
  maxExecDepth: 20,
} as const
