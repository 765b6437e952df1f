import { useEffect } from 'react'
import {
  COMMANDS_WANTED,
  COMMAND_CHOSEN,
  DESKTOP_COMMANDS,
  type DesktopCommand,
} from '../../shared/port-handshake'
import type { Services } from '../stores/services'
import { useServices } from '../stores/use-services'
import { exportOpenMemory, toggleSidebar } from './commands'
import { goToSection, SECTIONS } from './screens'

/** Does what a person chose in the desktop window's menu, with its sign beside the clock, or with its shortcut. */
export function useDesktopCommands(lookForOpened: () => void): void {
  const services = useServices()
  useEffect(() => {
    const onMessage = (event: MessageEvent<{ kind?: unknown; command?: unknown } | null>) => {
      const message = event.data
      if (event.source !== window || message?.kind !== COMMAND_CHOSEN) return
      const { command: order } = message
      if (typeof order === 'object' && order !== null && 'ask' in order && typeof order.ask === 'string')
        return services.openRecord('ask', order.ask)
      const command = DESKTOP_COMMANDS.find((name) => name === order)
      if (command === 'opened') lookForOpened()
      else if (command) runDesktopCommand(command, services)
    }
    window.addEventListener('message', onMessage)
    window.postMessage(COMMANDS_WANTED, window.location.origin)
    return () => window.removeEventListener('message', onMessage)
  }, [services, lookForOpened])
}

/** Does one of them; a command that nobody gives does nothing. */
export function runDesktopCommand(command: Exclude<DesktopCommand, 'opened'>, services: Services): void {
  const { ui, openRecord } = services
  const { go, setPaletteOpen, setShortcutsOpen, setTourStep, startImport } = ui.getState()
  switch (command) {
    case 'new-ask':
      openRecord('ask')
      // Once the composer is there.
      setTimeout(() => document.querySelector<HTMLElement>('main textarea')?.focus())
      return
    case 'import':
      return startImport()
    case 'export':
      return exportOpenMemory(services)
    case 'settings':
      return go('settings')
    case 'look-for-update':
      go('settings')
      void services.client.app.lookForUpdate()
      return
    case 'search':
      return setPaletteOpen(true)
    case 'sidebar':
      return toggleSidebar(services)
    case 'shortcuts':
      return setShortcutsOpen(true)
    case 'tour':
      return setTourStep(0)
    default: {
      const section = SECTIONS.find(({ id }) => `section-${id}` === command)
      if (section) goToSection(ui.getState(), section.id)
    }
  }
}
