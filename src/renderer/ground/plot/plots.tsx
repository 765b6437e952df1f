import { lazy, Suspense, type ComponentType, useSyncExternalStore } from 'react'

/** A chart in the page's theme; the drawing library is loaded with the first of them. Fills the nearest positioned parent. */
function themed<P extends { theme: string }>(load: () => Promise<ComponentType<P>>) {
  const Chart = lazy(async () => ({ default: await load() })) as unknown as ComponentType<P>
  return function Plot(props: Omit<P, 'theme'>) {
    const theme = usePageTheme()
    return (
      <Suspense>
        <Chart {...({ ...props, theme } as P)} />
      </Suspense>
    )
  }
}

/** Learning curves. */
export const LearningPlot = themed(async () => (await import('./learning-chart')).LearningChart)

/** A few lines from zero up. */
export const LinePlot = themed(async () => (await import('./line-chart')).LineChart)

/** The theme the page shows right now, `light` or `dark`; canvases have to be drawn again when it changes. */
export function usePageTheme(): string {
  return useSyncExternalStore(subscribe, () => document.documentElement.dataset['theme'] ?? 'light')
}

function subscribe(getChange: () => void): () => void {
  const observer = new MutationObserver(getChange)
  observer.observe(document.documentElement, { attributeFilter: ['data-theme'] })
  return () => observer.disconnect()
}
