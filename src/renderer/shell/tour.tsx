import { ArrowLeft, ArrowRight, X } from '../components/icons'
import { useEffect, useId, useRef } from 'react'
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

/** The way from the first ask to the memory of it: four places, a minute. */
export const TOUR: readonly Step[] = [
  {
    screen: 'models',
    title: 'First, a model',
    text: 'A model writes the answers. Take a file, a download, or one of Ollama or LM Studio. Nothing leaves this machine until you turn the network on in Settings.',
  },
  {
    screen: 'ask',
    title: 'Ask, then correct',
    text: 'Type a task and press Enter. Below the answer say Right, Partly or Wrong, or correct it. That is what Loam learns from, and the next ask like it recalls it.',
  },
  {
    screen: 'memory',
    title: 'What it remembers',
    text: 'All that you taught is here. Read it, change it, or delete it with undo. Each item shows how often it was recalled and whether that helped.',
  },
  {
    screen: 'run',
    title: 'Try it out',
    text: 'The demo shows a small model getting better in a minute. It never changes your memory. Ctrl or Cmd with K finds the rest, this tour too.',
  },
]

/** A walk through the screens: a card at the lower right that says what is where. Escape ends it. */
export function Tour() {
  const { ui } = useServices()
  const at = useStored('ui', (state) => state.tourStep)
  const screen = useStored('ui', (state) => state.screen)
  const heading = useRef<HTMLHeadingElement>(null)
  const textId = useId()
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
      data-tour
      onKeyDown={(event) => {
        if (event.key === 'Escape') setTourStep(null)
      }}
      className="fixed right-4 bottom-10 z-40 flex w-88 max-w-[calc(100vw-32px)] flex-col gap-3 rounded-lg border border-accent bg-surface p-4 shadow-menu"
    >
      <div className="flex items-start gap-2">
        {/* Another element for each step: it has the focus and is read once, with its text. */}
        <h2
          key={at}
          ref={heading}
          tabIndex={-1}
          aria-describedby={`${textId} ${textId}-at`}
          className="flex-1 font-semibold outline-none"
        >
          {step.title}
        </h2>
        <IconButton
          icon={X}
          label="End the tour"
          className="-mt-1 -mr-1 size-7"
          onClick={() => setTourStep(null)}
        />
      </div>
      <p key={at} id={textId}>
        {step.text}
      </p>
      <div className="flex items-center gap-2">
        <span key={at} id={`${textId}-at`} className="flex-1 text-xs text-muted">
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
