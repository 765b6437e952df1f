import { FlaskConical, MessageCircle, Play, Route, Activity } from 'lucide-react'
import { useEffect } from 'react'
import { Button } from '../../components/button'
import { ErrorNotice } from '../../components/error-notice'
import { plural, formatBytes, formatCount, formatShare, formatWhen } from '../../components/format'
import { TextLink } from '../../components/row-link'
import { Page, PageHead } from '../../components/screen'
import { statusWords } from '../../components/status-words'
import { TitleAndLead } from '../../components/title-and-lead'
import { DEMO_TIME } from '../../ground/demo-words'
import { GoButton } from '../../ground/go-to'
import { JobRow } from '../../ground/job-row'
import { useOwnRuns } from '../../ground/own-runs'
import { runTitle } from '../../ground/run-title'
import { TitledSection } from '../../ground/titled-section'
import { nameOfMemory } from '../../stores/memories'
import { useServices, useStored } from '../../stores/use-services'

/** What is going on, what waits for a person, and what was done lately; and what to begin with. */
export function HomeScreen() {
  const { asks, memories, runs, openRecord } = useServices()
  useEffect(() => {
    void asks.getState().load()
    void memories.getState().reload()
  }, [asks, memories])
  const isNew = useStored('runs', ({ status, order }) => status === 'ready' && order.length === 0)
  const problem = useStored('runs', (state) => state.problem)
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
  const running = useStored('jobs', (state) => state.data).filter(({ status }) => status === 'running')
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
      text: 'Four places in a minute.',
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

/** What goes on only once a person has said something; nothing while nothing waits. */
function Waiting() {
  const { openRecord } = useServices()
  const askList = useStored('asks', (state) => state.asks)
  const presumed = askList.filter((ask) => ask.presumed > 0)
  const unjudged = askList.filter(({ status, verdict }) => status === 'done' && verdict === null)
  const paused = useOwnRuns().filter(({ status }) => status === 'paused')
  const resting = useStored('experiments', (state) => state.heads).filter(({ status }) => status === 'paused')
  const things = [
    ...presumed.slice(0, 1).map(({ id }) => ({
      words: `${plural(
        presumed.reduce((sum, ask) => sum + ask.presumed, 0),
        'answer',
      )} with a next message of yours that tells whether it was right: one key confirms it.`,
      link: 'Look at the newest',
      run: () => openRecord('ask', id),
    })),
    ...unjudged.slice(0, 1).map(({ id }) => ({
      words: `${plural(unjudged.length, 'answer')} nobody has judged yet: the memory learns once you say whether it was right.`,
      link: 'Judge the newest',
      run: () => openRecord('ask', id),
    })),
    ...paused.map(({ id, done, total }) => ({
      words: `A run rests after ${done} of ${plural(total, 'task')}.`,
      link: 'Go on with it',
      run: () => openRecord('run', id),
    })),
    ...resting.map(({ id, name, done, total }) => ({
      words: `The experiment “${name}” rests after ${done} of ${plural(total, 'task')}.`,
      link: 'Go on with it',
      run: () => openRecord('experiment', id),
    })),
  ]
  if (things.length === 0) return null
  return (
    <TitledSection title="Waits for you">
      <ul className="divide-y rounded-lg border bg-surface">
        {things.map(({ words, link, run }) => (
          <li key={words} className="px-4 py-3">
            {words} <TextLink onClick={run}>{link}</TextLink>
          </li>
        ))}
      </ul>
    </TitledSection>
  )
}

/** The memory that is open, and what is in it; nothing before the first. */
function MemoryOpening() {
  const memory = useStored('memories', (state) => state.memories.find(({ id }) => id === state.currentId))
  if (!memory) return null
  return (
    <TitledSection title="The open memory">
      <div className="flex items-center gap-4 rounded-lg border bg-surface p-4">
        <TitleAndLead
          title={<span className="block truncate">{nameOfMemory(memory)}</span>}
          lead={`${plural(memory.cases, 'case')}, ${plural(memory.trajectories, 'attempt')}, ${formatBytes(memory.bytes)}`}
        />
        <GoButton to="memory">See what it remembers</GoButton>
      </div>
    </TitledSection>
  )
}

const MOST_SHOWN = 8

const ICONS = { ask: MessageCircle, run: Activity, experiment: FlaskConical } as const

/** The newest asks, runs and experiments with how they went; nothing before the first. */
function Lately() {
  const { openRecord } = useServices()
  const askList = useStored('asks', (state) => state.asks)
  const runList = useOwnRuns()
  const heads = useStored('experiments', (state) => state.heads)
  const methodList = useStored('methods', (state) => state.data)
  const streamList = useStored('streams', (state) => state.data)
  const things = [
    ...askList.map(({ id, title, verdict, createdAt }) => ({
      ...{ kind: 'ask' as const, id, title, createdAt },
      detail: verdict === null ? 'Ask' : `Ask, judged ${verdict}`,
    })),
    ...runList.map((run) => ({
      ...{ kind: 'run' as const, id: run.id, createdAt: run.createdAt },
      title: runTitle(run, methodList, streamList),
      detail: `Run, ${statusWords(run).toLowerCase()}${run.done > 0 ? `, ${formatShare(run.solved / run.done)} of ${plural(run.done, 'task')} solved` : ''}`,
    })),
    ...heads.map((head) => ({
      ...{ kind: 'experiment' as const, id: head.id, title: head.name, createdAt: head.createdAt },
      detail: `Experiment, ${statusWords(head).toLowerCase()}, ${
        head.done === head.total ? '' : `${formatCount(head.done)} of `
      }${plural(head.total, 'task')}`,
    })),
  ].sort((a, b) => b.createdAt.localeCompare(a.createdAt))
  if (things.length === 0) return null
  return (
    <TitledSection title="Lately">
      <ul className="divide-y rounded-lg border bg-surface">
        {things.slice(0, MOST_SHOWN).map(({ kind, id, title, detail, createdAt }) => {
          const Icon = ICONS[kind]
          return (
            <li key={id}>
              <button
                type="button"
                onClick={() => openRecord(kind, id)}
                className="flex w-full items-center gap-3 px-4 py-2.5 text-left transition-colors duration-100 -outline-offset-2 hover:bg-hover"
              >
                <Icon size={16} strokeWidth={1.75} aria-hidden className="shrink-0 text-muted" />
                <span className="min-w-0 flex-1">
                  <span className="block truncate">{title}</span>
                  <span className="block truncate text-xs text-muted">{detail}</span>
                </span>
                <span className="shrink-0 text-xs text-muted">{formatWhen(createdAt)}</span>
              </button>
            </li>
          )
        })}
      </ul>
    </TitledSection>
  )
}
