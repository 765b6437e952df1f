import { useSyncExternalStore } from 'react'

const query = window.matchMedia('(max-width: 1100px)')

/** Whether the window is too narrow for a sidebar with words. */
export function useNarrow(): boolean {
  return useSyncExternalStore(
    (getChange) => {
      query.addEventListener('change', getChange)
      return () => query.removeEventListener('change', getChange)
    },
    () => query.matches,
  )
}
