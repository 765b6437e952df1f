import { useEffect } from 'react'
import { isCovered, isWriting } from '../ground/keys'
import { useServices } from '../stores/use-services'
import { toggleRun } from './commands'
import { ALL_SCREENS, goToEntry } from './screens'

/** The keys that work everywhere; what types a character into a field is never taken for a shortcut. */
export function useShortcuts(): void {
  const services = useServices()
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'k') {
        event.preventDefault()
        const { paletteOpen, setPaletteOpen } = services.ui.getState()
        setPaletteOpen(!paletteOpen)
        return
      }
      if (
        event.ctrlKey ||
        event.metaKey ||
        event.defaultPrevented ||
        (isWriting(event.target) && !typesNothing(event)) ||
        isCovered()
      )
        return
      if (event.altKey) {
        if (event.key === 'ArrowLeft' || event.key === 'ArrowRight') {
          // The desktop window has no buttons of its own for this.
          event.preventDefault()
          if (event.key === 'ArrowLeft') window.history.back()
          else window.history.forward()
          return
        }
        if (event.code === 'Digit0') {
          event.preventDefault()
          services.ui.getState().go('home')
          return
        }
        const entry = ALL_SCREENS[Number(/^Digit([1-9])$/.exec(event.code)?.[1]) - 1]
        if (!entry) return
        event.preventDefault()
        goToEntry(services.ui.getState(), entry.id)
        return
      }
      if (event.key === '?') services.ui.getState().setShortcutsOpen(true)
      if (event.key === '[') {
        const collapsed = services.settings.getState().settings?.sidebarCollapsed ?? false
        void services.settings.getState().save({ sidebarCollapsed: !collapsed })
      }
      if (event.key === ' ' && !isControl(event.target)) {
        event.preventDefault()
        toggleRun(services)
      }
    }
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [services])
}

/** Alt with a digit writes nothing, but where it makes another character of the digit, as on a Mac. */
const typesNothing = (event: KeyboardEvent): boolean => event.altKey && /^[0-9]$/.test(event.key)

/** Whatever can have the focus uses the space bar itself: to press, tick, choose or scroll. */
const isControl = (target: EventTarget | null): boolean =>
  target instanceof Element &&
  target.closest('a, button, input, select, summary, [tabindex]:not([data-held-focus])') !== null
