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

/** How large a rem is, against what the browser or the system has it. */
const SCALES = { smaller: '90%', usual: '', larger: '112.5%', largest: '125%' } as const

/** Has all words, which are measured in rem, follow the size that was chosen. */
export function showTextSize(size: Settings['textSize']): void {
  document.documentElement.style.fontSize = SCALES[size]
}
