import { useSyncExternalStore } from 'react'

/** The theme the page shows right now, `light` or `dark`; canvases have to be drawn again when it changes. */
export function usePageTheme(): string {
  return useSyncExternalStore(subscribe, () => document.documentElement.dataset['theme'] ?? 'light')
}

function subscribe(getChange: () => void): () => void {
  const observer = new MutationObserver(getChange)
  observer.observe(document.documentElement, { attributeFilter: ['data-theme'] })
  return () => observer.disconnect()
}
