import { isCovered, isWriting, useKeydown } from '../ground/keys'
import type { Services } from '../stores/services'
import { useServices } from '../stores/use-services'
import { toggleRun, toggleSidebar } from './commands'
import { goToSection, SECTIONS } from './screens'

/** The keys that work everywhere; what types a character into a field is never taken for a shortcut. */
export function useShortcuts(): void {
  const services = useServices()
  useKeydown((event) => onShortcut(event, services))
}

function onShortcut(event: KeyboardEvent, services: Services): void {
  const ui = services.ui.getState()
  const isCommand = event.ctrlKey || event.metaKey
  if (isCommand && event.key.toLowerCase() === 'k') {
    event.preventDefault()
    ui.setPaletteOpen(!ui.paletteOpen)
    return
  }
  if (isCommand || event.defaultPrevented || isCovered()) return
  if (isWriting(event.target) && !typesNothing(event)) return
  if (event.altKey) {
    const section = SECTIONS[Number(/^Digit([1-9])$/.exec(event.code)?.[1]) - 1]
    // The desktop window has no buttons of its own for back and forward.
    const move =
      event.key === 'ArrowLeft'
        ? () => window.history.back()
        : event.key === 'ArrowRight'
          ? () => window.history.forward()
          : section && (() => goToSection(ui, section.id))
    if (!move) return
    event.preventDefault()
    move()
    return
  }
  if (event.key === '?') ui.setShortcutsOpen(true)
  if (event.key === '[') toggleSidebar(services)
  if (event.key === ' ' && !isControl(event.target)) {
    event.preventDefault()
    toggleRun(services)
  }
}

/** Alt with a digit writes nothing, but where it makes another character of the digit, as on a Mac. */
const typesNothing = (event: KeyboardEvent): boolean => event.altKey && /^[0-9]$/.test(event.key)

/** Whatever can have the focus uses the space bar itself: to press, tick, choose or scroll. */
const isControl = (target: EventTarget | null): boolean =>
  target instanceof Element &&
  target.closest('a, button, input, select, summary, [tabindex]:not([data-held-focus])') !== null
