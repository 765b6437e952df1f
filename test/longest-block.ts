import { monitorEventLoopDelay } from 'node:perf_hooks'

/** Milliseconds that this process's event loop stood still at most while `work` ran. */
export async function longestBlock<T>(
  work: () => Promise<T>,
): Promise<{ readonly ms: number; readonly came: T }> {
  const delay = monitorEventLoopDelay({ resolution: 5 })
  delay.enable()
  try {
    const came = await work()
    return { ms: Math.max(0, delay.max / 1e6 - 5), came }
  } finally {
    delay.disable()
  }
}
