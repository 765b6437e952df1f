import { ArrowLeft, ArrowRight, X } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { Button } from '../components/button'
import { IconButton } from '../components/icon-button'
import type { ScreenId } from '../stores/ui'
import { useServices, useStored } from '../stores/use-services'
import { titleOf } from './screens'

interface Step {
  readonly screen: ScreenId
  readonly title: string
  readonly text: string
}

/** Seven places, each in a few sentences: about two minutes. */
export const TOUR: readonly Step[] = [
  {
    screen: 'home',
    title: 'What is going on',
    text: 'Here you see what works right now, what waits for you, and what was done lately. The name “Loam” at the top left brings you back.',
  },
  {
    screen: 'ask',
    title: 'Ask',
    text: 'Give the agent one task, with files if it needs them. It works in view, asks before it changes anything, and can be stopped or steered. Say afterwards whether it was right: that is what it learns from.',
  },
  {
    screen: 'memory',
    title: 'Memory',
    text: 'What was learned is kept in a memory, chosen at the top left. Every item can be read in full, corrected, pinned, muted or deleted, and shows how often it was recalled and whether that helped.',
  },
  {
    screen: 'run',
    title: 'Run',
    text: 'A stream of tasks, worked through one after another with one memory. The curve shows whether the agent gets better; each task can be opened to see what was recalled and why.',
  },
  {
    screen: 'experiments',
    title: 'Experiments',
    text: 'Several methods on the same tasks, with several seeds, so that you can tell what helps from what was luck.',
  },
  {
    screen: 'curves',
    title: 'Curves',
    text: 'Runs and experiments side by side, with bands over seeds. Point at a line to bring it forward, click a point to see the attempt behind it.',
  },
  {
    screen: 'models',
    title: 'Models',
    text: 'Models on this machine, those of other programs, and model servers. Nothing leaves the machine until you turn the network on in Settings. Press Ctrl or Cmd with K anywhere to find the rest.',
  },
]

/** A walk through the screens: a card at the lower right that says what is where. Escape ends it. */
export function Tour() {
  const { ui } = useServices()
  const at = useStored('ui', (state) => state.tourStep)
  const screen = useStored('ui', (state) => state.screen)
  const heading = useRef<HTMLHeadingElement>(null)
  const step = at === null ? undefined : TOUR[at]
  const { go, setTourStep } = ui.getState()
  useEffect(() => {
    if (!step) return
    go(step.screen)
    heading.current?.focus()
  }, [step, go])
  if (at === null || !step) return null
  const isLast = at === TOUR.length - 1
  return (
    <aside
      aria-label="Tour"
      onKeyDown={(event) => {
        if (event.key === 'Escape') setTourStep(null)
      }}
      className="fixed right-4 bottom-10 z-40 flex w-88 max-w-[calc(100vw-32px)] flex-col gap-3 rounded-lg border border-accent bg-surface p-4 shadow-menu"
    >
      <div className="flex items-start gap-2">
        <h2 ref={heading} tabIndex={-1} className="flex-1 font-semibold outline-none">
          {step.title}
        </h2>
        <IconButton
          icon={X}
          label="End the tour"
          className="-mt-1 -mr-1 size-7"
          onClick={() => setTourStep(null)}
        />
      </div>
      <p aria-live="polite">{step.text}</p>
      <div className="flex items-center gap-2">
        <span className="flex-1 text-xs text-muted">
          {at + 1} of {TOUR.length}
          {screen === step.screen ? '' : `, at ${titleOf(step.screen)}`}
        </span>
        {at > 0 ? (
          <Button size="small" icon={ArrowLeft} onClick={() => setTourStep(at - 1)}>
            Back
          </Button>
        ) : null}
        <Button
          size="small"
          look="primary"
          {...(!isLast && { icon: ArrowRight })}
          onClick={() => setTourStep(isLast ? null : at + 1)}
        >
          {isLast ? 'Done' : 'Next'}
        </Button>
      </div>
    </aside>
  )
}
