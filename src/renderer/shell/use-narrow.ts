import { useSyncExternalStore } from 'react'

const query = window.matchMedia('(max-width: 1100px)')

/** Whether the window is too narrow for a sidebar with words. */
export function useNarrow(): boolean {
  return useSyncExternalStore(
    (changed) => {
      query.addEventListener('change', changed)
      return () => query.removeEventListener('change', changed)
    },
    () => query.matches,
  )
}
