import { createElement, useCallback, useSyncExternalStore, type ComponentType, type ReactNode } from 'react'
import { ErrorNotice } from '../components/error-notice'
import { errorShape } from '../stores/error-shape'

/** What comes in a script of its own. */
interface Later<T> {
  /** What was loaded; null until it is, and where loading failed. Begins to load where it `isWanted`. */
  readonly use: (isWanted: boolean) => T | null
  /** Why it could not be loaded; null where it was or nobody tried. */
  readonly useProblem: () => { readonly cause: unknown } | null
  /** Loads it ahead of time, again where that failed. Resolves when it is over, however it went. */
  readonly warm: () => Promise<void>
}

/** What `load` imports, at most once: whoever uses it later has it at once. */
export function later<T>(load: () => Promise<T>): Later<T> {
  let value: T | null = null
  let problem: { readonly cause: unknown } | null = null
  let loading: Promise<void> | null = null
  const listeners = new Set<() => void>()
  const tell = () => {
    for (const listener of listeners) listener()
  }
  const warm = (): Promise<void> => {
    if (value !== null) return Promise.resolve()
    if (problem !== null) {
      problem = null
      tell()
    }
    loading ??= load()
      .then(
        (module) => (value = module),
        (cause: unknown) => (problem = { cause }),
      )
      .then(() => {
        loading = null
        tell()
      })
    return loading
  }
  const subscribe = (listener: () => void) => {
    listeners.add(listener)
    return () => void listeners.delete(listener)
  }
  return {
    use: (isWanted) => {
      const follow = useCallback(
        (listener: () => void) => {
          if (isWanted && value === null && problem === null) void warm()
          return subscribe(listener)
        },
        [isWanted],
      )
      return useSyncExternalStore(follow, () => value)
    },
    useProblem: () => useSyncExternalStore(subscribe, () => problem),
    warm,
  }
}

/** A part of the window in a script of its own. */
export interface OnDemand<P> {
  /** Draws it at once where it is loaded, else nothing until it is; what could not be loaded is said, with a way to try again. */
  readonly Part: (props: P) => ReactNode
  /** Loads it ahead of time. */
  readonly warm: () => Promise<void>
}

/**
 * A part that is loaded when it is first drawn, or ahead of time. Other than with `lazy` of React, a part that is loaded already is drawn
 * in the same stroke as what is around it, so that nothing flickers.
 */
export function onDemand<P extends object>(load: () => Promise<ComponentType<P>>): OnDemand<P> {
  const module = later(load)
  return {
    warm: module.warm,
    Part: (props) => {
      const component = module.use(true)
      const problem = module.useProblem()
      if (component !== null) return createElement(component, props)
      if (problem === null) return null
      const notice = {
        ...errorShape(problem.cause),
        title: 'This part of the window could not be loaded',
        suggestion: 'Try again. If it stays so, load the page anew or start Loam again.',
      }
      return <ErrorNotice className="m-6" problem={notice} alwaysRetry onRetry={() => void module.warm()} />
    },
  }
}

/** Loads parts one after another while the window has nothing to do. */
export async function warmWhileIdle(parts: readonly { readonly warm: () => Promise<void> }[]): Promise<void> {
  for (const part of parts) {
    await new Promise<void>((resolve) => {
      if ('requestIdleCallback' in window) window.requestIdleCallback(() => resolve(), { timeout: 500 })
      else setTimeout(resolve, 200)
    })
    await part.warm()
  }
}
