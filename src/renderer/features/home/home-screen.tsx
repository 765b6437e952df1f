import { FlaskConical, MessageCircle, Play, Route } from 'lucide-react'
import { useEffect } from 'react'
import { useStore } from 'zustand'
import { Button } from '../../components/button'
import { ErrorNotice } from '../../components/error-notice'
import { Page } from '../../components/screen'
import { PageHead } from '../../components/page-head'
import { JobRow } from '../../ground/job-row'
import { TitledSection } from '../../ground/titled-section'
import { useServices } from '../../stores/use-services'
import { Lately } from './recent-activity'
import { MemoryOpening } from './open-memory'
import { Waiting } from './needs-attention'
import { DEMO_TIME } from '../../ground/demo-words'

/** What is going on, what waits for a person, and what was done lately; and what to begin with. */
export function HomeScreen() {
  const { asks, memories, runs, openRecord } = useServices()
  useEffect(() => {
    void asks.getState().load()
    void memories.getState().reload()
  }, [asks, memories])
  const isNew = useStore(runs, ({ status, order }) => status === 'ready' && order.length === 0)
  const problem = useStore(runs, (state) => state.problem)
  return (
    <Page>
      <PageHead
        title={isNew ? 'Welcome to Loam' : 'What is going on'}
        lead="A workshop for agents that learn from what they do. Everything stays on this machine."
        actions={
          <Button look="primary" icon={MessageCircle} onClick={() => openRecord('ask')}>
            Ask something
          </Button>
        }
      />
      {problem ? <ErrorNotice problem={problem} onRetry={() => void runs.getState().load()} /> : null}
      {isNew ? <Begin /> : null}
      <GoingOn />
      <Waiting />
      <Lately />
      <MemoryOpening />
      {isNew ? null : <Begin />}
    </Page>
  )
}

/** Jobs that run; nothing while there are none. */
function GoingOn() {
  const { jobs } = useServices()
  const running = useStore(jobs, (state) => state.data).filter(({ status }) => status === 'running')
  if (running.length === 0) return null
  return (
    <TitledSection title="Under way">
      <ul className="divide-y rounded-lg border bg-surface">
        {running.map((job) => (
          <JobRow key={job.id} job={job} />
        ))}
      </ul>
    </TitledSection>
  )
}

/** Ways to begin: the demo, an experiment, the tour. */
function Begin() {
  const { runs, ui, openRecord } = useServices()
  const steps = [
    {
      icon: Play,
      title: 'Run the demo',
      text: `A small model works through 120 tasks, first without memory, then with one, in ${DEMO_TIME}.`,
      run: () => {
        ui.getState().go('run')
        void runs.getState().startDemo()
      },
    },
    {
      icon: FlaskConical,
      title: 'Compare methods',
      text: 'Several ways to remember on the same tasks, each with several seeds.',
      run: () => openRecord('experiment'),
    },
    {
      icon: Route,
      title: 'Take the tour',
      text: 'Seven places in two minutes.',
      run: () => ui.getState().setTourStep(0),
    },
  ]
  return (
    <TitledSection title="Begin">
      <ul className="grid grid-cols-[repeat(auto-fit,minmax(14rem,1fr))] gap-3">
        {steps.map(({ icon: Icon, title, text, run }) => (
          <li key={title} className="flex">
            <button
              type="button"
              onClick={run}
              className="flex w-full flex-col gap-1 rounded-lg border bg-surface p-4 text-left transition-colors duration-100 hover:bg-hover"
            >
              <span className="flex items-center gap-2 font-medium">
                <Icon size={16} strokeWidth={1.75} aria-hidden className="text-accent" />
                {title}
              </span>
              <span className="text-sm text-muted">{text}</span>
            </button>
          </li>
        ))}
      </ul>
    </TitledSection>
  )
}
