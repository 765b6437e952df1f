/**
 * Gathers items and hands them over together, `ms` after the first of them (default 32).
 * Keeps streaming text from drawing the screen once per token. `flush` hands over at once.
 */
export function coalesce<T>(deliver: (items: readonly T[]) => void, ms = 32) {
  let waiting: T[] = []
  let timer: ReturnType<typeof setTimeout> | null = null
  const flush = () => {
    if (timer) clearTimeout(timer)
    timer = null
    if (waiting.length === 0) return
    const items = waiting
    waiting = []
    deliver(items)
  }
  return {
    add(items: readonly T[]) {
      waiting.push(...items)
      timer ??= setTimeout(flush, ms)
    },
    flush,
    drop() {
      if (timer) clearTimeout(timer)
      timer = null
      waiting = []
    },
  }
}
