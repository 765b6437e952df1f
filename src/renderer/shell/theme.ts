import type { Settings } from '../../shared/domain/memory-info'

/** Puts the theme on the page and, for `system`, keeps following the system. Returns how to stop following. */
export function showTheme(theme: Settings['theme']): () => void {
  const dark = window.matchMedia('(prefers-color-scheme: dark)')
  const apply = () => {
    document.documentElement.dataset['theme'] = theme === 'system' ? (dark.matches ? 'dark' : 'light') : theme
  }
  apply()
  if (theme !== 'system') return () => undefined
  dark.addEventListener('change', apply)
  return () => dark.removeEventListener('change', apply)
}
