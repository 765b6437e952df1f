import { lazy, Suspense, type ComponentType } from 'react'
import { usePageTheme } from './use-page-theme'

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
