import { useEffect, useRef, type KeyboardEvent } from 'react'
import { useNarrow } from './use-narrow'

/**
 * In a narrow window what is opened stands below its list, out of sight: a click or Enter in the list brings it into view, while arrows go on moving
 * there. `open`: what is open; null for nothing.
 */
export function useOpenInView(open: unknown) {
  const isNarrow = useNarrow(699)
  const pane = useRef<HTMLElement>(null)
  const isAwaited = useRef(false)
  const bring = () => pane.current?.scrollIntoView({ block: 'start' })
  useEffect(() => {
    if (!isAwaited.current || !open) return
    isAwaited.current = false
    bring()
  }, [open])
  return {
    pane,
    /** What the part that holds the list hears. */
    heard: {
      onClick: () => void (isAwaited.current = isNarrow),
      onKeyDown: ({ key }: KeyboardEvent) => {
        if (key === 'Enter' && isNarrow) bring()
      },
    },
  }
}
