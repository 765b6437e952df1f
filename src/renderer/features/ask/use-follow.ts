import { useCallback, useEffect, useRef, useState, type RefObject } from 'react'

/** Pixels from the end within which a pane is at its end. */
const AT_END_PX = 24

const isAtEnd = ({ scrollHeight, scrollTop, clientHeight }: HTMLElement): boolean =>
  scrollHeight - scrollTop - clientHeight <= AT_END_PX

/** Shows the end of a pane, but no less of the answer in it than there is room for. */
function showAnswer(pane: HTMLElement): void {
  const answer = [...pane.querySelectorAll('[data-answer]')].at(-1)?.getBoundingClientRect()
  const end = pane.scrollHeight - pane.clientHeight
  const start = pane.scrollTop - pane.getBoundingClientRect().top
  pane.scrollTop = answer
    ? Math.min(end, start + Math.max(answer.top, answer.bottom - pane.clientHeight))
    : end
}

/**
 * Keeps the end of a pane in view while something is written into it. It lets go as soon as a person scrolls up, and takes hold again at the end.
 * `pane` scrolls, `content` grows in it.
 */
export function useFollow(active: boolean): {
  readonly pane: RefObject<HTMLDivElement | null>
  readonly content: RefObject<HTMLElement | null>
  /** Whether it has let go while more comes. */
  readonly away: boolean
  toEnd(): void
} {
  const pane = useRef<HTMLDivElement>(null)
  const content = useRef<HTMLElement>(null)
  const follows = useRef(false)
  const lastTop = useRef(0)
  const [away, setAway] = useState(false)

  const toEnd = useCallback(() => {
    const { current } = pane
    follows.current = true
    setAway(false)
    if (!current) return
    current.scrollTop = current.scrollHeight
    lastTop.current = current.scrollTop
  }, [])

  useEffect(() => {
    const { current } = pane
    if (!current) return
    const onScroll = () => {
      const isUp = current.scrollTop < lastTop.current - 1
      lastTop.current = current.scrollTop
      if (isAtEnd(current)) {
        follows.current = true
        setAway(false)
      } else if (isUp) {
        follows.current = false
        setAway(true)
      }
    }
    current.addEventListener('scroll', onScroll, { passive: true })
    return () => current.removeEventListener('scroll', onScroll)
  }, [])

  useEffect(() => {
    if (!active || !content.current) return
    // Whoever sends something wants to see what comes of it.
    toEnd()
    const { current } = pane
    // What is docked below the pane takes from its height.
    const resized = new ResizeObserver(() => {
      if (follows.current) toEnd()
    })
    resized.observe(content.current)
    if (current) resized.observe(current)
    return () => {
      resized.disconnect()
      // What stands there when it is done is another height.
      requestAnimationFrame(() => follows.current && current && showAnswer(current))
    }
  }, [active, toEnd])

  return { pane, content, away: active && away, toEnd }
}
