import { useStore } from 'zustand'
import { Dialog } from '../components/dialog'
import { Keys } from '../components/keys'
import { useServices } from '../stores/use-services'
import { ALL_SCREENS } from './screens'

const SHORTCUTS = [
  ['Search or do something', 'Mod+K'],
  ['Ask, send, or submit the form', 'Mod+Enter'],
  ['Right, partly, wrong: judge the open ask', 'R+P+W'],
  ['Pause or resume the run', 'Space'],
  [`Go to one of the ${ALL_SCREENS.length} screens`, `Alt+1–${Math.min(9, ALL_SCREENS.length)}`],
  ['Go to the start page', 'Alt+0'],
  ['Go back, go forward', 'Alt+←+→'],
  ['Collapse the sidebar', '['],
  ['Move in a list', '↑+↓'],
  ['Move between finished tasks', '←+→'],
  ['Search the list', '/'],
  ['Delete the open case', 'Del'],
  ['Focus the notes', 'F8'],
  ['Show this list', '?'],
] as const

/** The list of keys. */
export function ShortcutsDialog() {
  const { ui } = useServices()
  const open = useStore(ui, (state) => state.shortcutsOpen)
  return (
    <Dialog
      open={open}
      onClose={() => ui.getState().setShortcutsOpen(false)}
      title="Keyboard shortcuts"
      description="Everything can be reached with Tab; these are quicker."
    >
      <dl className="flex flex-col gap-2 overflow-y-auto p-4">
        {SHORTCUTS.map(([what, keys]) => (
          <div key={what} className="flex items-center justify-between">
            <dt>{what}</dt>
            <dd>
              <Keys combo={keys} />
            </dd>
          </div>
        ))}
      </dl>
    </Dialog>
  )
}
