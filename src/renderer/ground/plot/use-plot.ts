import { useEffect, useRef, type RefObject } from 'react'
import uPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'

/** What a drawing needs of the page: its colours and its letters. */
export interface Pen {
  readonly element: HTMLElement
  /** The value of a CSS variable such as `--line`, in the theme that is on. */
  readonly colour: (name: string) => string
  /** What all axes share. */
  readonly axis: { readonly stroke: string; readonly font: string; readonly ticks: { readonly show: false } }
}

/** How one kind of chart is drawn with uPlot. */
export interface PlotPlan<P> {
  /** Everything but the size. `latest` gives the newest props whenever something is drawn. */
  options(latest: () => P, pen: Pen): Omit<uPlot.Options, 'width' | 'height'>
  data(props: P): uPlot.AlignedData
  /** Puts new props into a chart that stands. Default: sets the data. */
  update?(chart: uPlot, props: P, before: P | null): void
  /** Called with each chart that was made; what it returns is called before the chart goes. */
  opened?(chart: uPlot): () => void
  /** The holder, and with it the chart, has another size. */
  resized?(chart: uPlot): void
}

/** The chart and the element it is drawn in. */
export interface PlotHandle {
  readonly holder: RefObject<HTMLDivElement | null>
  readonly plot: RefObject<uPlot | null>
}

/**
 * Keeps a uPlot chart in an element: as large as the element, made anew when `shape` changes (the set of lines and the
 * theme, in one string), otherwise only fed.
 */
export function usePlot<P>(props: P, shape: string, plan: PlotPlan<P>): PlotHandle {
  const holder = useRef<HTMLDivElement>(null)
  const plot = useRef<uPlot | null>(null)
  const latest = useRef(props)
  const refObject = useRef<P | null>(null)
  const how = useRef(plan)
  useEffect(() => {
    latest.current = props
    how.current = plan
  })

  useEffect(() => {
    const element = holder.current
    if (!element) return
    const { options, data, opened } = how.current
    const size = { width: element.clientWidth, height: element.clientHeight }
    const chart = new uPlot(
      { ...options(() => latest.current, penOf(element)), ...size },
      data(latest.current),
      element,
    )
    plot.current = chart
    refObject.current = null
    const close = opened?.(chart)
    const observer = new ResizeObserver(() => {
      chart.setSize({ width: element.clientWidth, height: element.clientHeight })
      how.current.resized?.(chart)
    })
    observer.observe(element)
    return () => {
      observer.disconnect()
      close?.()
      chart.destroy()
      plot.current = null
    }
  }, [shape])

  useEffect(() => {
    const chart = plot.current
    if (!chart) return
    const { data, update } = how.current
    if (update) update(chart, props, refObject.current)
    else chart.setData(data(props))
    refObject.current = props
  }, [props, shape])

  return { holder, plot }
}

function penOf(element: HTMLElement): Pen {
  const style = getComputedStyle(document.documentElement)
  const colour = (name: string): string => style.getPropertyValue(name).trim()
  // Small words, as large as the text size of the window has them: the plot takes pixels alone.
  const size = 0.75 * Number.parseFloat(style.fontSize)
  const font = `${size}px ${getComputedStyle(document.body).fontFamily}`
  return { element, colour, axis: { stroke: colour('--muted'), font, ticks: { show: false } } }
}
