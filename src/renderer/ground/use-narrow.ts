import { useSyncExternalStore } from 'react'

/** Whether the window is at most `width` pixels wide. */
export function useNarrow(width: number): boolean {
  const query = window.matchMedia(`(max-width: ${width}px)`)
  return useSyncExternalStore(
    (onChange) => {
      query.addEventListener('change', onChange)
      return () => query.removeEventListener('change', onChange)
    },
    () => query.matches,
  )
}
