import { Play } from '../../components/icons'
import { useStore } from 'zustand'
import { Button } from '../../components/button'
import { ErrorNotice } from '../../components/error-notice'
import { GoLink } from '../../ground/go-to'
import { useServices } from '../../stores/use-services'
import { DEMO_TIME } from '../../ground/demo-words'

/** Before anything was run: one sentence, one button, and what will happen. */
export function FirstRun() {
  const { runs, models } = useServices()
  const busy = useStore(runs, (state) => state.busy)
  const problem = useStore(runs, (state) => state.problem)
  const matches = useStore(models, (state) => state.data)
  const demo = matches?.find((model) => model.demo && model.problem === null)
  const isMissing = matches !== null && !demo
  const start = () => void runs.getState().startDemo()
  return (
    <div className="mx-auto flex min-h-full max-w-2xl flex-col justify-center gap-6 px-8 py-10">
      <DemoSketch />
      <div>
        <h1 className="text-2xl leading-8 font-semibold tracking-tight text-balance">
          Watch a small model get better because it remembers.
        </h1>
        <p className="mt-2 max-w-xl text-lg text-muted">
          Loam gives a model on your machine one task after another, keeps what it tried, and shows it the
          closest attempts before the next task.
        </p>
      </div>
      {problem ? <ErrorNotice problem={problem} onRetry={start} /> : null}
      <div className="flex flex-wrap items-center gap-4">
        <Button
          look="primary"
          icon={Play}
          className="h-10 px-5"
          disabled={isMissing || busy !== null}
          onClick={start}
        >
          {busy === 'demo' ? 'Starting…' : 'Run the demo'}
        </Button>
        <span className="text-muted">It takes {DEMO_TIME}. Nothing leaves this machine.</span>
      </div>
      {isMissing ? (
        <p className="text-sm">
          The demo model is not in Loam’s folder, so the demo cannot run.{' '}
          <GoLink to="models">See which models were found</GoLink>
        </p>
      ) : null}
      <ol className="flex flex-col gap-2 border-t pt-5">
        {STEPS.map(([title, text], index) => (
          <li key={title} className="flex gap-3">
            <span aria-hidden className="w-4 shrink-0 text-right text-faint">
              {index + 1}
            </span>
            <p>
              <span className="font-medium">{title}</span> <span className="text-muted">{text}</span>
            </p>
          </li>
        ))}
      </ol>
      <p className="text-sm text-muted">
        The demo model is a tiny specialist that was trained for these tasks only. For real work, choose a
        model of your own under “Model”.
      </p>
    </div>
  )
}

const STEPS = [
  [
    '120 database tasks without memory.',
    'Every office has its own unwritten rules, so the model can only guess.',
  ],
  ['The same tasks with a memory.', 'Before each task it rereads the four closest earlier attempts.'],
  ['Two curves on one chart.', 'Open any task or case to see what was recalled and whether it helped.'],
] as const

/** A drawing of what the demo is about, without figures: one flat line, one that rises. */
function DemoSketch() {
  return (
    <svg viewBox="0 0 320 96" className="w-80" fill="none" aria-hidden>
      <path d="M8 88h304" className="stroke-line" strokeWidth="1" />
      <path
        d="M8 70c18-6 26 4 44 1s24-7 42-2 28 5 46 0 30-5 48 1 26 3 44-1 28-3 46 1 22 2 34 0"
        strokeWidth="2"
        strokeLinecap="round"
        style={{ stroke: 'var(--series-1)' }}
      />
      <path
        d="M8 72c24-2 38-4 58-10s34-8 56-18 40-14 62-20 44-6 66-8 42-3 62-4"
        strokeWidth="2"
        strokeLinecap="round"
        style={{ stroke: 'var(--series-2)' }}
      />
    </svg>
  )
}
