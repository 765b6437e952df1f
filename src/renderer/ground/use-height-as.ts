import { useLayoutEffect, type RefObject } from 'react'

/** Keeps an element's height as a variable of styles, so that what stands elsewhere makes way for it; 0 while it is not there. */
export function useHeightAs(name: `--${string}`, element: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const { current } = element
    if (!current) return
    const { style } = document.documentElement
    const observer = new ResizeObserver(() => style.setProperty(name, `${current.offsetHeight}px`))
    observer.observe(current)
    return () => {
      observer.disconnect()
      style.removeProperty(name)
    }
  }, [name, element])
}
