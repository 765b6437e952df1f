/** A part of the screens, in pixels. */
export interface Area {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

/** Of a window, what has to be seen so that it can be taken hold of, in pixels. */
const HOLD = 48

/** Whether enough of a window's upper edge lies on one of the screens, so that a person can move it. */
export const canBeReached = (window: Area, screens: readonly Area[]): boolean =>
  screens.some((screen) => {
    const across = Math.min(window.x + window.width, screen.x + screen.width) - Math.max(window.x, screen.x)
    return across >= HOLD && window.y >= screen.y && window.y <= screen.y + screen.height - HOLD
  })
